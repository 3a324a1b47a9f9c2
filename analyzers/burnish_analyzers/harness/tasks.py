"""What a workbench is asked for, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from burnish_analyzers.errors import JobError

Answer = list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class TestOutcome:
    """One test of the project: what it said, whether it ran the unit, and whether it started another process."""

    identifier: str
    outcome: str
    message: str
    reached: bool
    spawned: bool


@dataclass(frozen=True, kw_only=True)
class SuiteRun:
    """One run of the project's tests.

    `truncated`: time ran out before all had run. `problem`: why some or all did not run, or "". `decoy`: what the test
    that had to fail said, None where there was none to run.
    """

    tests: tuple[TestOutcome, ...]
    collected: int
    truncated: bool
    problem: str
    seconds: float
    decoy: str | None = None


@dataclass(frozen=True, kw_only=True)
class Version:
    """A whole text of the module, and the statements that it imports at its top beyond the original's."""

    text: str
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Decoy:
    """A test, by id, and a text on which it fails: if it passes there, the run is not to be believed."""

    test: str
    text: str


@dataclass(frozen=True, kw_only=True)
class CallSource:
    """Where calls of the unit come from.

    `select`: tests that make some. `open_parameters`: names of parameters of which the text leaves open their type, and
    the type of their items. `steps` add calls to those of the tests, one after the other: {"expressions": [...]}, as
    `checks/generation` draws them, or {"simpler": index}, calls like one but simpler.
    """

    select: tuple[str, ...]
    open_parameters: tuple[Sequence[str], Sequence[str]]
    steps: tuple[dict[str, Any], ...] = ()


def suite_run(answer: Answer, ended: str, collected: int, seconds: float) -> SuiteRun:
    """What a run of tests came to. Raises JobError where it was cut short, and names the test that ran then."""
    done = next((document for document in answer if "done" in document), None)
    if done is None:
        running = next((document["began"] for document in reversed(answer) if "began" in document), "")
        where = f" in {running}" if running else ""
        raise JobError(f"The run of the tests gave no result: {ended or 'it ended early'}{where}.")
    decoys = [document["decoy"] for document in answer if "decoy" in document]
    return SuiteRun(
        tests=tuple(
            TestOutcome(
                identifier=document["test"],
                outcome=document["outcome"],
                message=document["message"],
                reached=document["reached"],
                spawned=document["spawned"],
            )
            for document in answer
            if "test" in document
        ),
        collected=collected,
        truncated=done["truncated"],
        problem=done["problem"],
        seconds=seconds,
        decoy=next((document["outcome"] for document in decoys if "test" in document), "" if decoys else None),
    )
