"""Builds the receipt of a step, and the sentence that sums it up."""

from __future__ import annotations

import hashlib
import platform
from pathlib import Path

from burnish.engine.history import Step
from burnish.engine.refinement import Receipt
from burnish_analyzers.checks.baseline import Baseline
from burnish_analyzers.checks.outcome import Evidence, Status, Verdict
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.process import protections
from burnish_analyzers.harness.workbench import Workbench


def receipt_of(bench: Workbench, baseline: Baseline, step: Step) -> Receipt:
    """The evidence for one step, bound to everything that it was gathered from."""
    verdict = step.verdict
    return Receipt(
        evidence=verdict.evidence,
        checks=verdict.checks,
        timing=verdict.timing,
        metrics_before=verdict.metrics_before or {},
        metrics_after=verdict.metrics_after or {},
        hashes={
            "unit": digest(bench.unit.span.of(bench.snapshot.text)),
            "module": bench.snapshot.digest,
            "candidate": digest(step.candidate.unit_text, *step.candidate.imports),
            "tests": tests_digest(bench.project.root, baseline),
            "interpreter": interpreter_digest(bench),
        },
        protection=protections(),
    )


def digest(*parts: str) -> str:
    """SHA-256 of texts, each ended by a NUL."""
    return hashlib.sha256("".join(part + "\0" for part in parts).encode()).hexdigest()


def tests_digest(root: Path, baseline: Baseline) -> str:
    """Of the ids of the tests that counted, their files, and the example inputs."""
    names = sorted({identifier.partition("::")[0] for identifier in baseline.select})
    files = [root / name for name in names] + [example.path for example in baseline.examples]
    contents = [file.read_bytes().hex() for file in files if file.is_file()]
    return digest(*baseline.select, *contents)


def interpreter_digest(bench: Workbench) -> str:
    """Of the interpreter's path and version, and the platform."""
    interpreter = bench.project.interpreter
    version = ".".join(map(str, interpreter.version))
    return digest(str(interpreter.path), version, platform.platform())


def proposal_message(verdict: Verdict, goal: Goal) -> str:
    """What an accepted candidate gains and how it was proved, in one line."""
    parts = []
    timing, before, after = verdict.timing, verdict.metrics_before, verdict.metrics_after
    if timing and (goal is Goal.PERFORMANCE or timing.verdict == "faster"):
        parts.append(f"{timing.ratio:.2f}× as fast ({timing.low:.2f} to {timing.high:.2f})")
    if goal is Goal.READABILITY and before and after:
        parts.append(f"readability {before['readability']:.0f} → {after['readability']:.0f}")
    if verdict.evidence is Evidence.NONE:
        gain = f"{', '.join(parts)}; " if parts else ""
        return f"UNVERIFIED: {gain}no test and no recorded call checks that it does the same; evidence none."
    passed = [check.name for check in verdict.checks if check.status is Status.PASSED]
    behaviour = [name for name in ("tests", "examples", "equivalence") if name in passed]
    proof = f"proved by {' and '.join(behaviour)}"
    return f"{', '.join([*parts, proof])}; evidence {verdict.evidence}."
