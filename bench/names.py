"""How far the rules for names agree with the labelled names, beside a baseline, and what a name costs.

Run ``python bench/names.py [--show] [FILE]``; without a file, ../shared/data/names-dev.jsonl beside the checkout.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from burnish_analyzers.metrics.bindings import bindings
from burnish_analyzers.metrics.names import judge
from burnish_analyzers.source.tree import SyntaxTree

LABELS = Path(__file__).parents[1] / "../shared/data/names-dev.jsonl"


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A labelled name with what the rules say."""

    snippet: str
    name: str
    label: bool
    verdict: bool
    why: str


def main() -> None:
    """Print the agreement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=LABELS)
    parser.add_argument("--show", action="store_true", help="list the names on which they differ")
    arguments = parser.parse_args()
    snippets = [json.loads(line) for line in arguments.file.read_text(encoding="utf-8").splitlines()]
    judged = [pair for snippet in snippets for pair in judge_snippet(snippet)]
    longer = [pair for pair in judged if len(pair.name) > 1]
    for title, pairs in (("all names", judged), ("two letters and more", longer)):
        rules = agreement(pairs, lambda pair: pair.verdict)
        baseline = agreement(pairs, lambda pair: len(pair.name) > 1)
        print(f"{title:<20} {len(pairs):>5}   rules {rules:.1%}   longer than one letter {baseline:.1%}")
    print(f"{microseconds_a_name([snippet['code'] for snippet in snippets]):.0f} µs a name, with parsing")
    if arguments.show:
        for pair in judged:
            if pair.verdict is not pair.label:
                label = "meaningful" if pair.label else "not meaningful"
                print(f"{pair.snippet} {pair.name}: labelled {label}, judged {pair.why}")


def judge_snippet(snippet: dict[str, object]) -> list[Judged]:
    """The labelled names of one snippet; a name that was not found counts as judged wrongly."""
    code, labels = str(snippet["code"]), snippet["names"]
    assert isinstance(labels, list)
    found = {name.name: name for name in judge(code, bindings(SyntaxTree.parse(code)))}
    return [
        Judged(
            snippet=str(snippet["id"]),
            name=label["name"],
            label=label["meaningful"],
            verdict=found[label["name"]].meaningful if label["name"] in found else not label["meaningful"],
            why=found[label["name"]].why if label["name"] in found else "not found",
        )
        for label in labels
    ]


def agreement(pairs: Sequence[Judged], verdict: Callable[[Judged], bool]) -> float:
    """The share of names on which a verdict agrees with the label."""
    return sum(verdict(pair) is pair.label for pair in pairs) / len(pairs)


def microseconds_a_name(codes: list[str]) -> float:
    """CPU time a name; the best of five runs over all snippets."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        count = sum(len(judge(code, bindings(SyntaxTree.parse(code)))) for code in codes)
        best = min(best, (time.process_time() - start) / count)
    return best * 1e6


if __name__ == "__main__":
    main()
