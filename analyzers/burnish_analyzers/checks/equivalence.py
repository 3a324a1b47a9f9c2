"""Checks that a candidate does what the original did on recorded, varied and generated calls."""

from __future__ import annotations

from burnish_analyzers.checks.outcome import CheckOutcome, Status
from burnish_analyzers.checks.recording import Comparison, Recording, compare
from burnish_analyzers.checks.subject import Answer, Subject, answer
from burnish_analyzers.errors import JobError
from burnish_analyzers.wording import counted

NAME = "equivalence"


def check_equivalence(subject: Subject) -> Answer:
    """The candidate does what the original did on every call that is known of the unit."""
    recording = subject.baseline.recording
    if recording is None:
        return answer(NAME, Status.SKIPPED, "A script makes no call that could be compared; its examples are.")
    if not recording.references:
        return answer(NAME, Status.SKIPPED, f"No call could be compared: {why_none(recording)}.")
    try:
        found = compare(subject.bench, recording, subject.version, subject.baseline.allowed_seconds)
    except JobError as error:
        return answer(NAME, Status.FAILED, f"The calls do not end as before. {error}")
    if found.counterexample:
        outcome = CheckOutcome(
            name=NAME,
            status=Status.FAILED,
            detail="It differs from the original on a call.",
            counterexample=found.counterexample,
        )
        return Answer(outcome=outcome, mutants=recording.mutants, caught=recording.caught)
    compared = found.recorded + found.generated
    if not compared:
        return answer(NAME, Status.SKIPPED, "What it gives cannot be compared.")
    if recording.mutants and not recording.caught:
        detail = "Its calls tell no deliberately broken version apart, so they prove nothing."
        outcome = CheckOutcome(name=NAME, status=Status.SKIPPED, detail=detail)
        return Answer(outcome=outcome, mutants=recording.mutants, caught=recording.caught)
    outcome = CheckOutcome(name=NAME, status=Status.PASSED, detail=told(recording, found))
    return Answer(
        outcome=outcome,
        compared_calls=compared,
        recorded_calls=found.recorded,
        mutants=recording.mutants,
        caught=recording.caught,
    )


def why_none(recording: Recording) -> str:
    """Why there is no call to compare."""
    if recording.problem:
        return recording.problem
    if recording.seen and recording.uncopyable == recording.seen:
        return f"the arguments of its {counted(recording.seen, 'call')} cannot be copied"
    if recording.unsteady:
        return "the original itself does not do the same twice"
    return "the tests made no call of it in this process" if not recording.seen else "what it gives cannot be compared"


def told(recording: Recording, found: Comparison) -> str:
    """What a passed comparison covered, and what it left out."""
    parts = [f"Equal on {counted(found.recorded, 'recorded call')} and {counted(found.generated, 'generated call')}"]
    if recording.mutants:
        broken = counted(recording.mutants, "deliberately broken version")
        parts.append(f"they tell {recording.caught} of {broken} apart")
    for number, why in (
        (recording.uncopyable, "could not be copied"),
        (recording.unsteady, "did not do the same twice on the original"),
        (recording.incomparable + found.incomparable, "gave what cannot be compared"),
        (recording.unfinished, "did not end in time"),
    ):
        if number:
            parts.append(f"{counted(number, 'call')} {why}")
    return "; ".join(parts) + "."
