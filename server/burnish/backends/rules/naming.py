"""Names for new variables."""

from __future__ import annotations

import builtins

import libcst as cst

from burnish.backends.rules.scopes import Scope
from burnish.backends.rules.tree import UnitTree, binding_loop

_IRREGULAR = {
    "children": "child",
    "people": "person",
    "indices": "index",
    "matrices": "matrix",
    "data": "",
    "series": "",
}
_NO_PLURALS = ("ss", "us", "is", "as")


def singular(name: str) -> str | None:
    """ "user" for "users"; None for a name that is no plural."""
    head, _, last = name.removesuffix("_list").rpartition("_")
    if name.endswith("_list"):
        return f"{head}_{last}" if head else last if len(last) > 2 else None
    one = _singular_word(last)
    return (f"{head}_{one}" if head else one) if one else None


def _singular_word(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if (
        len(word) < 4
        or not word.isalpha()
        or not word.islower()
        or not word.endswith("s")
        or word.endswith(_NO_PLURALS)
    ):
        return ""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


def free_name(unit: UnitTree, *wishes: str | None) -> str | None:
    """The first of `wishes` that means nothing in the unit or its module."""
    return next((wish for wish in wishes if wish and unit.is_free(wish)), None)


def loop_name(unit: UnitTree, loop: cst.CSTNode, *wishes: str | None) -> str | None:
    """The first of `wishes` that is free, or that means nothing but the variable of loops beside `loop`."""
    return next((wish for wish in wishes if wish and (unit.is_free(wish) or _is_elsewhere(unit, wish, loop))), None)


def _is_elsewhere(unit: UnitTree, name: str, loop: cst.CSTNode) -> bool:
    if (name in unit.facts.bound and not unit.script) or name in dir(builtins):
        return False
    binders = [binding_loop(unit, each) for each in unit.index.occurrences.get(name, ())]
    return all(each is not None and not unit.contains(each, loop) and not unit.contains(loop, each) for each in binders)


def temporary_name(unit: UnitTree, place: cst.CSTNode, *wishes: str) -> str | None:
    """The first of `wishes` that is free, or that this function uses only from one line to the next."""
    free = (wish for wish in wishes if unit.is_free(wish) or _is_temporary(unit, wish, unit.scope(place)))
    return next(free, None)


def _is_temporary(unit: UnitTree, name: str, scope: Scope) -> bool:
    """Whether each use of the local variable `name` is in the statement right below one that binds it."""
    if (name in unit.facts.bound and not unit.script) or not unit.is_local(name, scope):
        return False
    bound_in = {unit.statement_of(each.node) for each in unit.variable(name, scope) if each.binds}
    loads = [each.node for each in unit.variable(name, scope) if not each.binds]
    return all(any(_previous(unit, each) in bound_in for each in [load, *unit.ancestors(load)]) for load in loads)


def _previous(unit: UnitTree, node: cst.CSTNode) -> cst.BaseStatement | None:
    siblings = unit.siblings(node)
    place = next((place for place, each in enumerate(siblings) if each is node), 0)
    return siblings[place - 1] if place else None
