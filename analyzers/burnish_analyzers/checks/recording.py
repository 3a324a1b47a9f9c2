"""The calls of a unit with what the original does on each: what every candidate is compared with."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from burnish_analyzers.checks.comparison import Difference, IncomparableError, difference, shown
from burnish_analyzers.checks.outcome import Counterexample
from burnish_analyzers.errors import JobError
from burnish_analyzers.harness.tasks import CallSource, Version
from burnish_analyzers.harness.workbench import Workbench

LEAST_SECONDS = 1.0
RECORDED_SECONDS = 10.0
SLOWER_TIMES = 20.0
MOST_CRASHES = 10
MUTANT_SECONDS = 5.0
SHRINK_SECONDS = 5.0
# Errors that say a call was none of those that a function is for, whatever its values.
MISUSE = ("TypeError", "AttributeError", "NameError", "UnboundLocalError", "RecursionError", "MemoryError")

Observed = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A call with what the original does on it, the same each time. `generated`: no test made it.

    `by_kind`: it raises an error that nobody wrote a `raise` for, so only the error's type is a promise.
    """

    index: int
    observed: Observed
    by_kind: bool

    @property
    def generated(self) -> bool:
        """Whether no test made this call."""
        return bool(self.observed["generated"])

    @property
    def limit_seconds(self) -> float:
        """How long another version may take over it."""
        return max(LEAST_SECONDS, SLOWER_TIMES * float(self.observed["seconds"]))


@dataclass(frozen=True, kw_only=True)
class Recording:
    """All that is known of the unit's calls. Counts: `seen` calls that tests made, and those that cannot be used.

    `caught` of `mutants` deliberately broken versions do something else on one of the references.
    """

    source: CallSource
    references: tuple[Reference, ...] = ()
    seen: int = 0
    uncopyable: int = 0
    unsteady: int = 0
    incomparable: int = 0
    unfinished: int = 0
    mutants: int = 0
    caught: int = 0
    problem: str = ""

    @property
    def recorded(self) -> int:
        """How many references are calls that a test made."""
        return sum(not reference.generated for reference in self.references)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What a candidate does on the references: how many could be compared, and the smallest that shows a difference."""

    recorded: int
    generated: int
    incomparable: int
    counterexample: Counterexample | None = None


def record(bench: Workbench, source: CallSource, mutants: Sequence[str], seconds: float) -> Recording:
    """Gather the calls, see twice what the original does on each, and how many broken versions they tell apart."""
    facts = next((found["facts"] for found in bench.calls(source, "gather", seconds) if "facts" in found), None)
    if facts is None:
        return Recording(source=source, problem="the tests do not end as they did when they were run before")
    indices = range(facts["calls"])
    limits = {index: RECORDED_SECONDS if index < facts["kept"] else LEAST_SECONDS for index in indices}
    once, twice = (observed(bench, source, None, indices, limits, seconds) for _ in range(2))
    tally = Counter[str]()
    references = []
    for index in indices:
        found = reference(index, once.get(index), twice.get(index))
        if isinstance(found, Reference):
            references.append(found)
        else:
            tally[found] += 1
    recording = Recording(
        source=source,
        references=tuple(references),
        seen=facts["seen"],
        uncopyable=facts["uncopyable"],
        unsteady=tally["unsteady"],
        incomparable=tally["incomparable"],
        unfinished=tally["unfinished"],
    )
    if not references:
        return recording
    caught = sum(tells_apart(bench, recording, mutant) for mutant in mutants)
    return replace(recording, mutants=len(mutants), caught=caught)


def observed(
    bench: Workbench,
    source: CallSource,
    version: Version | None,
    indices: Iterable[int],
    limits: float | Mapping[int, float],
    seconds: float,
) -> dict[int, Observed]:
    """What a version does on some calls, by index. A call that ends its process is told by "crash". Raises JobError."""
    found: dict[int, Observed] = {}
    waiting = list(indices)
    deadline = time.monotonic() + seconds
    for _ in range(MOST_CRASHES):
        if not waiting or time.monotonic() > deadline:
            break
        answer = bench.calls(
            source,
            "observe",
            max(1.0, deadline - time.monotonic()),
            version=asdict(version) if version else None,
            indices=waiting,
            limits=[limits if isinstance(limits, float) else limits[index] for index in waiting],
        )
        if problem := next((document["unswappable"] for document in answer if "unswappable" in document), ""):
            raise JobError(f"It cannot be run in place of the original: {problem}.")
        found |= {document["index"]: document for document in answer if "index" in document}
        begun = [document["begins"] for document in answer if "begins" in document]
        if not begun or begun[-1] in found:
            break
        found[begun[-1]] = {"crash": next((document["ended"] for document in answer if "ended" in document), "")}
        waiting = waiting[waiting.index(begun[-1]) + 1 :]
    return found


def reference(index: int, once: Observed | None, twice: Observed | None) -> Reference | str:
    """What the original does on a call, or why that proves nothing: the name of a count, or "" for no count at all."""
    if once is None or twice is None or "late" in once or "late" in twice:
        return "unfinished"
    if "crash" in once or "crash" in twice:
        return "unsteady" if once != twice else "incomparable"
    natural = raises(once) and not once["deliberate"]
    by_kind = natural and once["generated"]
    if by_kind and kind_of_error(once) in MISUSE:
        return ""  # outside what the function is for: how it breaks is no promise
    try:
        steady = once["call"] == twice["call"] and differing(once, twice, by_kind=by_kind) is None
    except IncomparableError:
        return "incomparable"
    return Reference(index=index, observed=once, by_kind=by_kind) if steady else "unsteady"


def raises(document: Observed) -> bool:
    """Whether the call ended with an exception."""
    return str(document["described"]).startswith("raises ")


def kind_of_error(document: Observed) -> str:
    """The name of the exception's type."""
    portrait = document["portrait"]
    return "" if portrait[0] == "?" else str(portrait[2][1][1][1]).rpartition(".")[2]


def differing(old: Observed, new: Observed, *, by_kind: bool) -> tuple[str, Difference] | None:
    """The first part in which two observations differ, by its label. Raises IncomparableError."""
    if by_kind and raises(new) and kind_of_error(old) == kind_of_error(new):
        return None
    found = difference(old["portrait"], new["portrait"])
    if found is None:
        return None
    place = found.path[1:].partition("]")[0]
    return old["labels"][int(place) if place.isdigit() else 0], found


def explained(old: Observed, new: Observed, *, by_kind: bool) -> Counterexample | None:
    """How two observations of one call differ; None where they do not. Raises IncomparableError."""
    call = str(old["call"])
    if "late" in new:
        return Counterexample(call=call, expected="an answer", actual=f"none after {new['late']:.1f} s")
    if "crash" in new:
        return Counterexample(call=call, expected=old["described"], actual=f"ends the process: {new['crash']}")
    found = differing(old, new, by_kind=by_kind)
    if found is None:
        return None
    part, where = found
    expected, actual = str(old["described"]), str(new["described"])
    if part != "outcome" or expected == actual:
        place = part + where.path.partition("]")[2]
        expected, actual = (f"{place}: {shown(node)}" for node in (where.old, where.new))
    return Counterexample(call=call, expected=expected, actual=actual)


def compare(bench: Workbench, recording: Recording, version: Version, seconds: float) -> Comparison:
    """What a version does on every reference. Raises JobError."""
    limits = {reference.index: reference.limit_seconds for reference in recording.references}
    found = observed(bench, recording.source, version, limits, limits, seconds)
    counts = Counter[str]()
    worst: tuple[Reference, Counterexample] | None = None
    for reference in recording.references:
        new = found.get(reference.index)
        if new is None:
            continue
        try:
            example = explained(reference.observed, new, by_kind=reference.by_kind)
        except IncomparableError:
            counts["incomparable"] += 1
            continue
        counts["generated" if reference.generated else "recorded"] += 1
        if example and (worst is None or len(example.call) < len(worst[1].call)):
            worst = reference, example
    example = shrunk(bench, recording, version, *worst) if worst else None
    return Comparison(
        recorded=counts["recorded"],
        generated=counts["generated"],
        incomparable=counts["incomparable"],
        counterexample=example,
    )


def tells_apart(bench: Workbench, recording: Recording, text: str) -> bool:
    """Whether a broken version does something else on one of the references."""
    version = Version(text=text)
    limits = {reference.index: reference.limit_seconds for reference in recording.references}
    try:
        found = observed(bench, recording.source, version, limits, limits, MUTANT_SECONDS)
    except JobError:
        return True  # it could not even take the original's place
    return any(differs(reference, found.get(reference.index)) for reference in recording.references)


def differs(reference: Reference, new: Observed | None) -> bool:
    """Whether a version is seen to differ on one call."""
    try:
        return new is not None and explained(reference.observed, new, by_kind=reference.by_kind) is not None
    except IncomparableError:
        return False


def shrunk(
    bench: Workbench, recording: Recording, version: Version, worst: Reference, example: Counterexample
) -> Counterexample:
    """A smaller call on which the version still differs, seen again in fresh processes; else the one that is known."""
    deadline = time.monotonic() + SHRINK_SECONDS
    while time.monotonic() < deadline:
        answer = bench.calls(recording.source, "simpler", SHRINK_SECONDS, index=worst.index)
        indices: list[int] = next((document["indices"] for document in answer if "indices" in document), [])
        left = max(1.0, deadline - time.monotonic())
        once, twice, new = (
            observed(bench, recording.source, one, indices, LEAST_SECONDS, left) for one in (None, None, version)
        )
        smaller = []
        for index in indices:
            old = reference(index, once.get(index), twice.get(index))
            if isinstance(old, Reference) and differs(old, new.get(index)):
                found = explained(old.observed, new[index], by_kind=old.by_kind)
                if found and len(found.call) < len(example.call):
                    smaller.append((len(found.call), index, old, found))
        if not smaller:
            break
        _, _, worst, example = min(smaller, key=lambda entry: entry[:2])
    return example
