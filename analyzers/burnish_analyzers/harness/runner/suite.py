"""Runs the project's tests as its user would: pytest where it is installed, else unittest; and doctests."""

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
from collections.abc import Iterator, Sequence
from typing import Any

from .record import Recorder

DOCTEST = "doctest:"

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


class Suite:
    """What a run of the tests found."""

    def __init__(self, recorder: Recorder, select: Sequence[str] | None, deadline: float, fail_fast: bool) -> None:
        self.recorder = recorder
        self.select = None if select is None else set(select)
        self.deadline = deadline
        self.fail_fast = fail_fast
        self.outcomes: dict[str, Outcome] = {}
        self.truncated = False
        self.collected = 0
        self.problem = ""

    def wanted(self, identifier: str) -> bool:
        """Whether this run is to include the test."""
        return self.select is None or identifier in self.select

    def note(self, identifier: str, outcome: str, message: str = "") -> None:
        """Keep the worst of a test's phases."""
        known = self.outcomes.get(identifier)
        if known is None or outcome == "failed" or (known.outcome == "passed" and outcome == "skipped"):
            self.outcomes[identifier] = Outcome(identifier, outcome, message)

    @property
    def over(self) -> bool:
        """Whether no further test should start."""
        if time.monotonic() > self.deadline:
            self.truncated = True
            return True
        failed = self.fail_fast and any(item.outcome == "failed" for item in self.outcomes.values())
        return failed or (self.select is not None and self.recorder.most_calls > 0 and self.recorder.full)


class PytestPlugin:
    """Selects, watches and stops a pytest run."""

    def __init__(self, suite: Suite, unit_name: str) -> None:
        self.suite = suite
        self.unit_name = unit_name

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Keep the wanted tests; files that mention the unit go first, so that a deadline costs least."""
        items[:] = [item for item in items if self.suite.wanted(item.nodeid)]
        self.suite.collected = len(items)
        if self.suite.select is None:
            mentioned = {path: mentions(path, self.unit_name) for path in {str(item.path) for item in items}}
            items.sort(key=lambda item: not mentioned[str(item.path)])

    def pytest_collectreport(self, report: Any) -> None:
        """A file or class was looked into: what it says if that fails explains why its tests are missing."""
        if report.failed and not self.suite.problem:
            self.suite.problem = f"{report.nodeid} cannot be collected ({crash_message(report)})"

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins: what the probes see is its."""
        self.suite.recorder.test = nodeid

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test ended."""
        self.suite.note(report.nodeid, report.outcome, crash_message(report) if report.failed else "")

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A test ended."""
        self.suite.recorder.test = ""

    def pytest_runtestloop(self, session: Any) -> None:
        """The loop begins; remember the session so that it can be stopped."""
        self.session = session

    def pytest_runtest_teardown(self, item: Any, nextitem: Any) -> None:
        """Between two tests: stop where there is no more to learn."""
        if self.suite.over:
            self.session.shouldstop = "Burnish has seen enough"


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


def run_pytest(suite: Suite, root: str, unit_name: str) -> None:
    """The whole suite, or the selected tests of it, in this process."""
    import pytest

    wanted = [identifier for identifier in suite.select or () if not identifier.startswith(DOCTEST)]
    if suite.select is not None and not wanted:
        return
    files = sorted({identifier.partition("::")[0] for identifier in wanted})
    arguments = ["--rootdir", root, "--continue-on-collection-errors", "--no-header", "-q", "--maxfail=0"]
    arguments += [os.path.join(root, file) for file in files]
    for quieting in quieting_choices():
        status = int(pytest.main([*arguments, *quieting], plugins=[PytestPlugin(suite, unit_name)]))
        if status != pytest.ExitCode.USAGE_ERROR:
            break
    if status == pytest.ExitCode.USAGE_ERROR or status == pytest.ExitCode.INTERNAL_ERROR:
        suite.problem = f"pytest ended with {pytest.ExitCode(status).name.replace('_', ' ').lower()}"


class UnittestResult(unittest.TestResult):
    """Watches a unittest run as the plugin watches pytest."""

    def __init__(self, suite: Suite) -> None:
        super().__init__()
        self.suite = suite

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802 - the names are unittest's
        """A test begins."""
        super().startTest(test)
        self.suite.recorder.test = test.id()

    def stopTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        """A test ended: it passed unless something was noted."""
        super().stopTest(test)
        self.suite.outcomes.setdefault(test.id(), Outcome(test.id(), "passed"))
        self.suite.recorder.test = ""
        if self.suite.over:
            self.stop()

    def addError(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802
        """An exception."""
        self.suite.note(test.id(), "failed", f"{err[0].__name__}: {err[1]}"[:500])

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802
        """A failed assertion."""
        self.addError(test, err)

    def addSubTest(self, test: unittest.TestCase, subtest: Any, err: Any) -> None:  # noqa: N802
        """One part of a test."""
        if err is not None:
            self.addError(test, err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:  # noqa: N802
        """Skipped."""
        self.suite.note(test.id(), "skipped", reason)


def run_unittest(suite: Suite, root: str) -> None:
    """Every unittest below the root, or the selected ones."""
    found = [unittest.TestLoader().discover(folder, top_level_dir=folder) for folder in (root, *loose_folders(root))]
    tests = [test for test in flatten(found) if suite.wanted(test.id()) and type(test).__name__ != "_FailedTest"]
    suite.collected = len(tests)
    unittest.TestSuite(tests).run(UnittestResult(suite))


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


def run_doctests(suite: Suite, path: str) -> None:
    """The examples in the docstrings of the module that holds the unit."""
    module = module_at(path)
    if module is None:
        return
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        identifier = DOCTEST + test.name
        if not test.examples or not suite.wanted(identifier):
            continue
        if suite.over:
            return
        suite.recorder.test = identifier
        output = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()):
            failed = runner.run(test, out=output.write).failed
        suite.recorder.test = ""
        message = output.getvalue().strip().splitlines()[-1:]
        suite.note(identifier, "failed" if failed else "passed", "".join(message)[:500])


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
