"""The sentences about a whole run: why nothing was found, why a candidate was rejected, why nothing can be proved."""

from __future__ import annotations

from burnish.configuration import Settings
from burnish.engine.history import History
from burnish.engine.loop import LoopResult
from burnish.engine.stopping import StopReason
from burnish_analyzers.checks.baseline import Baseline
from burnish_analyzers.checks.outcome import CheckOutcome
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit, UnitKind, units

ALLOW_UNVERIFIED = ", or allow unverified proposals (--allow-unverified)"
"""What `refine` can do without a proof, and no other command."""


def none_message(history: History, results: list[LoopResult], settings: Settings) -> str:
    """Why there is no proposal, and what to do where a limit was in the way."""
    tried = history.steps[1:]
    limit = limit_message(results, settings)
    if not tried:
        return f"Nothing better found, because {limit or reason_to_stop(results)}."
    failures = [step.verdict.failure for step in tried if step.verdict.failure]
    what = "the one candidate was" if len(tried) == 1 else f"all {len(tried)} candidates were"
    why = told(failures[-1]) if failures else "nothing proved it"
    also = f" Also, {limit}." if limit else ""
    return f"Nothing better found, because {what} rejected; the last one: {why}{also}"


def limit_message(results: list[LoopResult], settings: Settings) -> str:
    """The limit that ended the search and how to raise it, or ""."""
    stops = [result.stop for result in results]
    if StopReason.CANCELLED in stops:
        return "it was cancelled"
    if StopReason.SECONDS in stops:
        seconds = f"{settings.budget_seconds:g}"
        return f"the time budget of {seconds} s ran out; raise --budget-seconds (the setting budget_seconds)"
    # The rules' own bound is none of the user's limits.
    if StopReason.ROUNDS in stops and settings.engine != "rules" and settings.model is not None:
        used = "1 round is" if settings.rounds == 1 else f"{settings.rounds} rounds are"
        return f"the model's {used} used up; raise --rounds (the setting rounds)"
    return ""


def reason_to_stop(results: list[LoopResult]) -> str:
    """Why no candidate came up, as a clause."""
    if not results:
        return "no engine ran"
    last = results[-1]
    if last.stop in (StopReason.EXHAUSTED, StopReason.CRITIC) and not last.detail and not last.usage.requests:
        return "no rule finds anything to change"
    return f"{last.stop_reason[:1].lower()}{last.stop_reason[1:].rstrip('.')}"


def told(failure: CheckOutcome) -> str:
    """Why a check did not hold, with its counterexample, in a sentence."""
    example = failure.counterexample
    if example is None:
        return failure.detail
    if failure.name == "tests":  # its detail and its counterexample are about the same test
        return f"{example.call} no longer passes ({example.actual.removesuffix(': ')})."
    place = f"{example.call}: " if failure.name == "equivalence" else ""  # elsewhere the detail names it
    return f"{failure.detail.rstrip('.')}: {place}{example.expected}; the rewrite: {example.actual}"


def unverified_message(snapshot: Snapshot, unit: Unit, baseline: Baseline, otherwise: str, remedy: str) -> str:
    """Why nothing could be proved, and what to do.

    `otherwise` is what else the command can do, `remedy` what is missing for the tests to run; both may be "".
    """
    if unit.kind is UnitKind.SCRIPT:
        return (
            "A script is verified on example inputs, and none are set: "
            f"pass --examples DIR with *.in files{named(snapshot)}."
        )
    looked = {0: "no test reaches", 1: "the project's one test does not reach"}.get(
        baseline.suite_size, f"none of the {baseline.suite_size} tests of the project reaches"
    )
    advice = remedy or f"add a test that calls it{otherwise}"
    return f"Unverified: {looked} {unit.qualname}, so nothing could be proved; {advice}."


def named(snapshot: Snapshot) -> str:
    """The advice to name a unit of the file, where it has any."""
    first = next((unit for unit in units(snapshot)), None)
    if first is None:
        return ""
    file = snapshot.path.name if snapshot.path else "FILE"
    return f", or name a function: FILE::QUALNAME, as in {file}::{first.qualname}"
