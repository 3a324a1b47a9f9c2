"""What is offered where, without a connection."""

from __future__ import annotations

import pytest
from lsprotocol import types

from burnish.lsp.code_actions import code_actions
from burnish.lsp.documents import Document

CODE = """\
import os

LIMIT = 3


class Basket:
    def total(self):
        return sum(self.items)

    async def load(self): ...


@decorated
def outer():
    def inner():
        return LIMIT

    return inner


def broken(:
    return
"""


def actions(
    place: tuple[int, int, int, int],
    text: str = CODE,
    *,
    only: list[str] | None = None,
    language: str = "python",
    trusted: bool = True,
    can_disable: bool = True,
) -> list[types.CodeAction]:
    params = types.CodeActionParams(
        types.TextDocumentIdentifier("file:///code.py"),
        types.Range(types.Position(*place[:2]), types.Position(*place[2:])),
        types.CodeActionContext(diagnostics=[], only=only),  # type: ignore[arg-type]
    )
    document = Document("file:///code.py", source=text, version=1, language_id=language)
    return code_actions(document, params, trusted=trusted, can_disable=can_disable)


def titles(*place: int, text: str = CODE) -> list[str]:
    found = actions((place[0], place[1], place[-2], place[-1]), text)
    return [action.title.removesuffix(" for readability") for action in found[:1]]


@pytest.mark.parametrize(
    ("place", "title"),
    [
        ((5, 2), ["Refine `Basket`"]),
        ((7, 0), ["Refine `total`"]),
        ((9, 8), ["Refine `load`"]),
        ((12, 0), ["Refine `outer`"]),
        ((15, 20), ["Refine `inner`"]),
        ((6, 4, 7, 10), ["Refine `total`"]),
        ((6, 4, 9, 10), ["Refine `Basket`"]),
        ((0, 3), []),
        ((3, 0), []),
        ((0, 0, 2, 9), []),
        ((7, 0, 15, 0), []),
        ((0, 0, 22, 0), ["Refine this script"]),
    ],
)
def test_the_unit_is_the_smallest_that_holds_the_cursor_or_selection(place: tuple[int, ...], title: list[str]) -> None:
    assert titles(*place) == title


def test_a_selection_of_all_that_is_not_blank_is_the_whole_script() -> None:
    assert titles(1, 0, 2, 8, text="\nx = 1\nprint(x)\n\n") == ["Refine this script"]
    assert titles(1, 0, 2, 7, text="\nx = 1\nprint(x)\n\n") == []
    assert titles(0, 0, 2, 0, text="\n \n\n") == []


@pytest.mark.parametrize(
    ("only", "goals"),
    [
        (None, ["readability", "performance"]),
        ([], []),
        ([""], ["readability", "performance"]),
        (["refactor"], ["readability", "performance"]),
        (["refactor.rewrite"], ["readability", "performance"]),
        (["refactor.rewrite.burnish"], ["readability", "performance"]),
        (["refactor.rewrite.burnish.performance"], ["performance"]),
        (["quickfix", "refactor.rewrite.burnish.readability"], ["readability"]),
        (["refactor.rewrite.burnish.readability.more"], []),
        (["refactor.rew"], []),
        (["refactor.extract"], []),
        (["source", "quickfix"], []),
        (["source.fixAll"], []),
    ],
)
def test_only_is_honoured_as_a_hierarchy(only: list[str] | None, goals: list[str]) -> None:
    found = actions((7, 0, 7, 0), only=only)
    assert [action.kind for action in found] == [f"refactor.rewrite.burnish.{goal}" for goal in goals]


def test_only_python_is_offered_anything() -> None:
    assert actions((7, 0, 7, 0), language="markdown") == []


def test_a_syntax_error_inside_is_the_reason_why_not() -> None:
    found = actions((20, 6, 20, 6))
    assert [action.disabled and action.disabled.reason for action in found] == [
        "There is a syntax error in `broken`; correct it first."
    ] * 2
    assert [action.command for action in found] == [None, None]
    assert actions((20, 6, 20, 6), can_disable=False) == []


def test_a_syntax_error_elsewhere_does_not_matter() -> None:
    assert [action.disabled for action in actions((7, 0, 7, 0))] == [None, None]


def test_an_untrusted_workspace_is_only_measured() -> None:
    [action, _] = actions((7, 0, 7, 0), trusted=False)
    assert action.disabled is not None
    assert action.command is None
    assert actions((7, 0, 7, 0), trusted=False, can_disable=False) == []


def test_an_overload_stub_has_nothing_to_refine() -> None:
    text = "@overload\ndef f(x: int) -> int: ...\ndef f(x):\n    return x\n"
    assert actions((1, 5, 1, 5), text) == []
    assert len(actions((2, 5, 2, 5), text)) == 2
