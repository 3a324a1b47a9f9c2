"""A runner: collects the tests of a project once, then does one task after the other, each in a child of its own.

Three generations of processes: the first has imported the tests and never runs anything else; a child of it has run
the tests that reach the unit and holds their calls; children of both run versions of the unit. What these say goes to
the file that their task names, a JSON document a line. Where a process cannot fork, it does one task itself and ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from . import forks, guard, record, suite
from .calls import Calls
from .channel import Channel
from .measurements import profile, timing
from .overlay import enter_overlay
from .swap import Swapper, UnswappableError, Version
from .variations import Openness

COPY_SECONDS = 10.0
Task = dict[str, Any]


class Runner:
    """What the first generation holds."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.channel = Channel(job["channel"])
        self.recorder = record.Recorder()
        self.watch = guard.Guard((job["root"], tempfile.gettempdir(), os.path.expanduser("~"), *job["writable"]))
        self.watch.note_process = self.recorder.note_process
        self.loaded = Version(job["text"], job["path"])
        self.collection = suite.Collection()
        self.holder: tuple[int, Channel] | None = None
        record.install(self.recorder, job["path"], job["first_line"], job["last_line"])

    def collect(self) -> None:
        """Find the tests; what follows happens in `serve`, within pytest's session."""
        if not self.job["run_tests"]:
            self.serve(suite.Collection())
        elif self.job["use_pytest"]:
            suite.collect_pytest(self.job["root"], self.job["unit_name"], self.job["files"], self.serve)
        else:
            self.serve(suite.UnittestCollection(self.job["root"]))

    def serve(self, collection: suite.Collection) -> None:
        """Say what was collected, then do tasks until nobody asks any more."""
        self.collection = collection
        forking = self.job["warm"] and forks.can_fork()
        self.channel.send(
            {
                "collected": len(collection.identifiers),
                "problem": collection.problem,
                "forks": forking,
                "at_import": bool(self.recorder.reached),
            }
        )
        if forking:
            forks.become_parent()
            forks.serve(self.channel, {"tests": self.tests_in_child, "calls": self.ask_holder})
        elif (task := self.channel.receive()) is not None:
            with results(task) as write:
                self.alone(task, write)
            self.channel.send({"ended": ""})

    def alone(self, task: Task, write: suite.Write) -> None:
        """Do one task in this very process."""
        if task["task"] == "tests":
            self.tests(task, write)
        else:
            held = self.gathered(task, write)
            KINDS[task["kind"]](held, task, write)

    def tests_in_child(self, task: Task) -> str:
        """Run tests on one version."""
        kept = [self.holder[0]] if self.holder else []
        closed = [self.channel] + ([self.holder[1]] if self.holder else [])

        def action() -> None:
            with results(task) as write:
                self.tests(task, write)

        return forks.in_child(action, task["limit"], closed, kept)

    def ask_holder(self, task: Task) -> str:
        """Hand a task to the process that holds the calls; it is started with the first one."""
        if self.holder is None:
            self.holder = self.start_holder(task)
        _, channel = self.holder
        try:
            channel.send(task)
            answer = channel.receive()
        except OSError:
            answer = None
        if answer is None:
            self.holder = None
            return "the tests ended the process that recorded their calls"
        return str(answer["ended"])

    def start_holder(self, task: Task) -> tuple[int, Channel]:
        """Fork the process that runs the tests for their calls."""
        ours, theirs = (Channel(end.detach()) for end in socket.socketpair())
        pid = os.fork()
        if pid == 0:
            forks.do(lambda: hold(self, theirs), task["limit"], [self.channel, ours])
        theirs.close()
        return pid, ours

    def tests(self, task: Task, write: suite.Write) -> None:
        """Run tests, then the one that must fail: whoever makes that one pass has reached for the checks themselves."""
        swapper = Swapper(self.loaded, self.recorder.keys)
        try:
            self.swap(swapper, task["version"])
        except UnswappableError as error:
            write({"unswappable": str(error)})
            return
        if task["version"] or task["decoy"]:
            self.forget()
            swapper.forget()
        self.run(task, write)
        if task["decoy"]:
            self.swap(swapper, {"text": task["decoy"]["text"], "imports": []})
            again = {"select": [task["decoy"]["test"]], "seconds": task["seconds"], "fail_fast": False}
            self.run(again, lambda line: write({"decoy": line}))

    def swap(self, swapper: Swapper, version: dict[str, Any] | None) -> None:
        """Put a version in the place of what was loaded, unless the module is yet to be imported, from its file."""
        if version and swapper.is_loaded:
            swapper.use(Version(version["text"], self.job["path"], version["imports"]))

    def forget(self) -> None:
        """Let go of the original: a version that could ask it what to answer would be no better proved for that."""
        self.loaded = Version("", self.job["path"])
        self.job = {**self.job, "text": ""}
        self.recorder.forget()

    def run(self, task: Task, write: suite.Write) -> None:
        """Run the wanted tests, doctests last."""
        run = suite.Run(self.recorder, task["select"], task["seconds"], task["fail_fast"], write)
        self.collection.run(run)
        if self.job["doctests"] and not run.over:
            suite.run_doctests(run, self.job["path"])
        write({"done": True, "truncated": run.truncated, "problem": self.collection.problem})

    def gathered(self, task: Task, write: suite.Write) -> Calls:
        """Run the tests for their calls, and make more of them."""
        self.recorder.keep_calls(task["most_calls"], task["most_for_test"], COPY_SECONDS)
        if task["select"]:
            self.run(task, write)
        else:
            suite.module_at(self.job["path"])
        swapper = Swapper(self.loaded, self.recorder.keys)
        held = Calls(swapper, self.recorder, Openness(*task["open_parameters"]))
        held.follow(task["steps"])
        return held


def hold(runner: Runner, channel: Channel) -> None:
    """Record the calls with the first task, then serve this and later ones."""
    task = channel.receive()
    with results(task) as write:
        held = runner.gathered(task, write)
    forks.become_parent()

    def in_child(task: Task) -> str:
        def action() -> None:
            runner.watch.processes_allowed = False
            if task["kind"] == "observe" and task["version"]:
                runner.forget()
            with results(task) as write:
                KINDS[task["kind"]](held, task, write)

        held.follow(task["steps"])
        return forks.in_child(action, task["limit"], [channel])

    channel.send({"ended": in_child(task)})
    forks.serve(channel, {"calls": in_child})


@contextlib.contextmanager
def results(task: Task) -> Iterator[suite.Write]:
    """Writes documents to the task's file as they come, so that what was said before a sudden end is there."""
    with open(task["result"], "a", encoding="utf-8") as file:

        def write(document: dict[str, Any]) -> None:
            file.write(json.dumps(document) + "\n")
            file.flush()

        yield write


def gather(held: Calls, task: Task, write: suite.Write) -> None:
    """How many calls there are."""
    write({"facts": held.document(task["steps"])})


def observations(held: Calls, task: Task, write: suite.Write) -> None:
    """What one version does on each of some calls, until time is up."""
    version = task["version"]
    try:
        held.swapper.use(
            Version(version["text"], held.swapper.loaded.path, version["imports"]) if version else held.swapper.loaded
        )
    except UnswappableError as error:
        write({"unswappable": str(error)})
        return
    if version:
        held.swapper.forget()
    deadline = time.monotonic() + task["seconds"]
    for index, seconds in zip(task["indices"], task["limits"]):
        if time.monotonic() > deadline:
            return
        write({"begins": index})
        began = time.perf_counter()
        observed = held.observe(index, seconds)
        write({**observed, "seconds": time.perf_counter() - began})


KINDS = {"gather": gather, "observe": observations, "timing": timing, "profile": profile}


def main(path: str) -> None:
    """Serve as the file at `path` says."""
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    enter_overlay(job["root"], job["original_root"])
    Runner(job).collect()
