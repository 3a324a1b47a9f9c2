"""Checks that run the project: its tests, its examples, and replays of the calls that they make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from burnish_analyzers.checks.baseline import Example
from burnish_analyzers.checks.canary import mutants
from burnish_analyzers.checks.definition import open_parameters
from burnish_analyzers.checks.outcome import CheckOutcome, Counterexample, Status
from burnish_analyzers.checks.subject import Answer, Subject, answer
from burnish_analyzers.errors import JobError
from burnish_analyzers.wording import counted

SECONDS_FACTOR = 10.0
LEAST_SECONDS = 20.0


def check_tests(subject: Subject) -> Answer:
    """Every test that reaches the unit and passed before still passes."""
    select = subject.baseline.select
    if not select:
        return answer("tests", Status.SKIPPED, "No test reaches it.")
    try:
        suite = subject.bench.tests(subject.changed.text, select=select, seconds=seconds_for(subject), fail_fast=True)
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
    partial = " (time ran out before the whole suite was seen)" if subject.baseline.partial else ""
    return answer("tests", Status.PASSED, f"{passing(len(select))}{partial}.")


def passing(tests: int) -> str:
    """That all of so many tests pass."""
    return "The one test that reaches it passes" if tests == 1 else f"All {tests} tests that reach it pass"


def every(number: int, noun: str) -> str:
    """``the one call``, ``all 2 calls``."""
    return f"the one {noun}" if number == 1 else f"all {counted(number, noun)}"


def seconds_for(subject: Subject) -> float:
    """How long the selected tests may take on a candidate: the whole suite's time many times over."""
    return max(LEAST_SECONDS, SECONDS_FACTOR * subject.baseline.suite_seconds)


def check_examples(subject: Subject) -> Answer:
    """The changed script prints the same on every example input, and ends the same way."""
    examples = subject.baseline.examples
    if not examples:
        return answer("examples", Status.SKIPPED, "No example inputs are set.")
    for example in examples:
        seconds = max(LEAST_SECONDS, SECONDS_FACTOR * example.cpu_seconds)
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


def check_equivalence(subject: Subject) -> Answer:
    """The candidate does what the original did on every recorded call and on variations of them."""
    name = "equivalence"
    if not subject.baseline.select:
        return answer(name, Status.SKIPPED, "No test makes a call that could be recorded.")
    try:
        found = subject.bench.replay(
            subject.version,
            select=subject.baseline.select,
            mutants=mutants(subject.original, subject.unit),
            open_parameters=open_parameters(subject.original, subject.unit),
            seconds=seconds_for(subject),
        )
    except JobError as error:
        return answer(name, Status.FAILED, f"The replay does not end. {error}")
    if found["difference"]:
        example = Counterexample(**found["difference"])
        outcome = CheckOutcome(
            name=name, status=Status.FAILED, detail="It differs from the original on a call.", counterexample=example
        )
        return Answer(outcome=outcome, mutants=found["mutants"], caught=found["caught"])
    compared = found["replayed"] + found["generated"]
    if not found["replayed"]:
        return answer(name, Status.SKIPPED, f"No call could be replayed: {why_none(found)}.")
    blind = found["mutants"] and not found["caught"]
    return Answer(
        outcome=CheckOutcome(
            name=name,
            status=Status.SKIPPED if blind else Status.PASSED,
            detail="Its calls tell no deliberately broken version apart, so they prove nothing."
            if blind
            else replay_detail(found),
        ),
        compared_calls=compared,
        mutants=found["mutants"],
        caught=found["caught"],
    )


def why_none(found: dict[str, Any]) -> str:
    """Why a replay compared nothing."""
    if found["problem"]:
        return str(found["problem"])
    if found["seen"] and not found["kept"]:
        return f"the arguments of its {counted(found['seen'], 'call')} cannot be copied"
    if found["unsteady"]:
        return "the original itself does not do the same twice"
    return "the tests made no call of it in this process" if not found["seen"] else "what it gives cannot be compared"


def replay_detail(found: dict[str, Any]) -> str:
    """What a passed replay covered, and what it left out."""
    parts = [
        f"Equal on {counted(found['replayed'], 'recorded call')} and {counted(found['generated'], 'variation')} of them"
    ]
    if found["mutants"]:
        parts.append(f"they tell {found['caught']} of {counted(found['mutants'], 'deliberately broken version')} apart")
    for key, why in (
        ("uncopyable", "could not be copied"),
        ("unsteady", "did not do the same twice on the original"),
        ("incomparable", "gave what cannot be compared"),
        ("unfinished", "did not end in time"),
    ):
        if found[key]:
            parts.append(f"{counted(found[key], 'call')} {why}")
    return "; ".join(parts) + "."


def heaviest(examples: tuple[Example, ...], most: int) -> list[Path]:
    """The inputs on which the original takes longest, dearest first."""
    ranked = sorted(examples, key=lambda example: example.cpu_seconds, reverse=True)
    return [example.path for example in ranked[:most]]
