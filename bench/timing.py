"""How often timing finds what is there, and claims what is not, beside timeit, pyperf and pytest-benchmark.

Run ``python bench/timing.py [--trials N] [--only NAME ...]``. Functions of 20 µs, 1 ms and 50 ms are timed against a
copy of themselves with one local renamed (A/A: true 1) and against versions that do 1.1 and 1.3 times less, while
another process keeps one processor busy. Burnish's trials go through the code of a verification: a project with tests,
runners in its interpreter. The other tools time old, then new, with their defaults; as none of them says "faster", a
ratio of 1.05 counts as their claim.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.baseline import Baseline, take
from burnish_analyzers.checks.clock import ALPHA, time_calls
from burnish_analyzers.checks.subject import Subject
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.process import Limits
from burnish_analyzers.harness.project import Project, probe
from burnish_analyzers.harness.workbench import Workbench
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit

CLAIM = 1.05
FACTORS = (1.0, 1.10, 1.3)
SIZES = {"20us": 20e-6, "1ms": 1e-3, "50ms": 50e-3}
TRIALS_OF_ONE_BENCH = 10  # then another project, with processes of its own
TEXT = """
def work(count):
    total = 1000
    for {name} in range(1000, 1000 + count * {parts} // 1430):
        total += {name} * {name} % 7
    return total
"""
TEST = "from module import work\n\n\ndef test_work():\n    assert work({count}) is not None\n"
BENCHMARK_TEST = "from module import work\n\n\ndef test_work(benchmark):\n    benchmark(work, {count})\n"
LOAD = "while True:\n    sorted(str(number) for number in range(1000))\n"


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One comparison of old and new."""

    claimed: bool
    ratio: float
    seconds: float
    told: str = ""


Method = Callable[[int, float, int], Iterator[Trial]]


def text_of(factor: float) -> str:
    """A version that does `factor` times less than the first; A/A differs in a name."""
    return TEXT.format(name="index" if factor == 1.0 else "number", parts=round(1430 / factor))


OLD = TEXT.format(name="number", parts=1430)


def count_for(seconds: float) -> int:
    """The argument with which the old version takes about so long here."""
    variables: dict[str, Callable[[int], int]] = {}
    exec(OLD, variables)
    best = float("inf")
    for _ in range(5):
        began = time.thread_time()
        variables["work"](130_000)
        best = min(best, time.thread_time() - began)
    return round(130_000 * seconds / best)


@contextmanager
def load() -> Iterator[None]:
    """Another process that keeps one processor busy."""
    process = subprocess.Popen([sys.executable, "-c", LOAD])
    try:
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def project(count: int) -> Iterator[tuple[Workbench, Baseline]]:
    """A project whose test calls the function, ready to judge candidates."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "module.py").write_text(OLD, encoding="utf-8")
        (root / "test_module.py").write_text(TEST.format(count=count), encoding="utf-8")
        snapshot = Snapshot.read(root / "module.py")
        interpreter = probe(Path(sys.executable), "this benchmark")
        unit = find_unit(snapshot, "work")
        with Workbench(
            Project(root=root, interpreter=interpreter), snapshot, unit, limits=Limits(), cancelled=lambda: False
        ) as bench:
            yield bench, take(bench, None, 30.0, lambda step, detail: None)


def burnish(count: int, factor: float, trials: int) -> Iterator[Trial]:
    """Through the code of a verification, in several workbenches."""
    candidate = Candidate(iteration=1, origin="bench", unit_text=text_of(factor).strip() + "\n")
    for start in range(0, trials, TRIALS_OF_ONE_BENCH):
        with project(count) as (bench, baseline):
            subject = Subject(bench=bench, goal=Goal.PERFORMANCE, baseline=baseline, candidate=candidate)
            for _ in range(min(TRIALS_OF_ONE_BENCH, trials - start)):
                began = time.perf_counter()
                timing, _slower = time_calls(subject, ALPHA)
                seconds = time.perf_counter() - began
                if isinstance(timing, str):
                    raise SystemExit(timing)
                told = f"{timing.verdict} ({timing.low:.3f} to {timing.high:.3f}), resolution {timing.resolution:.3f}"
                yield Trial(claimed=timing.verdict == "faster", ratio=timing.ratio, seconds=seconds, told=told)


def by_seconds(measure: Callable[[Path, int], float]) -> Method:
    """A tool that gives the seconds of one version: old, then new; a claim is a ratio of 1.05."""

    def method(count: int, factor: float, trials: int) -> Iterator[Trial]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for module, text in (("old", OLD), ("new", text_of(factor))):
                (folder / module).mkdir()
                (folder / module / "module.py").write_text(text, encoding="utf-8")
                (folder / module / "test_module.py").write_text(BENCHMARK_TEST.format(count=count), encoding="utf-8")
            for _ in range(trials):
                began = time.perf_counter()
                old, new = (measure(folder / module, count) for module in ("old", "new"))
                yield Trial(claimed=old / new >= CLAIM, ratio=old / new, seconds=time.perf_counter() - began)

    return method


def timeit_minimum(folder: Path, count: int) -> float:
    """``python -m timeit``, which tells the best of 5."""
    printed = run(folder, "-m", "timeit", "-u", "nsec", "-s", "from module import work", f"work({count})")
    return float(printed.rpartition("best of 5: ")[2].split()[0])


def pyperf_mean(folder: Path, count: int) -> float:
    """The mean of ``pyperf timeit`` with its defaults."""
    output = folder / "pyperf.json"
    output.unlink(missing_ok=True)
    run(folder, "-m", "pyperf", "timeit", "-q", "-o", str(output), "-s", "from module import work", f"work({count})")
    document = json.loads(output.read_text(encoding="utf-8"))
    runs = document["benchmarks"][0]["runs"]
    return statistics.mean(value for each in runs for value in each.get("values", ()))


def pytest_benchmark_median(folder: Path, count: int) -> float:
    """The median of pytest-benchmark with its defaults."""
    output = folder / "benchmark.json"
    run(folder, "-m", "pytest", "-q", "-p", "pytest_benchmark.plugin", f"--benchmark-json={output}")
    return float(json.loads(output.read_text(encoding="utf-8"))["benchmarks"][0]["stats"]["median"])


def run(folder: Path, *arguments: str) -> str:
    """What Python prints in a folder."""
    done = subprocess.run([sys.executable, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


METHODS: dict[str, Method] = {
    "burnish": burnish,
    "timeit": by_seconds(timeit_minimum),
    "pyperf": by_seconds(pyperf_mean),
    "pytest-benchmark": by_seconds(pytest_benchmark_median),
}


def main() -> None:
    """Measure and print a line for each cell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=300, help="of Burnish, each cell (300)")
    parser.add_argument("--other-trials", type=int, default=20, help="of each other tool, each cell (20)")
    parser.add_argument("--only", action="append", help="a method, size or factor, such as burnish, 20us or 1.1")
    parser.add_argument("--each", action="store_true", help="print each trial of Burnish too")
    arguments = parser.parse_args()
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the sample project needs none of them
    wanted = set(arguments.only or ())
    print(
        f"{'method':17} {'function':>8} {'true':>5} {'claims':>14} {'ratio':>6} {'seconds':>7} {'most':>6}  (medians)"
    )
    with load():
        for (method, measure), (size, seconds), factor in itertools.product(METHODS.items(), SIZES.items(), FACTORS):
            if any(wanted & set(names) and not wanted & {name} for names, name in axes(method, size, factor)):
                continue
            trials = arguments.trials if method == "burnish" else min(arguments.trials, arguments.other_trials)
            found = []
            for trial in measure(count_for(seconds), factor, trials):
                found.append(trial)
                if arguments.each and trial.told:
                    print(f"  {trial.ratio:.3f} {trial.told} {trial.seconds:.1f} s", flush=True)
            print(line(method, size, factor, found), flush=True)


def axes(method: str, size: str, factor: float) -> list[tuple[list[str], str]]:
    """All names of each axis with that of one cell."""
    return [
        (list(METHODS), method),
        (list(SIZES), size),
        ([f"{other:g}" for other in FACTORS], f"{factor:g}"),
    ]


def line(method: str, size: str, factor: float, found: list[Trial]) -> str:
    """One cell of the table."""
    claims = sum(trial.claimed for trial in found)
    share = f"{claims}/{len(found)} {claims / len(found):.1%}"
    ratio = statistics.median(trial.ratio for trial in found)
    seconds = [trial.seconds for trial in found]
    middle = statistics.median(seconds)
    return f"{method:17} {size:>8} {factor:>5g} {share:>14} {ratio:>6.3f} {middle:>7.1f} {max(seconds):>6.1f}"


if __name__ == "__main__":
    main()
