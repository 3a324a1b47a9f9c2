"""Builds the receipt of a step, and the sentence that sums it up."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from burnish import __version__
from burnish.engine.history import Step
from burnish.engine.refinement import Claim, Made, Receipt
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.baseline import Baseline, expected_path
from burnish_analyzers.checks.outcome import Evidence, Status, Verdict
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.process import protections
from burnish_analyzers.harness.project import Interpreter
from burnish_analyzers.harness.workbench import Workbench
from burnish_analyzers.source.edits import replace_unit


def receipt_of(bench: Workbench, baseline: Baseline, step: Step, *, goal: Goal | None, examples: str | None) -> Receipt:
    """The evidence for one step, bound to everything that it was gathered from.

    `goal` is None where nothing had to be better; `examples` is the setting of that name.
    """
    verdict, candidate = step.verdict, step.candidate
    root, interpreter = bench.project.root, bench.project.interpreter
    tests = test_files(root, baseline)
    claim = Claim(
        path=bench.relative.as_posix(),
        qualname=bench.unit.qualname,
        occurrence=bench.unit.occurrence,
        goal=goal,
        original=bench.unit.span.of(bench.snapshot.text),
        candidate=candidate.unit_text,
        imports=candidate.imports,
        examples=inside(root, root / examples) if examples else None,
    )
    return Receipt(
        claim=claim,
        made=Made(
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            burnish=__version__,
            python=version_of(interpreter),
            platform=platform.platform(),
        ),
        evidence=verdict.evidence,
        checks=verdict.checks,
        timing=verdict.timing,
        metrics_before=verdict.metrics_before or {},
        metrics_after=verdict.metrics_after or {},
        hashes={
            "unit": digest(claim.original),
            "candidate": digest(claim.candidate, *claim.imports),
            "module": digest(bench.snapshot.text),
            "changed_module": digest(changed_module(bench, candidate)),
            "tests": digest(*baseline.select, *tests, *tests.values()),
            "interpreter": interpreter_digest(interpreter),
            "platform": digest(platform.platform()),
        },
        test_files=tests,
        protection=protections(),
    )


def digest(*parts: str) -> str:
    """SHA-256 of texts, each ended by a NUL."""
    return hashlib.sha256("".join(part + "\0" for part in parts).encode()).hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes; "" where there is none to read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def changed_module(bench: Workbench, candidate: Candidate) -> str:
    """The module once the candidate is in it."""
    return replace_unit(bench.snapshot, bench.unit, candidate.unit_text, candidate.imports)


def version_of(interpreter: Interpreter) -> str:
    """``3.11.2``."""
    return ".".join(map(str, interpreter.version))


def interpreter_digest(interpreter: Interpreter) -> str:
    """Of the interpreter's version and program, wherever it lies."""
    return digest(version_of(interpreter), file_digest(interpreter.path))


def test_files(root: Path, baseline: Baseline) -> dict[str, str]:
    """Digests of the project's files that the selected tests, their fixtures and the example inputs are in, by path."""
    tests = {file for identifier in baseline.select if (file := test_file(root, identifier))}
    files = {*tests, *conftests(root, tests)}
    for example in baseline.examples:
        files |= {example.path, expected_path(example.path)}
    named = {inside(root, file): file for file in files if file.is_file()}
    return {name: file_digest(named[name]) for name in sorted(filter(None, named))}


def test_file(root: Path, identifier: str) -> Path | None:
    """The file of a test: of pytest's ``path::name``, or of unittest's ``package.module.Class.name``."""
    if "::" in identifier:
        return root / identifier.partition("::")[0]
    parts = identifier.split(".")
    for folder in (root, root / "test", root / "tests"):
        for length in range(len(parts), 0, -1):
            path = folder.joinpath(*parts[:length]).with_suffix(".py")
            if path.is_file():
                return path
    return None  # a doctest is in the module itself


def conftests(root: Path, tests: Iterable[Path]) -> Iterator[Path]:
    """The files of fixtures that pytest reads for these test files."""
    for folder in {folder for test in tests for folder in test.parents if folder.is_relative_to(root)}:
        yield folder / "conftest.py"


def inside(root: Path, path: Path) -> str | None:
    """A path relative to the project's top; None where it leads out of it."""
    root, path = root.resolve(), path.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else None


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
