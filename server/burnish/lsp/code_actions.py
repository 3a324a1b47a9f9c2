"""What can be refined at a place in a document. No IO: this runs on every move of the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from burnish.lsp.conversions import span_of
from burnish.lsp.documents import Document
from burnish.lsp.extensions import REFINE_COMMAND
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.line_index import Span
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.tree import SyntaxTree
from burnish_analyzers.source.units import Unit, UnitKind, script_unit, unit_at

KINDS = {goal: f"{types.CodeActionKind.RefactorRewrite.value}.burnish.{goal}" for goal in Goal}
UNTRUSTED = "Burnish only measures in an untrusted workspace; trust it to refine."


def code_actions(
    document: Document, params: types.CodeActionParams, *, trusted: bool, can_disable: bool
) -> list[types.CodeAction]:
    """One action for each wanted goal, for the unit that holds the cursor or the selection.

    What cannot be refined is offered disabled, with the reason, where the client shows that; else not at all.
    """
    goals = _wanted(params.context.only)
    if not goals or not document.is_python:
        return []
    tree = document.tree  # before the index, which comes with it
    unit = _unit_of(tree, span_of(params.range, document.index, document.encoding))
    if unit is None or unit.is_overload:
        return []
    obstacle = _obstacle(unit, trusted=trusted)
    if obstacle and not can_disable:
        return []
    return [_action(document, unit, goal, obstacle) for goal in goals]


def title(unit: Unit, goal: Goal) -> str:
    """What refining this unit is called in menus and progress."""
    return f"Refine {unit_name(unit)} for {goal}"


def unit_name(unit: Unit) -> str:
    """The unit, for people."""
    return "this script" if unit.kind is UnitKind.SCRIPT else f"`{unit.name}`"


def _wanted(only: Sequence[types.CodeActionKind | str] | None) -> list[Goal]:
    """The goals whose kind is, or is under, one of the kinds asked for; asking for none in particular asks for all."""
    if only is None:
        return list(Goal)
    asked = [kind.value if isinstance(kind, types.CodeActionKind) else kind for kind in only]
    return [goal for goal in Goal if any(not kind or f"{KINDS[goal]}.".startswith(f"{kind}.") for kind in asked)]


def _unit_of(tree: SyntaxTree, span: Span) -> Unit | None:
    text = tree.text
    unit = unit_at(tree, text, span)
    if unit is None and span.of(text).strip() == text.strip() != "":
        return script_unit(Snapshot(path=None, text=text))
    return unit


def _obstacle(unit: Unit, *, trusted: bool) -> str | None:
    if not trusted:
        return UNTRUSTED
    if unit.has_error:
        return f"There is a syntax error in {unit_name(unit)}; correct it first."
    return None


def _action(document: Document, unit: Unit, goal: Goal, obstacle: str | None) -> types.CodeAction:
    action = types.CodeAction(title=title(unit, goal), kind=KINDS[goal])
    if obstacle:
        action.disabled = types.CodeActionDisabled(reason=obstacle)
        return action
    arguments = {
        "uri": document.uri,
        "version": document.version,
        "qualname": unit.qualname,
        "startLine": unit.start_line,
        "endLine": unit.end_line,
        "goal": goal.value,
    }
    action.command = types.Command(title=action.title, command=REFINE_COMMAND, arguments=[arguments])
    return action
