"""What two texts, or two runs of lines, have in common."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Hashable, Sequence


def common_prefix(old: str | bytes, new: str | bytes) -> int:
    """The length of the longest common prefix."""
    return _agreement(min(len(old), len(new)), lambda low, high: old[low:high] == new[low:high])


def common_suffix(old: str | bytes, new: str | bytes, limit: int | None = None) -> int:
    """The length of the longest common suffix, at most `limit`."""
    shorter = min(len(old), len(new))
    a, b = len(old), len(new)
    return _agreement(
        shorter if limit is None else min(limit, shorter),
        lambda low, high: old[a - high : a - low] == new[b - high : b - low],
    )


def common_affixes(old: str | bytes, new: str | bytes) -> tuple[int, int]:
    """The length of the longest common prefix, and of the longest common suffix of what remains."""
    prefix = common_prefix(old, new)
    return prefix, common_suffix(old, new, min(len(old), len(new)) - prefix)


def matching_blocks(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """The runs (index in `old`, index in `new`, length) of equal items, with an empty run at both ends.

    Common items at both ends are set aside first, which leaves the slow comparison with the changed region only.
    """
    limit = min(len(old), len(new))
    head = next((index for index in range(limit) if old[index] != new[index]), limit)
    limit -= head
    tail = next((index for index in range(limit) if old[-1 - index] != new[-1 - index]), limit)
    old_end, new_end = len(old) - tail, len(new) - tail
    matcher = difflib.SequenceMatcher(None, old[head:old_end], new[head:new_end], autojunk=False)
    middle = [(head + a, head + b, size) for a, b, size in matcher.get_matching_blocks() if size]
    return [(0, 0, head), *middle, (old_end, new_end, tail), (len(old), len(new), 0)]


def _agreement(limit: int, agree: Callable[[int, int], bool]) -> int:
    """How far, up to `limit`, all agrees. Halving slices leaves the comparing to C."""
    low = 0
    while low < limit:
        middle = (low + limit + 1) // 2
        if agree(low, middle):
            low = middle
        else:
            limit = middle - 1
    return low
