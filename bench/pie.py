"""Refines whole programs that read standard input, each beside its inputs and a known faster version.

    python bench/pie.py ../shared/data/pie-dev [--only NAME ...] [--json FILE]

Each folder holds `slow.py`, `fast.py`, `inputs/*.in` and `case.json`. `burnish refine` runs offline on a copy of
slow.py. Then slow.py, the proposal and fast.py are run here on every input: the outputs are compared, and the CPU
seconds of the whole process on the largest input are taken in turn, as the median of three. A program without a
proposal counts as 1. All ratios are against slow.py in the same run.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

REPETITIONS = 3
FASTER = 1.10
MUCH_FASTER = 2.0


@dataclass(frozen=True, kw_only=True)
class Row:
    """What came of one program. `ratio` and `known_ratio` are against slow.py; 1 where nothing was proposed."""

    name: str
    category: str
    status: str
    message: str
    candidates: int
    equal: bool
    ratio: float
    known_ratio: float
    refine_seconds: float


def main() -> None:
    """Refine each program, run all versions and print the table."""
    arguments = parsed()
    rows = []
    for folder in sorted(path.parent for path in arguments.folder.glob("*/case.json")):
        if not arguments.only or folder.name in arguments.only:
            rows.append(measured(folder))
            print(line(rows[-1]), flush=True)
    print(summary(rows))
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def measured(folder: Path) -> Row:
    """One program refined on a copy, and its versions run."""
    case = json.loads((folder / "case.json").read_text())
    inputs = sorted((folder / "inputs").glob("*.in"), key=lambda path: int(path.stem))
    with tempfile.TemporaryDirectory() as place:
        slow, new, fast = (Path(place) / name for name in ("slow.py", "new.py", "fast.py"))
        slow.write_bytes((folder / "slow.py").read_bytes())
        fast.write_bytes((folder / "fast.py").read_bytes())
        began = time.monotonic()
        command = [sys.executable, "-m", "burnish", "refine", str(slow), "--goal", "performance", "--json"]
        command += ["--examples", str(folder / "inputs"), "--interpreter", sys.executable]
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - began
        document = json.loads(finished.stdout)
        proposed = document["status"] == "proposal"
        if proposed:
            new.write_text(document["new_text"], encoding="utf-8")
        versions = [slow, new, fast] if proposed else [slow, fast]
        equal = all(len({output(version, each)[0] for version in versions[:-1]}) == 1 for each in inputs)
        cpu = cpu_seconds(versions, inputs[-1])
    return Row(
        name=folder.name,
        category=case["category"],
        status=document["status"],
        message=document["message"],
        candidates=document["candidates"],
        equal=equal,
        ratio=cpu[slow] / cpu[new] if proposed else 1.0,
        known_ratio=cpu[slow] / cpu[fast],
        refine_seconds=seconds,
    )


def output(program: Path, stdin: Path) -> tuple[bytes, float]:
    """What a program prints on one input, and the CPU seconds of its process."""
    before = os.times()
    with stdin.open("rb") as stream:
        finished = subprocess.run([sys.executable, program], stdin=stream, capture_output=True, check=False)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return finished.stdout, seconds


def cpu_seconds(programs: list[Path], stdin: Path) -> dict[Path, float]:
    """The median CPU seconds of each program, run in turn."""
    rounds = [{program: output(program, stdin)[1] for program in programs} for _ in range(REPETITIONS)]
    return {program: statistics.median(each[program] for each in rounds) for program in programs}


def line(row: Row) -> str:
    """One row of the table."""
    wrong = "" if row.equal else "  WRONG OUTPUT"
    head = f"{row.name}  {row.status:8} {row.ratio:6.2f}×  known {row.known_ratio:6.2f}×  {row.refine_seconds:4.0f} s"
    return f"{head}  {row.candidates:2} tried{wrong}  {row.category[:60]}  {row.message[:100]}"


def summary(rows: list[Row]) -> str:
    """The shares, and the geometric means."""
    count = len(rows)
    faster = sum(row.ratio >= FASTER for row in rows)
    much = sum(row.ratio >= MUCH_FASTER for row in rows)
    mean, known = (
        math.exp(statistics.fmean(math.log(value) for value in values))
        for values in ([row.ratio for row in rows], [row.known_ratio for row in rows])
    )
    return (
        f"{count} programs: {faster / count:.0%} at least {FASTER}×, {much / count:.0%} at least {MUCH_FASTER}×, "
        f"geometric mean {mean:.2f} (known versions {known:.2f}), wrong: {sum(not row.equal for row in rows)}"
    )


if __name__ == "__main__":
    main()
