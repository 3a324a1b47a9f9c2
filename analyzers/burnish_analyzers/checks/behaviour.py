"""Checks that run the project: its tests and its examples."""

from __future__ import annotations

from pathlib import Path

from burnish_analyzers.checks.baseline import Baseline, Example, allowed_seconds
from burnish_analyzers.checks.outcome import CheckOutcome, Counterexample, Status
from burnish_analyzers.checks.subject import Answer, Subject, answer
from burnish_analyzers.errors import JobError
from burnish_analyzers.wording import counted


def check_tests(subject: Subject) -> Answer:
    """Every test that reaches the unit and passed before still passes, and the one that must fail fails."""
    baseline = subject.baseline
    select = baseline.select
    if not select:
        return answer("tests", Status.SKIPPED, "No test reaches it.")
    try:
        suite = subject.bench.tests(
            subject.version, select=select, seconds=baseline.allowed_seconds, fail_fast=True, decoy=baseline.decoy
        )
    except JobError as error:
        return answer("tests", Status.FAILED, f"The tests do not end as before. {error}")
    outcomes = {test.identifier: test for test in suite.tests}
    for identifier in select:
        test = outcomes.get(identifier)
        if test is not None and test.outcome != "passed":
            return Answer(
                outcome=CheckOutcome(
                    name="tests",
                    status=Status.FAILED,
                    detail=f"{identifier} {test.outcome}.",
                    counterexample=Counterexample(
                        call=identifier, expected="passed", actual=f"{test.outcome}: {test.message}"
                    ),
                )
            )
    missing = [identifier for identifier in select if identifier not in outcomes]
    if missing:
        why = suite.problem or "they did not run"
        return answer(
            "tests", Status.FAILED, f"{len(missing)} of {counted(len(select), 'test')} gave no answer: {why}."
        )
    if suite.decoy is not None and suite.decoy != "failed":
        return answer("tests", Status.FAILED, "After it ran, a test that must fail passed: it meddles with the tests.")
    return answer("tests", Status.PASSED, f"{passing(len(select))}{left_out(baseline)}.")


def left_out(baseline: Baseline) -> str:
    """What the tests that count leave out, in words."""
    flaky = ""
    if baseline.flaky:
        shown = ", ".join(baseline.flaky[:3]) + (" and more" if len(baseline.flaky) > 3 else "")
        flaky = f"; {counted(len(baseline.flaky), 'test')} set aside for not doing the same each time: {shown}"
    return flaky + (" (time ran out before the whole suite was seen)" if baseline.partial else "")


def passing(tests: int) -> str:
    """That all of so many tests pass."""
    return "The one test that reaches it passes" if tests == 1 else f"All {tests} tests that reach it pass"


def every(number: int, noun: str) -> str:
    """``the one call``, ``all 2 calls``."""
    return f"the one {noun}" if number == 1 else f"all {counted(number, noun)}"


def check_examples(subject: Subject) -> Answer:
    """The changed script prints the same on every example input, and ends the same way."""
    examples = subject.baseline.examples
    if not examples:
        return answer("examples", Status.SKIPPED, "No example inputs are set.")
    for example in examples:
        seconds = allowed_seconds(example.cpu_seconds)
        finished = subject.bench.script(subject.changed.text, example.path, seconds=seconds)
        if (finished.reason, finished.exit_code, finished.stdout) != ("exited", example.exit_code, example.stdout):
            actual = (
                first_difference(finished.stdout, example.stdout)
                if finished.reason == "exited" and finished.exit_code == example.exit_code
                else finished.account
            )
            return Answer(
                outcome=CheckOutcome(
                    name="examples",
                    status=Status.FAILED,
                    detail=f"It differs on {example.path.name}.",
                    counterexample=Counterexample(
                        call=f"the script on {example.path.name}",
                        expected=first_difference(example.stdout, finished.stdout),
                        actual=actual,
                    ),
                )
            )
    return answer("examples", Status.PASSED, f"The output is equal on {every(len(examples), 'example input')}.")


def first_difference(output: bytes, other: bytes) -> str:
    """The first line of one output that the other has not at its place."""
    lines, others = output.splitlines(), other.splitlines()
    for number, line in enumerate(lines):
        if number >= len(others) or others[number] != line:
            return f"line {number + 1}: {line.decode('utf-8', 'replace')[:200]}"
    return f"{len(lines)} lines" if len(lines) != len(others) else "another end of the last line"


def heaviest(examples: tuple[Example, ...], most: int) -> list[Path]:
    """The inputs on which the original takes longest, dearest first."""
    ranked = sorted(examples, key=lambda example: example.cpu_seconds, reverse=True)
    return [example.path for example in ranked[:most]]
