"""What a function may change in its module, and putting it back."""

import collections
import os
import types
from typing import Any

from burnish_analyzers.harness.runner.module_state import ModuleState

TEXT = """
import collections, collections.abc, os

COUNTS = collections.Counter()
LIST = [1]
LIMIT = 3
Sequence = collections.abc.Sequence


class Pool:
    used = 0
    names = []

    def take(self):
        type(self).used += 1
        self.names.append("a")


class Holder:
    def __init__(self):
        self.items = []


HOLDER = Holder()


def helper():
    LIST.append(2)


def change():
    global LIMIT
    COUNTS["x"] += 1
    helper()
    LIMIT = 4
    HOLDER.items.append(1)
    Pool().take()
    os.environ["BURNISH_TEST"] = "set"
    return isinstance([], Sequence)
"""


def module() -> Any:
    made = types.ModuleType("changing")
    exec(compile(TEXT, "changing.py", "exec"), vars(made))
    return made


def test_each_change_is_seen_and_undone_in_place() -> None:
    changing = module()
    before_list, environment = changing.LIST, dict(os.environ)
    state = ModuleState(changing.change)
    changing.change()
    now = state.now()
    assert now["COUNTS"] == collections.Counter(x=1)
    assert (now["LIST"], now["LIMIT"], now["HOLDER.items"]) == ([1, 2], 4, [1])
    assert (now["Pool.used"], now["Pool.names"]) == (1, ["a"])
    assert now["os.environ"]["BURNISH_TEST"] == "set"
    state.restore()
    assert changing.LIST is before_list
    assert (changing.LIST, changing.LIMIT, changing.COUNTS, changing.HOLDER.items) == (
        [1],
        3,
        collections.Counter(),
        [],
    )
    assert (changing.Pool.used, changing.Pool.names) == (0, [])
    assert dict(os.environ) == environment
