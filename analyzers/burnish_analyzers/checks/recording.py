"""The calls of a unit with what the original does on each: what every candidate is compared with."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from burnish_analyzers.checks.comparison import IncomparableError
from burnish_analyzers.checks.generation.explore import Explored, explore, indices_of
from burnish_analyzers.checks.observation import Observed, differing, explained, is_use, natural_error, observed
from burnish_analyzers.checks.outcome import Counterexample
from burnish_analyzers.errors import JobError
from burnish_analyzers.harness.tasks import CallSource, Version
from burnish_analyzers.harness.workbench import Workbench

LEAST_SECONDS = 1.0
RECORDED_SECONDS = 10.0
SLOWER_TIMES = 20.0
MUTANT_SECONDS = 5.0
SHRINK_SECONDS = 5.0


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
    indices = list(range(facts["calls"]))
    kept = {index for recorded in facts["recorded"].values() for index in recorded}
    limits = {index: RECORDED_SECONDS if index in kept else LEAST_SECONDS for index in indices}
    once = observed(bench, source, None, indices, limits, seconds)
    try:
        explored = explore(bench, source, facts, seconds)
    except JobError:  # generated calls are more than what tests made, and never needed
        explored = Explored(source=source, observed={})
    once |= explored.observed
    source = explored.source
    indices += explored.observed
    twice = observed(bench, source, None, indices, {**dict.fromkeys(indices, LEAST_SECONDS), **limits}, seconds)
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


def reference(index: int, once: Observed | None, twice: Observed | None) -> Reference | str:
    """What the original does on a call, or why that proves nothing: the name of a count, or "" for no count at all."""
    if once is None or twice is None or "late" in once or "late" in twice:
        return "unfinished"
    if "crash" in once or "crash" in twice:
        return "unsteady" if once != twice else "incomparable"
    if once["generated"] and not is_use(once):
        return ""  # outside what the function is for: how it breaks is no promise
    by_kind = once["generated"] and bool(natural_error(once))
    try:
        steady = once["call"] == twice["call"] and differing(once, twice, by_kind=by_kind) is None
    except IncomparableError:
        return "incomparable"
    return Reference(index=index, observed=once, by_kind=by_kind) if steady else "unsteady"


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
        source = replace(recording.source, steps=(*recording.source.steps, {"simpler": worst.index}))
        indices = [index for index in indices_of(bench, source, SHRINK_SECONDS) if index is not None]
        left = max(1.0, deadline - time.monotonic())
        once, twice, new = (observed(bench, source, one, indices, LEAST_SECONDS, left) for one in (None, None, version))
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
