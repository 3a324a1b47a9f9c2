"""The sentences about a whole run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burnish.configuration import ModelSettings, Settings
from burnish.engine.history import History, Step, Usage
from burnish.engine.loop import LoopResult
from burnish.engine.stopping import StopReason
from burnish.messages import ALLOW_UNVERIFIED, none_message, told, unverified_message
from burnish.receipts import proposal_message
from burnish.refinement import Request, candidate_of
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks import equivalence
from burnish_analyzers.checks.baseline import Baseline
from burnish_analyzers.checks.behaviour import every, passing
from burnish_analyzers.checks.outcome import CheckOutcome, Counterexample, Evidence, Status, Verdict
from burnish_analyzers.checks.recording import Comparison, Recording
from burnish_analyzers.errors import SourceError
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.tasks import CallSource
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit, script_unit
from burnish_analyzers.wording import counted

SHOP = Snapshot.from_text("def total(items):\n    return sum(items)\n\n\nprint(total([1]))\n")
TOTAL = find_unit(SHOP, "total")
MODEL = ModelSettings(base_url="http://localhost:1/v1", name="m")
FAILED_TEST = CheckOutcome(
    name="tests",
    status=Status.FAILED,
    detail="tests/x.py::t failed.",
    counterexample=Counterexample(call="tests/x.py::t", expected="passed", actual="failed: AssertionError: 1 != 2"),
)


def history(*failures: CheckOutcome) -> History:
    steps = [
        Step(
            candidate=Candidate(iteration=number, origin="rules", unit_text=str(number)),
            verdict=Verdict(accepted=False, checks=(failure,) if failure else (), score=0.0, evidence=Evidence.WEAK),
        )
        for number, failure in enumerate((None, *failures))
    ]
    return History(steps=tuple(steps))


def stopped(reason: StopReason, detail: str = "", requests: int = 0) -> LoopResult:
    return LoopResult(history=history(), stop=reason, detail=detail, usage=Usage(requests=requests))


@pytest.mark.parametrize(
    ("results", "settings", "because"),
    [
        ([stopped(StopReason.EXHAUSTED)], Settings(), "no rule finds anything to change"),
        (
            [stopped(StopReason.SECONDS)],
            Settings(budget_seconds=3.0),
            "the time budget of 3 s ran out; raise --budget-seconds (the setting budget_seconds)",
        ),
        ([stopped(StopReason.EXHAUSTED), stopped(StopReason.SECONDS)], Settings(), "the time budget of 600 s ran out"),
        ([stopped(StopReason.CANCELLED)], Settings(), "it was cancelled"),
        (
            [stopped(StopReason.EXHAUSTED), stopped(StopReason.ROUNDS, requests=2)],
            Settings(model=MODEL, rounds=1),
            "the model's 1 round is used up; raise --rounds (the setting rounds)",
        ),
        ([stopped(StopReason.ROUNDS)], Settings(), "all rounds are used"),
        (
            [stopped(StopReason.EXHAUSTED), stopped(StopReason.CRITIC, requests=1)],
            Settings(model=MODEL),
            "the critic sees nothing more worth doing",
        ),
        ([stopped(StopReason.FAILED, "No answer.")], Settings(model=MODEL), "no answer"),
    ],
)
def test_no_candidate_is_explained_by_what_ended_the_search(
    results: list[LoopResult], settings: Settings, because: str
) -> None:
    assert none_message(history(), results, settings).startswith(f"Nothing better found, because {because}")


def test_a_limit_is_told_beside_the_rejections() -> None:
    message = none_message(history(FAILED_TEST), [stopped(StopReason.SECONDS)], Settings(budget_seconds=2.5))
    assert message == (
        "Nothing better found, because the one candidate was rejected; the last one: "
        "tests/x.py::t no longer passes (failed: AssertionError: 1 != 2). "
        "Also, the time budget of 2.5 s ran out; raise --budget-seconds (the setting budget_seconds)."
    )


def test_a_failing_test_is_told_once() -> None:
    assert told(FAILED_TEST) == "tests/x.py::t no longer passes (failed: AssertionError: 1 != 2)."


@pytest.mark.parametrize(
    ("name", "detail", "call", "message"),
    [
        (
            "interface",
            "The interface of f changed.",
            "the definition of f",
            "The interface of f changed: a; the rewrite: b",
        ),
        ("examples", "It differs on 1.in.", "the script on 1.in", "It differs on 1.in: a; the rewrite: b"),
        ("equivalence", "It differs on a call.", "f([])", "It differs on a call: f([]): a; the rewrite: b"),
    ],
)
def test_no_place_is_told_twice(name: str, detail: str, call: str, message: str) -> None:
    example = Counterexample(call=call, expected="a", actual="b")
    assert told(CheckOutcome(name=name, status=Status.FAILED, detail=detail, counterexample=example)) == message


def test_a_script_without_examples_may_have_meant_a_function() -> None:
    message = unverified_message(SHOP, script_unit(SHOP), Baseline(), "", "")
    assert message.endswith(
        "pass --examples DIR with *.in files, or name a function: FILE::QUALNAME, as in FILE::total."
    )
    bare = Snapshot.from_text("print(1)\n")
    assert "QUALNAME" not in unverified_message(bare, script_unit(bare), Baseline(), "", "")


def test_only_refine_may_do_without_proof() -> None:
    assert unverified_message(SHOP, TOTAL, Baseline(), "", "") == (
        "Unverified: no test reaches total, so nothing could be proved; add a test that calls it."
    )
    message = unverified_message(SHOP, TOTAL, Baseline(suite_size=1), ALLOW_UNVERIFIED, "")
    assert "the project's one test does not reach total" in message
    assert message.endswith("or allow unverified proposals (--allow-unverified).")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("def other():\n    return 1\n", "holds no code for `total`"),
        ("def total(items):\n    x = 1\n    return sum(items) +\n", "for `total` is not valid Python"),
        ("def total(items):\n    ...  # rest unchanged\n", "leaves out parts of `total`"),
        ("def total(items):\n    return 0\n\n\nLIMIT = 3\n", "also changes `LIMIT = 3` outside of `total`"),
    ],
)
def test_a_candidate_file_that_does_not_fit_is_told_in_a_files_words(text: str, problem: str) -> None:
    request = Request(snapshot=SHOP, unit=TOTAL, goal=Goal.READABILITY, settings=Settings())
    with pytest.raises(SourceError) as caught:
        candidate_of(request, text)
    assert str(caught.value) == (
        f"The candidate {problem}: it must be the whole new file, or only total, complete and under its name."
    )


@pytest.mark.parametrize(("number", "words"), [(0, "0 calls"), (1, "1 call"), (2, "2 calls")])
def test_a_number_of_things(number: int, words: str) -> None:
    assert counted(number, "call") == words


def test_an_unproved_proposal_says_so_first() -> None:
    verdict = Verdict(accepted=True, checks=(), score=0.0, evidence=Evidence.NONE)
    assert proposal_message(verdict, Goal.READABILITY).startswith("UNVERIFIED: ")
    check = CheckOutcome(name="tests", status=Status.PASSED, detail="")
    proved = proposal_message(replace(verdict, checks=(check,), evidence=Evidence.WEAK), Goal.READABILITY)
    assert proved == "proved by tests; evidence weak."


def test_one_of_each_is_singular() -> None:
    source = CallSource(select=(), open_parameters=((), ()))
    recording = Recording(source=source, mutants=1, caught=1, uncopyable=1, unsteady=1)
    detail = equivalence.told(recording, Comparison(recorded=1, generated=1, incomparable=0))
    assert detail == (
        "Equal on 1 recorded call and 1 generated call; they tell 1 of 1 deliberately broken version apart; "
        "1 call could not be copied; 1 call did not do the same twice on the original."
    )
    assert (passing(1), passing(2)) == ("The one test that reaches it passes", "All 2 tests that reach it pass")
    assert (every(1, "input"), every(2, "input")) == ("the one input", "all 2 inputs")
