"""Measures what a verdict costs in a warm workbench, beside the tests themselves and beside cold pytest.

    python bench/warm.py FILE::QUALNAME ... [--rounds 5] [--json FILE]

Each FILE lies in an unpacked source distribution with a `.venv` that holds what its tests need. For each unit, on the
tests that reach it, medians of `--rounds` runs, taken in turns:

T        seconds that pytest itself counts for these tests (set-up, call and tear-down) once all is imported
warm     the check "tests" of one honest candidate in a warm workbench
verdict  the same with all cheaper checks and equivalence, without timing
cold     pytest on the same selection as a new process
alone    the check "tests" where nothing is kept warm: a process of its own for each question

The aim is warm <= 1.25 T + 0.3 s.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks import baseline as baselines
from burnish_analyzers.checks.baseline import Baseline
from burnish_analyzers.checks.behaviour import check_tests
from burnish_analyzers.checks.definition import functions
from burnish_analyzers.checks.judge import ProjectJudge
from burnish_analyzers.checks.outcome import Status
from burnish_analyzers.checks.selection import DOCTEST, files_of
from burnish_analyzers.checks.subject import Subject
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.process import Limits
from burnish_analyzers.harness.project import Project, find_interpreter, find_root
from burnish_analyzers.harness.workbench import Workbench
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit

SUITE_SECONDS = 300.0
SHARE, SPARE_SECONDS = 1.25, 0.3


def main() -> None:
    """Measure and print."""
    arguments = parsed()
    rows = []
    print(f"{'unit':28} tests       T    warm   bound  ratio verdict   cold  alone")
    for target in arguments.targets:
        row = measured(target, arguments.rounds)
        rows.append(row)
        print(line(row), flush=True)
    over = [row for row in rows if row["warm"] > bound(row)]
    print(f"{len(rows) - len(over)} of {len(rows)} units within {SHARE} T + {SPARE_SECONDS} s")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="+", metavar="FILE::QUALNAME")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def measured(target: str, rounds: int) -> dict[str, Any]:
    """One row of the table; seconds."""
    with opened(target, warm=True) as (bench, baseline), opened(target, warm=False, known=baseline) as (alone, _):
        subjects = [
            Subject(bench=each, goal=Goal.READABILITY, baseline=baseline, candidate=honest(each))
            for each in (bench, alone)
        ]
        select = [test for test in baseline.select if not test.startswith(DOCTEST)]
        ways: dict[str, Callable[[], float]] = {
            "T": lambda: pytest_seconds(bench, select)[0],
            "cold": lambda: pytest_seconds(bench, select)[1],
            "warm": lambda: checked(subjects[0]),
            "alone": lambda: checked(subjects[1]),
            "verdict": lambda: judged(subjects[0]),
        }
        seconds: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                seconds[name].append(way())
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    return {"unit": target, "tests": len(baseline.select), **medians, "all": seconds}


@contextlib.contextmanager
def opened(target: str, *, warm: bool, known: Baseline | None = None) -> Iterator[tuple[Workbench, Baseline]]:
    """A workbench for a unit with its baseline."""
    file, _, qualname = target.partition("::")
    path = Path(file).resolve()
    snapshot = Snapshot.read(path)
    root = find_root(path)
    project = Project(root=root, interpreter=find_interpreter(root, None, os.environ))
    unit = find_unit(snapshot, qualname)
    with Workbench(project, snapshot, unit, limits=Limits(), cancelled=lambda: False, warm=warm) as bench:
        if known:
            bench.files = files_of(known.select)
        yield bench, known or baselines.take(bench, None, SUITE_SECONDS, lambda *_: None)


def honest(bench: Workbench) -> Candidate:
    """A rewrite that does the same: the unit with a `pass` after its last line."""
    text = bench.unit.span.of(bench.snapshot.text)
    last = functions(bench.snapshot, bench.unit)[-1]  # a class ends with a method
    start = last.body_span.start
    indent = bench.snapshot.text[bench.snapshot.text.rindex("\n", 0, start) + 1 : start]
    return Candidate(iteration=1, origin="bench", unit_text=f"{text}{bench.snapshot.newline}{indent}pass")


def checked(subject: Subject) -> float:
    """Seconds of the check "tests"."""
    began = time.perf_counter()
    outcome = check_tests(subject).outcome
    seconds = time.perf_counter() - began
    if outcome.status is not Status.PASSED:
        raise SystemExit(f"{subject.unit.qualname}: the honest candidate is refused: {outcome.detail}")
    return seconds


def judged(subject: Subject) -> float:
    """Seconds of all checks but timing."""
    judge = ProjectJudge(
        subject.bench, subject.baseline, subject.goal, allow_unverified=False, say=lambda *_: None, check_goal=False
    )
    began = time.perf_counter()
    for answer in judge.answers(subject):
        if answer.outcome.status in (Status.FAILED, Status.ERRORED):
            raise SystemExit(f"{subject.unit.qualname}: the honest candidate is refused: {answer.outcome.detail}")
        if answer.outcome.name == "equivalence":
            break
    return time.perf_counter() - began


def pytest_seconds(bench: Workbench, select: list[str]) -> tuple[float, float]:
    """Seconds that pytest counts for tests, and those that its process takes, on the untouched package."""
    root = bench.project.root
    with tempfile.TemporaryDirectory() as place:
        report, names = Path(place) / "report.xml", Path(place) / "names"
        names.write_text("\n".join(select))
        began = time.perf_counter()
        subprocess.run(
            [
                *(bench.project.interpreter.path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", root),
                *("-o", "junit_duration_report=total", f"--junitxml={report}", f"@{names}"),
            ],
            cwd=root,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        whole = time.perf_counter() - began
        cases = ElementTree.parse(report).iter("testcase")
        return sum(float(case.attrib["time"]) for case in cases), whole


def bound(row: dict[str, Any]) -> float:
    """What the check "tests" may take."""
    return float(SHARE * row["T"] + SPARE_SECONDS)


def line(row: dict[str, Any]) -> str:
    """One row of the table: how many times the bound is used, and how many times slower the others are than warm."""
    warm = row["warm"]
    name = row["unit"].rpartition("/")[2]
    return (
        f"{name:28} {row['tests']:5} {row['T']:6.3f}s {warm:6.3f}s {bound(row):6.3f}s {warm / bound(row):6.2f} "
        f"{row['verdict']:7.3f}s {row['cold'] / warm:5.1f}x {row['alone'] / warm:5.1f}x"
    )


if __name__ == "__main__":
    main()
