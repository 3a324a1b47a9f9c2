"""Replays recorded and varied calls on the original and on other versions, and compares what they did."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from .compare import Difference, IncomparableError, difference
from .observe import Observation, OutOfTimeError, Raised, described, observe
from .record import Call
from .show import shown_call, shown_value
from .swap import Swapper, UnswappableError, Version

LEAST_SECONDS = 1.0
GENERATED_SECONDS = 1.0
SLOWER_TIMES = 20.0


class Reference:
    """A call with what the original did, which is the same each time it is asked."""

    def __init__(self, call: Call, observation: Observation, seconds: float) -> None:
        self.call = call
        self.observation = observation
        self.seconds = seconds


class Tally:
    """How many calls were of use, and why others were not."""

    def __init__(self) -> None:
        self.replayed = 0
        self.generated = 0
        self.unsteady = 0
        self.incomparable = 0
        self.unfinished = 0

    def document(self) -> dict[str, int]:
        """As JSON."""
        return dict(vars(self))


def references(swapper: Swapper, calls: Sequence[Call], deadline: float, tally: Tally) -> list[Reference]:
    """What the original does on each call. Run twice: a call on which it differs from itself proves nothing."""
    found = []
    for call in calls:
        if time.monotonic() > deadline:
            tally.unfinished += 1
            continue
        function = swapper.function(call)
        limit = GENERATED_SECONDS if call.generated else LEAST_SECONDS * 10
        began = time.perf_counter()
        try:
            once = observe(function, call, limit)
            seconds = time.perf_counter() - began
            if call.generated and isinstance(once.outcome, Raised) and not once.outcome.deliberate:
                continue  # outside what the function is for: how it breaks is no promise
            steady = compared(once, observe(function, call, limit)) is None
        except OutOfTimeError:
            tally.unfinished += 1
            continue
        except IncomparableError:
            tally.incomparable += 1
            continue
        if steady:
            found.append(Reference(call, once, seconds))
        else:
            tally.unsteady += 1
    return found


def compared(old: Observation, new: Observation) -> tuple[str, Difference] | None:
    """The first part in which two observations differ, by name."""
    old_parts, new_parts = old.parts(), new.parts()
    found = difference([value for _, value in old_parts], [value for _, value in new_parts])
    if found is None:
        return None
    index = int(found.path[1 : found.path.index("]")]) if found.path.startswith("[") else 0
    return old_parts[index][0], found


def judge(swapper: Swapper, known: Sequence[Reference], tally: Tally) -> dict[str, str] | None:
    """The smallest call on which the version now in place differs from the original, or None."""
    smallest: dict[str, str] | None = None
    for reference in known:
        shown = shown_call(reference.call)
        limit = max(LEAST_SECONDS, SLOWER_TIMES * reference.seconds)
        try:
            now = observe(swapper.function(reference.call), reference.call, limit)
            found = explained(shown, reference.observation, now)
        except OutOfTimeError:
            example = {"call": shown, "expected": "an answer", "actual": f"none after {limit:.1f} s"}
        except IncomparableError:
            tally.incomparable += 1
            continue
        else:
            tally.replayed += not reference.call.generated
            tally.generated += reference.call.generated
            if found is None:
                continue
            example = found
        if smallest is None or len(example["call"]) < len(smallest["call"]):
            smallest = example
    return smallest


def explained(call: str, old: Observation, new: Observation) -> dict[str, str] | None:
    """How two observations differ, as a counterexample; None where they do not."""
    found = compared(old, new)
    if found is None:
        return None
    part, where = found
    expected, actual = described(old.outcome), described(new.outcome)
    if part != "outcome" or expected == actual:
        place = part + where.path.partition("]")[2]
        expected, actual = (f"{place}: {shown_value(value)}" for value in (where.old, where.new))
    return {"call": call, "expected": expected, "actual": actual}


def caught(swapper: Swapper, known: Sequence[Reference], mutants: Sequence[Version], original: Version) -> list[bool]:
    """For each deliberately broken version, whether the calls tell it from the original."""
    found = []
    for mutant in mutants:
        try:
            with swapper.using(mutant, original):
                found.append(any(differs(swapper, reference) for reference in known))
        except UnswappableError:
            found.append(True)  # it could not even take the original's place
    return found


def differs(swapper: Swapper, reference: Reference) -> bool:
    """Whether one call tells the version now in place from the original."""
    limit = max(LEAST_SECONDS, SLOWER_TIMES * reference.seconds)
    try:
        return (
            compared(reference.observation, observe(swapper.function(reference.call), reference.call, limit))
            is not None
        )
    except OutOfTimeError:
        return True
    except IncomparableError:
        return False


def wears_out(reference: Reference) -> bool:
    """Whether the call changes its arguments or uses them up, so that each run needs fresh ones."""
    before = reference.call.copies()
    if any(isinstance(value, Iterator) for value in before.values()):
        return True
    try:
        return difference(before, reference.observation.arguments) is not None
    except IncomparableError:
        return True
