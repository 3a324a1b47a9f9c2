"""Which processes a process has started, as far as Linux tells."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection


def descendants(root: int, without: Collection[int] = ()) -> list[int]:
    """Every process below `root` but those `without`, and what is below them; none where the system does not tell."""
    found: list[int] = []
    queue = [root]
    while queue:
        children = [child for child in children_of(queue.pop()) if child not in without]
        found += children
        queue += children
    return found


def children_of(pid: int) -> list[int]:
    """The processes that one has started and that still are there; none if it has ended, maybe while we look."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
    return found
