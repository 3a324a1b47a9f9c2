"""Refines functions of a real package with its own tests, and says what came of each.

    python bench/packages.py FOLDER [--least 10] [--modules GLOB ...] [--json FILE]

FOLDER is an unpacked source distribution with a `.venv` that holds what its tests need. For each goal at least
`--least` functions are refined: first those in which the embedded rules see something, then others, in source order.
The files of the package are compared before and after. Every proposal is then put into a copy of the package, where
the package's whole suite is run beside the suite of the untouched copy.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from burnish.backends.rules.backend import RulesBackend
from burnish.engine.history import History, Step
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.outcome import Evidence, Verdict
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit, UnitKind, units

SKIPPED_FOLDERS = {".venv", "tests", "test", "docs", "examples"}


def main() -> None:
    """Refine, compare, run the suites and print."""
    arguments = parsed()
    folder: Path = arguments.folder.resolve()
    before = fingerprint(folder)
    rows = []
    for goal in Goal:
        for path, unit in chosen(folder, arguments.modules, goal, arguments.least):
            row = refine(path, unit, goal)
            rows.append(row)
            print(line(row), flush=True)
    unchanged = fingerprint(folder) == before
    print(f"\n{folder.name}: {len(rows)} refinements; files of the package changed: {'none' if unchanged else 'SOME'}")
    proposals = [row for row in rows if row["status"] == "proposal"]
    if proposals:
        print(f"{len(proposals)} proposals; the whole suite on the untouched copy: {suite(folder, None)}")
    for row in proposals:
        row["whole_suite"] = suite(folder, row)
        print(f"  {row['unit']} ({row['goal']}): {row['whole_suite']}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--least", type=int, default=10)
    parser.add_argument("--modules", nargs="*", default=["**/*.py"])
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def chosen(folder: Path, globs: list[str], goal: Goal, least: int) -> Iterator[tuple[Path, Unit]]:
    """Every function in which the rules see something for this goal, and others until there are `least`."""
    promising, others = [], []
    for path in sorted({path for glob in globs for path in folder.glob(glob)}):
        if SKIPPED_FOLDERS & set(path.relative_to(folder).parts):
            continue
        snapshot = Snapshot.read(path)
        for unit in units(snapshot):
            if unit.kind is UnitKind.CLASS or unit.is_overload or unit.name.startswith("_"):
                continue
            (promising if candidate(snapshot, unit, goal) else others).append((path, unit))
    yield from promising[: 2 * least]
    yield from others[: max(0, least - len(promising))]


def candidate(snapshot: Snapshot, unit: Unit, goal: Goal) -> Candidate | None:
    """The rules' first candidate."""
    original = Candidate(iteration=0, origin="original", unit_text=unit.span.of(snapshot.text))
    verdict = Verdict(accepted=True, checks=(), score=0.0, evidence=Evidence.NONE)
    history = History(steps=(Step(candidate=original, verdict=verdict),))
    return RulesBackend(goal=goal, unit=unit, module_text=snapshot.text).edit(history)


def refine(path: Path, unit: Unit, goal: Goal) -> dict[str, Any]:
    """One `burnish refine`, as a user runs it."""
    began = time.monotonic()
    command = [sys.executable, "-m", "burnish", "refine", f"{path}::{unit.qualname}", "--goal", goal, "--json"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    document = json.loads(finished.stdout)
    checks = {check["name"]: check["detail"] for check in document["receipt"]["checks"]}
    return {
        "path": str(path),
        "unit": unit.qualname,
        "goal": str(goal),
        "exit_code": finished.returncode,
        "status": document["status"],
        "message": document["message"],
        "evidence": document["receipt"]["evidence"],
        "candidates": document["candidates"],
        "tests": checks.get("tests", ""),
        "equivalence": checks.get("equivalence", ""),
        "new_text": document["new_text"],
        "diff": document["diff"],
        "seconds": time.monotonic() - began,
    }


def line(row: dict[str, Any]) -> str:
    """One row of the table."""
    head = f"{row['status']:8} {row['goal']:11} {row['unit']:32} {row['seconds']:4.0f} s"
    return f"{head} {row['candidates']} tried  {row['message'][:150]}"


def fingerprint(folder: Path) -> str:
    """A digest of every file of the package, its environment left out."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and ".venv" not in path.relative_to(folder).parts:
            digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


def suite(folder: Path, row: dict[str, Any] | None) -> str:
    """The last line of the package's own suite, run on a copy that holds one proposal."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / folder.name
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".venv", "__pycache__"))
        if row:
            (copy / Path(row["path"]).relative_to(folder)).write_text(row["new_text"])
        python = folder / ".venv/bin/python"
        finished = subprocess.run(
            [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
            cwd=copy,
            capture_output=True,
            text=True,
            check=False,
        )
    return (finished.stdout.strip().splitlines() or ["no output"])[-1]


if __name__ == "__main__":
    main()
