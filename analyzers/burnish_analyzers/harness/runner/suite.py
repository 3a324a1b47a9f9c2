"""Collects and runs the project's tests as its user would: pytest where it is there, else unittest; and doctests."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.metadata
import io
import os
import sys
import time
import unittest
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .record import Recorder

DOCTEST = "doctest:"
Write = Callable[[dict[str, Any]], None]

# Plugins that would change how the run is driven, and the flag that keeps them still.
QUIETING = {
    "xdist": ("-n0",),
    "pytest_cov": ("--no-cov",),
    "benchmark": ("--benchmark-disable",),
    "randomly": ("-p", "no:randomly"),
}


class Outcome:
    """One test: its id, passed | failed | skipped, and the last line of what went wrong."""

    def __init__(self, identifier: str, outcome: str, message: str = "") -> None:
        self.identifier = identifier
        self.outcome = outcome
        self.message = message


class Run:
    """One run of some of the collected tests: which, how long, and what they said, written down as it comes."""

    def __init__(
        self, recorder: Recorder, select: Sequence[str] | None, seconds: float, fail_fast: bool, write: Write
    ) -> None:
        self.recorder = recorder
        self.select = select
        self.deadline = time.monotonic() + seconds
        self.fail_fast = fail_fast
        self.write = write
        self.outcomes: dict[str, Outcome] = {}
        self.truncated = False

    def begin(self, identifier: str) -> None:
        """A test begins: what the probes see from now on is its."""
        self.recorder.test = identifier
        self.write({"began": identifier})

    def note(self, identifier: str, outcome: str, message: str = "") -> None:
        """Keep the worst of a test's phases."""
        known = self.outcomes.get(identifier)
        if known is None or outcome == "failed" or (known.outcome == "passed" and outcome == "skipped"):
            self.outcomes[identifier] = Outcome(identifier, outcome, message)

    def end(self, identifier: str) -> None:
        """A test ended: it passed unless something was noted."""
        self.recorder.test = ""
        found = self.outcomes.setdefault(identifier, Outcome(identifier, "passed"))
        self.write(
            {
                "test": identifier,
                "outcome": found.outcome,
                "message": found.message,
                "reached": identifier in self.recorder.reached,
                "spawned": identifier in self.recorder.spawned,
            }
        )

    @property
    def over(self) -> bool:
        """Whether no further test should start."""
        if time.monotonic() > self.deadline:
            self.truncated = True
            return True
        failed = self.fail_fast and any(item.outcome == "failed" for item in self.outcomes.values())
        return failed or (self.select is not None and self.recorder.most_calls > 0 and self.recorder.full)


class Collection:
    """The project's tests, found but not run. `problem`: why some are missing, or ""."""

    def __init__(self) -> None:
        self.problem = ""

    @property
    def identifiers(self) -> list[str]:
        """What each test is called."""
        return []

    def run(self, run: Run) -> None:
        """Run the tests that are wanted."""


class PytestCollection(Collection):
    """What pytest collected; also the plugin that watches it and takes its loop over."""

    def __init__(self, unit_name: str, serve: Callable[[Collection], None]) -> None:
        super().__init__()
        self.unit_name = unit_name
        self.serve = serve
        self.served = False
        self.session: Any = None
        self.current: Run | None = None

    @property
    def identifiers(self) -> list[str]:
        """Node ids, in pytest's order."""
        return [item.nodeid for item in self.session.items] if self.session else []

    def pytest_collectreport(self, report: Any) -> None:
        """A file or class was looked into: what it says if that fails explains why its tests are missing."""
        if report.failed and not self.problem:
            self.problem = f"{report.nodeid} cannot be collected ({crash_message(report)})"

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        if self.current:
            self.current.begin(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test ended."""
        if self.current:
            self.current.note(report.nodeid, report.outcome, crash_message(report) if report.failed else "")

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A test ended."""
        if self.current:
            self.current.end(nodeid)

    def pytest_runtestloop(self, session: Any) -> bool:
        """All is collected and nothing has run: from here on we say what runs."""
        self.session = session
        self.served = True
        self.serve(self)
        return True

    def run(self, run: Run) -> None:
        """The wanted items; files that mention the unit go first where all are, so that a deadline costs least."""
        if self.session is None:
            return
        self.current = run
        for item, following in zip_with_next(self.wanted(run)):
            if "benchmark" in getattr(item, "fixturenames", ()):  # the fixture of pytest-benchmark and its like
                run.recorder.benchmarks.add(item.nodeid)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if run.over or self.session.shouldstop or self.session.shouldfail:
                break
        self.current = None

    def wanted(self, run: Run) -> list[Any]:
        """The items to run, in order."""
        items = list(self.session.items)
        if run.select is not None:
            return [item for item in items if item.nodeid in set(run.select)]
        mentioned = {path: mentions(path, self.unit_name) for path in {str(item.path) for item in items}}
        return sorted(items, key=lambda item: not mentioned[str(item.path)])


def zip_with_next(items: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Each item with the one after it, None after the last."""
    return zip(items, [*items[1:], None])


def crash_message(report: Any) -> str:
    """What went wrong in a phase of a test, in one line."""
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = crash.message.strip().splitlines()[:1] if crash else report.longreprtext.strip().splitlines()[-1:]
    return "".join(lines)[:500]


def mentions(path: str, name: str) -> bool:
    """Whether a file's bytes hold the name."""
    try:
        with open(path, "rb") as file:
            return name.encode() in file.read()
    except OSError:
        return False


def quieting_choices() -> list[list[str]]:
    """Flags for the plugins that this interpreter has, best first: all, all but one's, none.

    A project's own options may switch a plugin off, whose flags pytest does not know then, or need one that we would.
    """
    if os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        return [[]]
    found = importlib.metadata.entry_points()
    select = getattr(found, "select", None)
    plugins = select(group="pytest11") if select else found.get("pytest11", [])  # 3.9 gives a mapping
    names = {plugin.name for plugin in plugins}
    there = [flags for name, flags in QUIETING.items() if name in names]
    choices = [there, *([other for other in there if other is not flags] for flags in there), []]
    return [[flag for flags in choice for flag in flags] for choice in choices]


def collect_pytest(root: str, unit_name: str, files: Sequence[str] | None, serve: Callable[[Collection], None]) -> None:
    """Let pytest collect the whole suite, or these files of it, and hand it to `serve`."""
    import pytest

    arguments = ["--rootdir", root, "--continue-on-collection-errors", "--no-header", "-q", "--maxfail=0"]
    arguments += [os.path.join(root, file) for file in files or ()]
    for quieting in quieting_choices():
        collection = PytestCollection(unit_name, serve)
        status = int(pytest.main([*arguments, *quieting], plugins=[collection]))
        if collection.served:
            return
        if status != pytest.ExitCode.USAGE_ERROR:
            break
    collection.problem = f"pytest ended with {pytest.ExitCode(status).name.replace('_', ' ').lower()}"
    serve(collection)


class UnittestResult(unittest.TestResult):
    """Watches a unittest run as the plugin watches pytest."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802 - the names are unittest's
        """A test begins."""
        super().startTest(test)
        self.run.begin(test.id())

    def stopTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        """A test ended."""
        super().stopTest(test)
        self.run.end(test.id())
        if self.run.over:
            self.stop()

    def addError(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802
        """An exception."""
        self.run.note(test.id(), "failed", f"{err[0].__name__}: {err[1]}"[:500])

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802
        """A failed assertion."""
        self.addError(test, err)

    def addSubTest(self, test: unittest.TestCase, subtest: Any, err: Any) -> None:  # noqa: N802
        """One part of a test."""
        if err is not None:
            self.addError(test, err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:  # noqa: N802
        """Skipped."""
        self.run.note(test.id(), "skipped", reason)


class UnittestCollection(Collection):
    """Every unittest below a root."""

    def __init__(self, root: str) -> None:
        super().__init__()
        found = [
            unittest.TestLoader().discover(folder, top_level_dir=folder) for folder in (root, *loose_folders(root))
        ]
        self.tests = [test for test in flatten(found) if type(test).__name__ != "_FailedTest"]

    @property
    def identifiers(self) -> list[str]:
        """Dotted names."""
        return [test.id() for test in self.tests]

    def run(self, run: Run) -> None:
        """The wanted ones; a case that ran is loaded anew for its next run."""
        wanted = [test for test in self.tests if run.select is None or test.id() in run.select]
        again = (type(test)(test._testMethodName) if hasattr(test, "_testMethodName") else test for test in wanted)
        unittest.TestSuite(again).run(UnittestResult(run))


def loose_folders(root: str) -> list[str]:
    """Test folders that are no packages: people name them to `unittest discover`, which does not look into them."""
    folders = [os.path.join(root, name) for name in ("test", "tests")]
    return [
        folder
        for folder in folders
        if os.path.isdir(folder) and not os.path.exists(os.path.join(folder, "__init__.py"))
    ]


def flatten(tests: Any) -> Iterator[unittest.TestCase]:
    """Every case in a tree of suites."""
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        else:
            yield test


def run_doctests(run: Run, path: str) -> None:
    """The wanted examples in the docstrings of the module that holds the unit."""
    module = module_at(path)
    if module is None:
        return
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        identifier = DOCTEST + test.name
        if not test.examples or not (run.select is None or identifier in run.select):
            continue
        if run.over:
            return
        run.begin(identifier)
        output = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()):
            failed = runner.run(test, out=output.write).failed
        message = output.getvalue().strip().splitlines()[-1:]
        run.note(identifier, "failed" if failed else "passed", "".join(message)[:500])
        run.end(identifier)


def module_at(path: str) -> Any:
    """The module loaded from a file, imported by its name on `sys.path` if no test did; None where that fails."""
    real = os.path.realpath(path)

    def loaded() -> Any:
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and os.path.realpath(file) == real:
                return module
        return None

    if (module := loaded()) is not None:
        return module
    for folder in sys.path:
        start = os.path.realpath(folder or ".") + os.sep
        name = real[len(start) :].rpartition(".")[0].replace(os.sep, ".") if real.startswith(start) else ""
        if name and all(part.isidentifier() for part in name.split(".")):
            with contextlib.suppress(Exception):  # the module's own code runs, and may raise anything
                importlib.import_module(name.removesuffix(".__init__"))
                return loaded()
    return None
