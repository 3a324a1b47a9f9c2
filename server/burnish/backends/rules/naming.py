"""Names for new variables."""

from __future__ import annotations

import builtins

import libcst as cst

from burnish.backends.rules.scopes import Scope
from burnish.backends.rules.tree import UnitTree, binding_loop

_IRREGULAR = """
    children:child people:person men:man women:woman feet:foot teeth:tooth mice:mouse indices:index
    matrices:matrix vertices:vertex appendices:appendix axes:axis crises:crisis theses:thesis
    hypotheses:hypothesis analyses:analysis parentheses:parenthesis synopses:synopsis diagnoses:diagnosis
    quizzes:quiz lives:life wives:wife knives:knife leaves:leaf halves:half shelves:shelf wolves:wolf
    loaves:loaf thieves:thief calves:calf scarves:scarf heroes:hero potatoes:potato
    tomatoes:tomato echoes:echo shoes:shoe toes:toe gases:gas lenses:lens aliases:alias canvases:canvas
    atlases:atlas biases:bias
"""
# What is one or many, no plural at all, or the plural of several words.
_NO_PLURAL = """
    data series species news lens means pants shorts scissors glasses clothes thanks goods headquarters chaos
    ethos logos cosmos always sometimes perhaps contents savings earnings physics mathematics maths statistics
    analytics politics economics graphics basics bases ellipses media criteria yes kudos props this has was
    does goes
"""
# "statuses" has lost its "es", "houses" only its "s".
_ON_US = """
    bus status virus bonus campus chorus census corpus minus plus focus radius nexus syllabus walrus genus
    opus octopus consensus apparatus cactus fetus surplus circus
"""
_ON_IE = """
    movies cookies zombies ties pies dies lies calories genies rookies hoodies smoothies prairies brownies
    selfies pixies birdies bookies goalies newbies
"""
_ON_CHE = "caches niches aches headaches avalanches quiches mustaches creches"
_NO_PLURALS = ("ss", "us", "is", "as")
_LOSE_ES = ("sses", "xes", "ches", "shes", "zzes", "tzes")
_LOSE_S = ("ases", "ises", "oses", "nses", "rses", "lses", "pses", "auses", "ouses")


def singular(name: str) -> str | None:
    """ "user" for "users"; None for a name that is no plural, or whose singular is not sure."""
    head, _, last = name.removesuffix("_list").rpartition("_")
    one = _singular_word(last)
    if name.endswith("_list") and not one and (head or len(last) > 2) and not _looks_plural(last):
        one = last
    return (f"{head}_{one}" if head else one) if one else None


def _looks_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(_NO_PLURALS)


def _singular_word(word: str) -> str:
    irregular = dict(pair.split(":") for pair in _IRREGULAR.split())
    if word in irregular:
        return irregular[word]
    if (
        len(word) < 4
        or not word.isalpha()
        or not word.islower()
        or word in _NO_PLURAL.split()
        or not _looks_plural(word)
    ):
        return ""
    if word.endswith("ies"):
        return word[:-1] if word in _ON_IE.split() else word[:-3] + "y"
    return _without_es(word) if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")) else word[:-1]


def _without_es(word: str) -> str:
    """The singular of a word on a sibilant and "es"; nothing where it is not sure."""
    if word in _ON_CHE.split():
        return word[:-1]
    if word.endswith(_LOSE_ES) or word[:-2] in _ON_US.split():
        return word[:-2]
    return word[:-1] if word.endswith((*_LOSE_S, "zes")) else ""


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
