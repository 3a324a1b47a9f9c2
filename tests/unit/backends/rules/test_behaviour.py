"""Rewritten functions give what the originals gave, for values that make it hard."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.backends.rules.registry import all_rules, rules_for
from burnish.backends.rules.rewriting import Surroundings, rewrite
from burnish_analyzers.goal import Goal

NUMBERS = st.lists(st.sampled_from([1, 1.0, True, 2, 2.0, -0.0, 0, math.nan, math.inf, -3]), max_size=6)


@cache
def rewritten(rule: str, text: str) -> Callable[..., Any]:
    """The function `f` of `text` after the rule."""
    done = rewrite([each for each in all_rules() if each.name == rule], text, Surroundings())
    assert done.rules == (rule,)
    return function("\n".join([*done.imports, done.text]))


@cache
def function(text: str) -> Callable[..., Any]:
    names: dict[str, Any] = {}
    exec(text, names)
    made: Callable[..., Any] = names["f"]
    return made


EXTREMES = [
    f"def f(items, best):\n    for item in items:\n        best = {call}\n    return best\n"
    for call in ["min(best, item)", "max(best, item)", "min(item, best)", "max(item, best)", "min(best, item + 0)"]
]


@pytest.mark.parametrize("text", EXTREMES)
@given(NUMBERS, st.sampled_from([1, 1.0, math.nan, 0.0]))
def test_extremes_of_equal_and_incomparable_numbers(text: str, items: list[float], best: float) -> None:
    assert repr(rewritten("min-max-compare", text)(items, best)) == repr(function(text)(items, best))


QUEUE = """\
def f(numbers):
    queue = [0]
    queue.insert(0, 9)
    trace = []
    for number in numbers:
        if number % 3 and queue:
            trace.append(queue.pop(0))
        elif number % 2:
            queue.insert(0, number)
        else:
            queue.append(number)
        trace.append((len(queue), number in queue, [each for each in queue]))
    return trace
"""


@given(st.lists(st.integers(0, 9)))
def test_a_queue_at_both_ends(numbers: list[int]) -> None:
    assert rewritten("queue-deque", QUEUE)(numbers) == function(QUEUE)(numbers)


GRID = """\
def f(rows: list, n: int):
    grid = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            if i and j:
                grid[i][j] = max(grid[i - 1][j], grid[i][j - 1]) + rows[i] * (n % 7) + i ** 2
    return grid
"""


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_a_table_with_hoisted_rows(rows: list[int]) -> None:
    new = rewritten("invariant-hoist", GRID)
    assert new([*rows], len(rows)) == function(GRID)([*rows], len(rows))


MIXED = """\
def f(users: list, banned: list):
    found = []
    text = ""
    for i in range(len(users)):
        if users[i] not in banned:
            if users[i] > 0:
                found.append(users[i])
        else:
            text += str(i)
    n = len(users)
    for u in users:
        if u == n:
            return True, found, text
        else:
            text += "-"
    return False, found, text
"""


@cache
def refined(goal: Goal) -> Callable[..., Any]:
    done = rewrite(rules_for(goal), MIXED, Surroundings())
    assert len(done.rules) >= 2
    return function(done.text)


@pytest.mark.parametrize("goal", list(Goal))
@given(users=st.lists(st.integers(-3, 5)), banned=st.lists(st.integers(-3, 5)))
def test_all_rules_of_a_goal_together(goal: Goal, users: list[int], banned: list[int]) -> None:
    assert refined(goal)(users, banned) == function(MIXED)(users, banned)
