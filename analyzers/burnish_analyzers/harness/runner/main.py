"""One job: run tests, replay calls or time versions, and write the result as JSON."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from typing import Any

from . import guard, record, replay, suite
from .swap import Swapper, UnswappableError, Version
from .variations import Openness, variations


def enter_overlay(root: str, original_root: str) -> None:
    """Make the overlay what is imported: first on the path, and instead of every entry that names the original."""
    real = os.path.realpath(original_root)
    entries = [entry for entry in sys.path if entry]
    moved = []
    for entry in entries + editable_folders():
        path = os.path.realpath(entry)
        inside = path == real or path.startswith(real + os.sep)
        if inside and not is_environment(path):
            moved.append(os.path.join(root, os.path.relpath(path, real)))
    source = os.path.join(root, "src")
    first = [root, *([source] if os.path.isdir(source) else []), *moved]
    kept = [entry for entry in entries if is_environment(os.path.realpath(entry)) or not within(entry, real)]
    sys.path[:] = list(dict.fromkeys(os.path.normpath(entry) for entry in first)) + kept


def within(entry: str, root: str) -> bool:
    """Whether a path entry lies in the original project."""
    path = os.path.realpath(entry)
    return path == root or path.startswith(root + os.sep)


def is_environment(path: str) -> bool:
    """Whether a folder belongs to the interpreter, even where its environment lies inside the project."""
    prefixes = {os.path.realpath(place) for place in (sys.prefix, sys.base_prefix)}
    return any(path == prefix or path.startswith(prefix + os.sep) for prefix in prefixes)


def editable_folders() -> list[str]:
    """Folders that editable installs serve through an import hook instead of the path."""
    found = []
    for finder in sys.meta_path:
        module = sys.modules.get(getattr(finder, "__module__", ""), None)
        mapping = getattr(module, "MAPPING", None)
        if isinstance(mapping, dict):
            found += [os.path.dirname(str(place)) for place in mapping.values()]
    return found


def run_tests(job: dict[str, Any], recorder: record.Recorder) -> suite.Suite:
    """The selected tests, or all, with probes on the unit."""
    record.install(recorder, job["path"], job["first_line"], job["last_line"])
    tests = suite.Suite(recorder, job["select"], time.monotonic() + job["seconds"], job.get("fail_fast", False))
    if job["use_pytest"]:
        suite.run_pytest(tests, job["root"], job["unit_name"])
    else:
        suite.run_unittest(tests, job["root"])
    if job["doctests"] and not tests.over:
        suite.run_doctests(tests, job["path"])
    return tests


def tests_document(tests: suite.Suite) -> dict[str, Any]:
    """What the run found, as JSON."""
    return {
        "tests": [
            {
                "id": outcome.identifier,
                "outcome": outcome.outcome,
                "message": outcome.message,
                "reached": outcome.identifier in tests.recorder.reached,
            }
            for outcome in tests.outcomes.values()
        ],
        "collected": tests.collected,
        "truncated": tests.truncated,
        "problem": tests.problem,
    }


def known_calls(
    job: dict[str, Any], watch: guard.Guard, *, generate: bool
) -> tuple[Swapper | None, list[replay.Reference], dict[str, Any]]:
    """Run the tests for their calls, then see what the original does on each."""
    recorder = record.Recorder(most_calls=job["most_calls"], most_for_test=job["most_for_test"], copy_seconds=10.0)
    problem = run_tests(job, recorder).problem
    watch.processes_allowed = False
    tally = replay.Tally()
    facts: dict[str, Any] = {"seen": recorder.seen, "kept": len(recorder.calls), "uncopyable": recorder.uncopyable}
    facts["problem"] = problem
    if not recorder.calls:
        return None, [], facts
    calls = list(recorder.calls)
    if generate:
        calls += variations(calls, Openness(*job["open_parameters"]))
    original = Version(job["original"], job["path"])
    try:
        swapper = Swapper(calls, original)
        known = replay.references(swapper, calls, time.monotonic() + job["replay_seconds"], tally)
    except UnswappableError as error:
        facts["problem"] = str(error)
        return None, [], facts
    facts["tally"] = tally
    return swapper, known, facts


def kind_tests(job: dict[str, Any], watch: guard.Guard) -> dict[str, Any]:
    """Which tests there are, what they say, and which reach the unit."""
    return tests_document(run_tests(job, record.Recorder(0, 0, 0.0)))


def kind_replay(job: dict[str, Any], watch: guard.Guard) -> dict[str, Any]:
    """Whether the candidate does what the original did on every known call, and how many broken versions that tells."""
    swapper, known, facts = known_calls(job, watch, generate=True)
    tally = facts.pop("tally", replay.Tally())
    facts["difference"] = None
    if swapper is not None:
        original = Version(job["original"], job["path"])
        try:
            candidate = Version(job["candidate"], job["path"], job["imports"])
            with swapper.using(candidate, original):
                facts["difference"] = replay.judge(swapper, known, tally)
        except UnswappableError as error:
            facts["problem"] = str(error)
        mutants = [Version(text, job["path"]) for text in job["mutants"]]
        facts["caught"] = sum(replay.caught(swapper, known, mutants, original))
        facts["mutants"] = len(mutants)
    return {**facts, **tally.document()}


def kind_timing(job: dict[str, Any], watch: guard.Guard) -> dict[str, Any]:
    """The ratio of old to new on the recorded calls."""
    from . import stopwatch

    swapper, known, facts = known_calls(job, watch, generate=False)
    facts.pop("tally", None)
    if swapper is None or not known:
        return {**facts, "workloads": []}
    old = Version(job["original"], job["path"])
    new = Version(job["candidate"], job["path"], job["imports"])
    try:
        swapper.use(new)
    except UnswappableError as error:
        return {**facts, "problem": str(error), "workloads": []}
    watcher = stopwatch.Stopwatch(swapper, old, new, job["seed"])
    fresh = any(replay.wears_out(reference) for reference in known)
    parts = stopwatch.workloads(
        [reference.call for reference in known], [reference.seconds for reference in known], fresh
    )
    measured = stopwatch.measure(watcher, parts, job["timing_seconds"], job["alpha"])
    clock = "wall clock" if watcher.clock is time.perf_counter else "CPU clock"
    return {**facts, "workloads": measured, "clock": clock, "calls": len(known)}


KINDS = {"tests": kind_tests, "replay": kind_replay, "timing": kind_timing}


def main(path: str) -> None:
    """Do the job described in the file at `path`; the result goes to the file that it names."""
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    result_fd = os.open(job["result"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    enter_overlay(job["root"], job["original_root"])
    watch = guard.Guard((job["root"], tempfile.gettempdir(), os.path.expanduser("~"), *job["writable"]))
    result = KINDS[job["kind"]](job, watch)
    with os.fdopen(result_fd, "w", encoding="utf-8") as file:
        json.dump(result, file)
