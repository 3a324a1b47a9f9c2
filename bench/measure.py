"""What `burnish measure` costs on a file, beside radon alone.

Run ``python bench/measure.py [FILE]``; without a file, modules of the standard library up to 5,000 lines together.
"""

from __future__ import annotations

import argparse
import ast
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

from radon.metrics import h_visit_ast, mi_visit
from radon.visitors import ComplexityVisitor

from burnish_analyzers.metrics.measure import measure_file
from burnish_analyzers.metrics.names import names
from burnish_analyzers.metrics.structure import structures
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.tree import SyntaxTree

LINES = 5_000
MODULES = ("argparse", "dataclasses", "textwrap", "shutil", "heapq", "bisect")


def main() -> None:
    """Print the milliseconds of CPU time of each step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path)
    path = parser.parse_args().file
    text = standard_library() if path is None else Snapshot.read(path).text
    tree = SyntaxTree.parse(text)
    found = measure_file(Snapshot.from_text(text))
    print(f"{len(text.splitlines())} lines, {len(found.units)} units, {len(found.names)} names")
    steps: dict[str, Callable[[], object]] = {
        "measure_file": lambda: measure_file(Snapshot.from_text(text)),
        "  parse": lambda: SyntaxTree.parse(text),
        "  structure": lambda: structures(tree),
        "  names": lambda: names(tree),
        "radon: ast.parse": lambda: ast.parse(text),
        "radon: cyclomatic": lambda: ComplexityVisitor.from_code(text),
        "radon: Halstead": lambda: h_visit_ast(ast.parse(text)),
        "radon: maintainability": lambda: mi_visit(text, True),
    }
    for title, step in steps.items():
        print(f"{title:<24} {milliseconds(step):7.1f} ms")


def standard_library() -> str:
    """The first lines of some modules."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    lines = [line for name in MODULES for line in (folder / f"{name}.py").read_text(encoding="utf-8").splitlines()]
    while True:
        text = "\n".join(lines[:LINES]) + "\n"
        try:
            ast.parse(text)
        except SyntaxError:  # cut in the middle of something
            lines = lines[: min(LINES, len(lines)) - 1]
        else:
            return text


def milliseconds(step: Callable[[], object]) -> float:
    """The CPU time of a step, the best of five."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        step()
        best = min(best, time.process_time() - start)
    return best * 1e3


if __name__ == "__main__":
    main()
