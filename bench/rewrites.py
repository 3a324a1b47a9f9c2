"""Judges a corpus of rewrites of real functions, wrong and honest ones, by equivalence alone and by all checks.

    python bench/rewrites.py FOLDER ... [--only TEXT] [--json FILE] [--others PYTHON]

FOLDER is an unpacked source distribution with a `.venv` that holds what its tests need; its name says which file of
`bench/rewrites/` belongs to it. In that file each line is one rewrite: `edits` replace lines of the unit, counted from
its first. "Equivalence alone" sees none of the package's tests; the unit's own doctests are among its sources of calls.
"With tests" are all checks of behaviour, as `burnish verify` does them, but the timing.

`--others` runs the same rewrites through CrossHair's diffbehavior and the Hypothesis ghostwriter: PYTHON belongs to an
environment that has `crosshair-tool`, `hypothesis[ghostwriter]`, `pytest` and the packages themselves.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import other_tools

from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks import baseline as baselines
from burnish_analyzers.checks.definition import open_parameters
from burnish_analyzers.checks.judge import ProjectJudge
from burnish_analyzers.checks.outcome import Status
from burnish_analyzers.checks.recording import Recording, compare, record
from burnish_analyzers.checks.subject import Subject
from burnish_analyzers.errors import BurnishError, JobError
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.process import Limits
from burnish_analyzers.harness.project import Project, find_interpreter
from burnish_analyzers.harness.tasks import CallSource
from burnish_analyzers.harness.workbench import Workbench
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit, find_unit

CORPUS = Path(__file__).with_name("rewrites")
SECONDS = 120.0


@dataclass(frozen=True, kw_only=True)
class Row:
    """What came of one rewrite. `alone` and `with_tests` say by what it was rejected, "" if it was not."""

    package: str
    unit: str
    kind: str
    wrong: bool
    by: str
    why: str
    alone: str
    with_tests: str
    crosshair: str
    ghostwriter: str


def main() -> None:
    """Judge and print."""
    arguments = parsed()
    rows: list[Row] = []
    began = time.monotonic()
    for folder in arguments.folders:
        for row in judged(folder.resolve(), arguments.only, arguments.others):
            rows.append(row)
            if row.wrong != bool(row.alone) or row.wrong != bool(row.with_tests):
                print(line(row), flush=True)
    print(f"\n{len(rows)} rewrites of {len({(row.package, row.unit) for row in rows})} functions, ", end="")
    print(f"{len({row.kind for row in rows if row.wrong})} kinds of fault, {time.monotonic() - began:.0f} s")
    for name in ("alone", "with_tests", *(("crosshair", "ghostwriter") if arguments.others else ())):
        for wrong in (True, False):
            some = [row for row in rows if row.wrong == wrong]
            rejected = sum(bool(getattr(row, name)) for row in some)
            what = "wrong" if wrong else "honest"
            print(f"{name:12} {what:6} rejected {rejected:3} of {len(some):3} ({rejected / max(1, len(some)):.1%})")
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--only", default="", help="units whose path and name hold this text")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--others", metavar="PYTHON", help="also CrossHair and the ghostwriter, with this interpreter")
    return parser.parse_args()


def line(row: Row) -> str:
    """One rewrite on which the answer was wrong."""
    truth = f"wrong ({row.kind}, {row.by})" if row.wrong else "honest"
    said = f"alone: {row.alone or 'accepted'}; with tests: {row.with_tests or 'accepted'}"
    return f"{row.package} {row.unit}: {truth}: {row.why}\n    {said}"


def judged(folder: Path, only: str, others: str | None) -> Iterator[Row]:
    """Every rewrite of one package."""
    corpus = defaultdict(list)
    for text in (CORPUS / f"{folder.name}.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(text)
        if only in entry["unit"]:
            corpus[entry["unit"]].append(entry)
    project = Project(root=folder, interpreter=find_interpreter(folder, "", os.environ))
    for name, entries in corpus.items():
        path, _, qualname = name.partition("::")
        snapshot = Snapshot.read(folder / path)
        unit = find_unit(snapshot, qualname)
        candidates = [candidate(snapshot, unit, entry) for entry in entries]
        with Workbench(project, snapshot, unit, limits=Limits(), cancelled=lambda: False) as bench:
            alone = by_equivalence(bench, candidates)
        with Workbench(project, snapshot, unit, limits=Limits(), cancelled=lambda: False) as bench:
            with_tests = by_all_checks(bench, candidates)
        for entry, one, two, given in zip(entries, alone, with_tests, candidates, strict=True):
            found = other_tools.judged(others, folder, snapshot, unit, given) if others else ("", "")
            yield Row(
                package=folder.name,
                unit=name,
                kind=entry["kind"],
                wrong=entry["wrong"],
                by=entry["by"],
                why=entry["why"],
                alone=one,
                with_tests=two,
                crosshair=found[0],
                ghostwriter=found[1],
            )


def candidate(snapshot: Snapshot, unit: Unit, entry: dict[str, Any]) -> Candidate:
    """The unit with its lines replaced."""
    lines = unit.span.of(snapshot.text).split("\n")
    for first, last, text in sorted(entry["edits"], reverse=True):
        lines[first - 1 : last] = text.rstrip("\n").split("\n") if text else []
    imports = tuple(entry.get("imports", ()))
    return Candidate(iteration=1, origin="given", unit_text="\n".join(lines), imports=imports)


def by_equivalence(bench: Workbench, candidates: Sequence[Candidate]) -> list[str]:
    """What equivalence on generated calls alone says, the doctests of the module among the sources of calls."""
    bench.files = ()
    doctests = [
        test.identifier
        for test in bench.tests(None, select=None, seconds=SECONDS, fail_fast=False).tests
        if test.reached and test.outcome == "passed"
    ]
    source = CallSource(select=tuple(doctests), open_parameters=open_parameters(bench.snapshot, bench.unit))
    recording = record(bench, source, (), SECONDS)
    return [compared(bench, recording, given) for given in candidates]


def compared(bench: Workbench, recording: Recording, given: Candidate) -> str:
    """How one candidate differs, or ""."""
    subject = Subject(bench=bench, goal=Goal.READABILITY, baseline=baselines.Baseline(), candidate=given)
    try:
        found = compare(bench, recording, subject.version, SECONDS)
    except JobError as error:
        return str(error)
    example = found.counterexample
    return f"{example.call}: {example.expected} != {example.actual}" if example else ""


def by_all_checks(bench: Workbench, candidates: Sequence[Candidate]) -> list[str]:
    """The first check of behaviour that fails, for each candidate."""
    try:
        baseline = baselines.take(bench, None, SECONDS, lambda step, detail: None)
    except BurnishError as error:
        return [f"no baseline: {error}" for _ in candidates]
    judge = ProjectJudge(
        bench, baseline, Goal.READABILITY, allow_unverified=True, say=lambda step, detail: None, check_goal=False
    )
    return [first_failure(judge, bench, baseline, given) for given in candidates]


def first_failure(judge: ProjectJudge, bench: Workbench, baseline: baselines.Baseline, given: Candidate) -> str:
    """Why one candidate is rejected, or ""."""
    subject = Subject(bench=bench, goal=Goal.READABILITY, baseline=baseline, candidate=given)
    for answer in judge.answers(subject):
        outcome = answer.outcome
        if outcome.status in (Status.FAILED, Status.ERRORED):
            return f"{outcome.name}: {outcome.detail} {outcome.counterexample or ''}"
        if outcome.name == "equivalence":
            return ""
    return ""


if __name__ == "__main__":
    main()
