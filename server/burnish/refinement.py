"""Puts the parts together for one document: project, checks, backends and loop."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.configuration import Settings
from burnish.engine.history import History, Step, Usage
from burnish.engine.loop import LoopResult, run_loop
from burnish.engine.protocols import Backend
from burnish.engine.refinement import Progress, Receipt, Refinement, Report
from burnish.engine.stopping import Budget, StopReason
from burnish.messages import ALLOW_UNVERIFIED, none_message, told, unverified_message
from burnish.missing_pytest import missing_pytest
from burnish.receipts import proposal_message, receipt_of
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks import baseline as baselines
from burnish_analyzers.checks.baseline import Baseline
from burnish_analyzers.checks.behaviour import passing
from burnish_analyzers.checks.clock import profiled, time_calls, time_script
from burnish_analyzers.checks.definition import parameters
from burnish_analyzers.checks.judge import ProjectJudge
from burnish_analyzers.checks.outcome import Evidence, Status, Timing, Verdict
from burnish_analyzers.checks.subject import Subject
from burnish_analyzers.errors import BackendError, BaselineError, ConfigurationError, SourceError
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.process import Limits
from burnish_analyzers.harness.project import Project, find_interpreter, find_root
from burnish_analyzers.harness.workbench import Workbench
from burnish_analyzers.metrics.measure import measure_unit
from burnish_analyzers.source.edits import replace_unit, unified_diff
from burnish_analyzers.source.reply import ReplyError, fit_reply
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit, UnitKind
from burnish_analyzers.wording import counted

RULE_ROUNDS = 60
MODEL_PATIENCE = 2


@dataclass(frozen=True, kw_only=True)
class Request:
    """One unit of one document, what to better, and how. `root` is the workspace folder, where there is one."""

    snapshot: Snapshot
    unit: Unit
    goal: Goal
    settings: Settings
    root: Path | None = None


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The judgement of somebody else's rewrite; `accepted` is None where nothing could be proved either way."""

    accepted: bool | None
    message: str
    receipt: Receipt


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One run of the loop. `count_rounds`: whether its rounds are the number that the user set."""

    backend: Backend
    rounds: int
    patience: int | None = None
    count_rounds: bool = False


def never() -> bool:
    """No cancellation but by signal."""
    return False


def refine(request: Request, report: Report, cancelled: Callable[[], bool] = never) -> Refinement:
    """Look for a better version of the unit and prove it. Writes nothing.

    Raises BurnishError where the input or the environment does not allow it, and Cancelled.
    """
    began = time.monotonic()
    with opened(request, report, cancelled, otherwise=ALLOW_UNVERIFIED) as (bench, baseline):
        judge = ProjectJudge(
            bench,
            baseline,
            request.goal,
            allow_unverified=request.settings.allow_unverified,
            say=saying(report),
        )
        history = History(steps=(original_step(request),))
        results: list[LoopResult] = []
        for stage in stages(request, baseline, cancelled):
            spent = time.monotonic() - began
            budget = Budget(rounds=stage.rounds, seconds=max(0.0, request.settings.budget_seconds - spent))
            result = run_loop(
                history,
                stage.backend,
                judge,
                budget,
                report,
                cancelled,
                patience=stage.patience,
                count_rounds=stage.count_rounds,
            )
            history = result.history
            results.append(result)
        return concluded(request, bench, baseline, history, results, time.monotonic() - began)


def stages(request: Request, baseline: Baseline, cancelled: Callable[[], bool]) -> Iterator[Stage]:
    """The backends to run one after the other on one history."""
    settings = request.settings
    if settings.engine == "model" and settings.model is None:
        raise ConfigurationError(
            "The engine is set to the model, but none is configured; pass --model-url and --model."
        )
    if settings.engine != "model":
        from burnish.backends.rules.backend import RulesBackend

        rules = RulesBackend(
            goal=request.goal,
            unit=request.unit,
            module_text=request.snapshot.text,
            disabled=frozenset(settings.disabled_rules),
        )
        yield Stage(backend=rules, rounds=RULE_ROUNDS)
    if settings.engine != "rules" and settings.model is not None:
        from burnish.backends.openai_compatible import OpenAICompatibleBackend

        model = OpenAICompatibleBackend(
            settings.model,
            goal=request.goal,
            snapshot=request.snapshot,
            unit=request.unit,
            measurements=measurements(request, baseline),
            cancelled=cancelled,
        )
        yield Stage(backend=model, rounds=settings.rounds, patience=MODEL_PATIENCE, count_rounds=True)


def measurements(request: Request, baseline: Baseline) -> tuple[str, ...]:
    """Facts about the original that a critic should know, one sentence each."""
    metrics = measure_unit(request.unit.span.of(request.snapshot.text)).as_dict()
    facts = [f"{name.replace('_', ' ')}: {value:.4g}" for name, value in metrics.items()]
    if baseline.select:
        facts.append(f"{passing(len(baseline.select))}.")
    if baseline.examples:
        heaviest = max(example.cpu_seconds for example in baseline.examples)
        facts.append(
            f"It is checked on {counted(len(baseline.examples), 'input')}; "
            f"the heaviest takes {heaviest:.2f} CPU seconds."
        )
    return tuple(facts)


def concluded(
    request: Request,
    bench: Workbench,
    baseline: Baseline,
    history: History,
    results: list[LoopResult],
    seconds: float,
) -> Refinement:
    """What the loops came to. Raises BackendError where the only backend gave nothing."""
    best = history.best
    failed = next((result for result in results if result.stop is StopReason.FAILED), None)
    if failed and best is history.original and len(history.steps) == 1 and len(results) == 1:
        raise BackendError(failed.detail)
    proposed = best is not history.original
    new_text = changed_text(request, best.candidate) if proposed else ""
    path = bench.relative.as_posix()
    usage = sum((result.usage for result in results), Usage())
    return Refinement(
        status="proposal" if proposed else "none",
        message=proposal_message(best.verdict, request.goal)
        if proposed
        else none_message(history, results, request.settings),
        goal=request.goal,
        snapshot=request.snapshot,
        unit=request.unit,
        history=history,
        new_text=new_text,
        diff=unified_diff(request.snapshot.text, new_text, path) if proposed else "",
        stop_reason=results[-1].stop_reason if results else StopReason.EXHAUSTED.value,
        usage=replace(usage, seconds=seconds),
        receipt=receipt_of(bench, baseline, best, goal=request.goal, examples=request.settings.examples),
    )


def verify(
    request: Request,
    candidate_text: str,
    report: Report,
    *,
    check_goal: bool = False,
    cancelled: Callable[[], bool] = never,
) -> Verification:
    """Judge a rewrite that somebody else made: the whole new file, or only the unit. Raises BurnishError."""
    return judged(request, candidate_of(request, candidate_text), report, check_goal=check_goal, cancelled=cancelled)


def judged(
    request: Request,
    candidate: Candidate,
    report: Report,
    *,
    check_goal: bool,
    cancelled: Callable[[], bool] = never,
) -> Verification:
    """Judge one candidate; the goal counts where `check_goal`. Raises BurnishError."""
    with opened(request, report, cancelled) as (bench, baseline):
        judge = ProjectJudge(
            bench,
            baseline,
            request.goal,
            allow_unverified=request.settings.allow_unverified,
            say=saying(report),
            check_goal=check_goal,
        )
        verdict = judge.judge(candidate)
        receipt = receipt_of(
            bench,
            baseline,
            Step(candidate=candidate, verdict=verdict),
            goal=request.goal if check_goal else None,
            examples=request.settings.examples,
        )
    if verdict.accepted:
        return Verification(accepted=True, message=proposal_message(verdict, request.goal), receipt=receipt)
    failure = verdict.failure
    if failure is None:
        return Verification(
            accepted=None, message="Nothing could prove it: no check of its behaviour ran.", receipt=receipt
        )
    known = failure.status is Status.FAILED
    return Verification(accepted=False if known else None, message=told(failure), receipt=receipt)


def candidate_of(request: Request, text: str) -> Candidate:
    """A rewrite as a candidate for the unit. Raises SourceError where it holds no such unit, or changes others."""
    if request.unit.kind is UnitKind.SCRIPT:
        return Candidate(iteration=1, origin="given", unit_text=text)
    try:
        unit_text, imports = fit_reply(request.snapshot, request.unit, text)
    except ReplyError as error:
        wanted = f"the whole new file, or only {request.unit.qualname}, complete and under its name"
        raise SourceError(f"The candidate {error.problem}: it must be {wanted}.") from error
    return Candidate(iteration=1, origin="given", unit_text=unit_text, imports=imports)


def compare_timing(
    old: tuple[Snapshot, Unit], new: tuple[Snapshot, Unit], settings: Settings, root: Path | None, report: Report
) -> Timing:
    """How much faster the new unit is than the old one, on what the tests or examples of the old one make it do.

    The new unit takes the old one's name and place. Raises BurnishError, also where no call can be timed.
    """
    names = [", ".join(parameter.arg for parameter in parameters(unit)) for _, unit in (old, new)]
    if names[0] != names[1]:
        raise SourceError(
            f"{new[1].name} takes ({names[1]}), not ({names[0]}) as {old[1].name} does: give both the same."
        )
    request = Request(snapshot=old[0], unit=old[1], goal=Goal.PERFORMANCE, settings=settings, root=root)
    with opened(request, report, never) as (bench, baseline):
        candidate = candidate_of(request, renamed(new[0], new[1], old[1].name))
        subject = Subject(bench=bench, goal=Goal.PERFORMANCE, baseline=baseline, candidate=candidate)
        report(Progress(step="timing"))
        timing, _ = time_script(subject) if baseline.examples else time_calls(subject)
        if isinstance(timing, str):
            raise BaselineError(f"{timing} Add a test that calls it with arguments worth timing.")
        return profiled(subject, timing)


def renamed(snapshot: Snapshot, unit: Unit, name: str) -> str:
    """The unit's text under another name, by its definition and by its calls of itself."""
    text = unit.span.of(snapshot.text)
    if unit.kind is UnitKind.SCRIPT or unit.name == name:
        return text
    import re

    return re.sub(rf"(?<![\w.]){re.escape(unit.name)}(?!\w)", name, text)


@contextlib.contextmanager
def opened(
    request: Request, report: Report, cancelled: Callable[[], bool], *, otherwise: str = ""
) -> Iterator[tuple[Workbench, Baseline]]:
    """The project's workbench and the baseline of the original. Raises BurnishError.

    `otherwise` tells what the user can do, beside adding a test, where no test reaches the unit.
    """
    settings = request.settings
    if request.unit.has_error:
        name = request.unit.qualname or "the script"
        raise SourceError(f"There is a syntax error in {name}; mend it, then refine it.")
    root = project_root(request)
    report(Progress(step="project", detail=str(root)))
    project = Project(root=root, interpreter=find_interpreter(root, settings.interpreter, os.environ))
    limits = Limits(seconds=settings.test_seconds, memory_bytes=settings.memory_bytes)
    examples = root / settings.examples if settings.examples else None
    if examples and not examples.is_dir():
        raise ConfigurationError(f"There is no folder {examples}; correct the setting burnish.examples.")
    with Workbench(project, request.snapshot, request.unit, limits=limits, cancelled=cancelled) as bench:
        baseline = baselines.take(bench, examples, settings.test_seconds, saying(report))
        if not baseline.select and not baseline.examples and not settings.allow_unverified:
            remedy = missing_pytest(root, project.interpreter)
            raise BaselineError(unverified_message(request.snapshot, request.unit, baseline, otherwise, remedy))
        yield bench, baseline


def project_root(request: Request) -> Path:
    """The project's top: the nearest marked folder, but not above the workspace folder."""
    path = request.snapshot.path
    if path is None:
        return request.root or Path.cwd()
    found = find_root(path.resolve())
    workspace = request.root.resolve() if request.root else None
    if workspace and path.resolve().is_relative_to(workspace) and not found.is_relative_to(workspace):
        return workspace
    return found


def original_step(request: Request) -> Step:
    """y_0."""
    text = request.unit.span.of(request.snapshot.text)
    verdict = Verdict(
        accepted=True,
        checks=(),
        score=0.0,
        evidence=Evidence.NONE,
        metrics_before=measure_unit(text).as_dict(),
    )
    return Step(candidate=Candidate(iteration=0, origin="original", unit_text=text), verdict=verdict)


def changed_text(request: Request, candidate: Candidate) -> str:
    """The whole file with the candidate in it."""
    return replace_unit(request.snapshot, request.unit, candidate.unit_text, candidate.imports)


def saying(report: Report) -> Callable[[str, str], None]:
    """What checks say, as progress."""
    return lambda step, detail: report(Progress(step=step, detail=detail))
