"""Calls bred from recorded ones: of the same kind, and able to tell common faults."""

from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest

from burnish_analyzers.harness.runner import variations
from burnish_analyzers.harness.runner.record import Call, Target

NOTHING_OPEN = variations.Openness((), ())


def bred(*recorded: dict[str, Any]) -> list[dict[str, Any]]:
    target = Target(("f", 0), captured=True, in_unit=True)
    calls = [Call(target, values, {}, "test") for values in recorded]
    return [call.values for call in variations.variations(calls, NOTHING_OPEN)]


def first_repeated(items: list[str]) -> list[str]:
    seen: list[str] = []
    found: list[str] = []
    for item in items:
        (found if item in seen and item not in found else seen).append(item)
    return found


@pytest.mark.parametrize(
    ("recorded", "old", "new"),
    [
        (
            {"x": ["a", "b", "a", "b", "a"]},
            lambda x: first_repeated(x),
            lambda x: [item for item in dict.fromkeys(x) if x.count(item) > 1],
        ),
        (
            {"x": [("pen", 2, 3), ("ink", 1, 5)]},
            lambda x: sum(count * price for _, count, price in x),
            lambda x: sum(count * price for _, count, price in x if price >= 0),
        ),
        ({"x": {"a": 1, "b": 2}}, lambda x: sum(x.values()), lambda x: sum(abs(value) for value in x.values())),
        ({"x": "abc"}, lambda x: "".join(sorted(set(x))), lambda x: "".join(dict.fromkeys(x))),
    ],
    ids=["order of repetition", "negative in a record", "negative in a dict", "order of characters"],
)
def test_a_fault_that_recorded_calls_hide_is_met(
    recorded: dict[str, Any], old: Callable[[Any], Any], new: Callable[[Any], Any]
) -> None:
    assert old(**recorded) == new(**recorded)
    assert any(old(**values) != new(**values) for values in bred(recorded) if fits(old, values))


def fits(function: Callable[..., Any], values: dict[str, Any]) -> bool:
    try:
        function(**values)
    except (TypeError, ValueError):
        return False
    return True


def test_records_keep_their_length_within_a_list() -> None:
    for values in bred({"x": [("pen", 2), ("ink", 1)]}):
        assert {len(record) for record in values["x"]} <= {2}


def test_values_are_exchanged_between_calls() -> None:
    found = bred({"x": 10, "y": 20}, {"x": 300, "y": 400})
    assert {"x": 10, "y": 400} in found
    assert {"x": 300, "y": 20} in found


def test_every_argument_has_its_turn_before_one_is_exhausted() -> None:
    first = bred({"x": [1, 2, 3], "y": [4, 5, 6]})[:4]
    assert any(values["x"] != [1, 2, 3] for values in first)
    assert any(values["y"] != [4, 5, 6] for values in first)


def test_the_same_calls_are_bred_each_time() -> None:
    recorded = {"x": ["a", "b", "c", "a"], "y": 3}
    assert bred(recorded) == bred(recorded)


def test_there_are_not_too_many() -> None:
    assert len(bred(*({"x": list(range(number, number + 5))} for number in range(100)))) == variations.MOST_VARIATIONS


def test_a_value_sent_is_tried_only_where_it_is_used() -> None:
    def drops(items: list[int]) -> Iterator[int]:
        for item in items:
            yield item + 1

    def delegates(items: list[int]) -> Iterator[int]:
        yield from items

    def uses(start: int) -> Generator[int, int, None]:
        while True:
            start += yield start

    found = [variations.uses_what_is_sent(function.__code__) for function in (drops, delegates, uses)]
    assert found == [False, False, True]
