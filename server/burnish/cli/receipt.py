"""Diffs, receipts and timings as people read them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnish.cli.output import console
from burnish.engine.history import Step
from burnish.engine.refinement import Receipt, Refinement
from burnish_analyzers.checks.outcome import CheckOutcome, Evidence, Exponent, Status, Timing
from burnish_analyzers.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

_STATUS_STYLES = {Status.PASSED: "green", Status.FAILED: "red", Status.SKIPPED: "dim", Status.ERRORED: "red"}
_EVIDENCE_STYLES = {
    Evidence.STRONG: "green",
    Evidence.MODERATE: "green",
    Evidence.WEAK: "yellow",
    Evidence.NONE: "red",
}


def show_proposal(refinement: Refinement) -> None:
    """The diff, its receipt and what the run cost; an unverified one is headed so."""
    target = console()
    if refinement.receipt.evidence is Evidence.NONE:
        target.print(refinement.message, style="bold red")
        target.print()
        target.file.flush()  # the diff goes past the console
    show_diff(target, refinement.diff)
    target.print()
    show_receipt(target, refinement.receipt)
    target.print(_cost(refinement), style="dim")
    target.file.flush()  # what is told after it comes after it


def show_nothing(refinement: Refinement) -> None:
    """Why there is no proposal, and how each candidate fared."""
    target = console()
    target.print(refinement.message)
    for step in refinement.history.steps[1:]:
        target.print(f"  {step.candidate.iteration}. {step.candidate.origin}: {_fate(step)}")
        if step.verdict.failure is not None:
            _show_counterexample(target, step.verdict.failure)
    target.print(_cost(refinement), style="dim")


def show_diff(target: Console, diff: str) -> None:
    """A unified diff: coloured on a terminal, untouched in a pipe."""
    if not target.is_terminal:
        sys.stdout.write(diff if diff.endswith("\n") else diff + "\n")
        return
    from rich.syntax import Syntax

    target.print(Syntax(diff.rstrip("\n"), "diff", theme="ansi_dark", background_color="default"))


def show_receipt(target: Console, receipt: Receipt) -> None:
    """Each check with its outcome, then speed, memory, growth, metrics and how strong the evidence is."""
    from rich.text import Text

    width = max((len(check.name) for check in receipt.checks), default=0)
    for check in receipt.checks:
        status = (f"{check.status:<8}", _STATUS_STYLES[check.status])
        target.print(Text.assemble("  ", status, f" {check.name:<{width}}  {check.detail}"))
        _show_counterexample(target, check)
    target.print()
    if receipt.timing is not None:
        target.print(f"  speed     {timing_line(receipt.timing)}")
        for title, told in timing_details(receipt.timing):
            target.print(f"  {title:<8}  {told}")
    for line in metric_lines(receipt):
        target.print(f"  {line}")
    target.print(f"  confined  {', '.join(receipt.protection) or 'by limits only'}")
    target.print(Text.assemble("  evidence  ", (str(receipt.evidence), _EVIDENCE_STYLES[receipt.evidence])))


def timing_line(timing: Timing) -> str:
    """``faster: 1.84× as fast (1.79 to 1.90 with 95% confidence, 6 workloads, CPU clock)``."""
    workloads = counted(timing.workloads, "workload")
    interval = f"{timing.low:.2f} to {timing.high:.2f} with {timing.confidence:.0%} confidence"
    return f"{timing.verdict}: {timing.ratio:.2f}× as fast ({interval}, {workloads}, {timing.clock})"


def timing_details(timing: Timing) -> Iterator[tuple[str, str]]:
    """What else was measured, each with its title."""
    if timing.resolution is not None:
        runs = f"in {timing.processes} processes" if timing.processes > 1 else "in one process"
        yield "noise", f"the old version against itself: up to {timing.resolution:.3f}×, {runs}"
    if timing.peak_bytes is not None:
        yield "memory", f"{_size(timing.peak_bytes.before)} → {_size(timing.peak_bytes.after)} at the most"
    if timing.growth is not None:
        growth = timing.growth
        sizes = f"from {growth.sizes[0]} to {growth.sizes[-1]} items"
        yield "growth", f"{_exponent(growth.before)} → {_exponent(growth.after)}, {sizes}"


def _exponent(exponent: Exponent) -> str:
    return f"n^{exponent.exponent:.1f} ({exponent.low:.1f} to {exponent.high:.1f})"


def _size(count: int) -> str:
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:.1f} {unit}"
    return f"{count} B"


def metric_lines(receipt: Receipt) -> Iterator[str]:
    """``cyclomatic_complexity  7 → 4`` for each metric that changed."""
    changed = {
        name: (receipt.metrics_before.get(name), value)
        for name, value in receipt.metrics_after.items()
        if receipt.metrics_before.get(name) != value
    }
    width = max(map(len, changed), default=0)
    for name, (before, after) in changed.items():
        yield f"{name:<{width}}  {'none' if before is None else f'{before:.4g}'} → {after:.4g}"


def _show_counterexample(target: Console, check: CheckOutcome) -> None:
    if check.counterexample is not None:
        example = check.counterexample
        target.print(f"           {example.call}")
        target.print(f"             before: {example.expected}")
        target.print(f"             after:  {example.actual}")


def _fate(step: Step) -> str:
    failure = step.verdict.failure
    if failure is not None:
        return f"rejected by {failure.name}: {failure.detail}"
    return "accepted, but not better" if step.verdict.accepted else "not proven"


def _cost(refinement: Refinement) -> str:
    candidates = len(refinement.history.steps) - 1
    parts = [counted(candidates, "candidate"), f"{refinement.usage.seconds:.0f} s"]
    if refinement.usage.requests:
        parts += [counted(refinement.usage.requests, "request"), counted(refinement.usage.tokens, "token")]
    if refinement.usage.cost:
        parts.append(f"${refinement.usage.cost:.4f}")
    return f"{', '.join(parts)}. {refinement.stop_reason}".rstrip()
