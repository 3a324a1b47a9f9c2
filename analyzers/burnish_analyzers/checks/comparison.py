"""Compares portraits of what two calls did: JSON that processes under judgement drew, compared outside of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Node = list[Any]
MOST_SHOWN = 300
BRACKETS = {"list": "[]", "tuple": "()", "set": "{}", "dict": "{}", "frozenset": "{}"}
LISTED = frozenset({"list", "map", "set", "value", "object"})
MET = ["=", "", "an object met before"]
MET_ELSE = ["=", "", "another object met before"]
OWN = ["=", "", "an object of its own"]


class IncomparableError(Exception):
    """The two cannot be judged: neither same nor different would be honest."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Where two portraits part, and the nodes there."""

    path: str
    old: Node
    new: Node


def difference(old: Node, new: Node, path: str = "") -> Difference | None:
    """The first difference of two portraits (`runner/portrait.py` describes them), None where they are the same.

    Raises IncomparableError where nobody could say.
    """
    for node in (old, new):
        if node[0] == "?":
            raise IncomparableError(node[1])
    if old[0] == "ref" or new[0] == "ref":
        return aliases(old, new, path)
    if old[:2] != new[:2]:
        if old[0] == new[0] == "code":
            raise IncomparableError("returns a function whose code was rewritten")
        return Difference(path=path, old=old, new=new)
    if old[0] == "=":
        return None if old[2] == new[2] else Difference(path=path, old=old, new=new)
    if old[0] == "code":
        return None
    return parts(old, new, path)


def aliases(old: Node, new: Node, path: str) -> Difference | None:
    """Two nodes of which one at least stands for an object met before: they must stand for each other's."""
    if old == new:
        return None
    shown = [MET if node[0] == "ref" else OWN for node in (old, new)]
    return Difference(path=path, old=shown[0], new=MET_ELSE if shown[0] is shown[1] else shown[1])


def parts(old: Node, new: Node, path: str) -> Difference | None:
    """Two values of one type with parts."""
    olds, news = old[2], new[2]
    whole = Difference(path=path, old=old, new=new)
    for index, ((label, one), (other_label, other)) in enumerate(zip(olds, news, strict=False)):
        if label != other_label and label != "key" and old[0] != "map":
            return whole
        if len(olds) != len(news) and old[0] in ("list", "set"):
            return whole
        below = path if label in ("key", "", "class") else path + label
        found = difference(one, other, below)
        if found is None:
            continue
        if old[0] in ("set", "value"):
            return whole
        if old[0] == "map" and label == "key":
            return Difference(path=f"{path} (keys in order)", old=keys(old, index), new=keys(new, index))
        return found
    return whole if len(olds) != len(news) else None


def keys(node: Node, around: int) -> Node:
    """The keys of a mapping as a list."""
    listed = [["", child] for label, child in node[2] if label == "key"]
    return ["list", "list", listed[max(0, around // 2 - 10) : around // 2 + 20]]


def shown(node: Node, most: int = MOST_SHOWN) -> str:
    """A portrait as a person would write the value, cut short."""
    text = written(node, 0)
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"


def written(node: Node, depth: int) -> str:
    """A portrait in Python's words, as far as they go."""
    kind = node[0]
    if kind == "=":
        return str(node[2])
    if kind not in LISTED or depth > 6:
        return "…"
    children = [(label, child) for label, child in node[2][:50] if label not in ("class", "code")]
    if kind == "map":
        texts = [written(child, depth + 1) for label, child in children if not label.startswith(".")]
        return "{" + ", ".join(f"{key}: {value}" for key, value in zip(texts[::2], texts[1::2], strict=False)) + "}"
    plain = [written(child, depth + 1) for label, child in children if not label.startswith(".")]
    if brackets := BRACKETS.get(node[1]):
        tail = "," if node[1] == "tuple" and len(plain) == 1 else ""
        return f"{brackets[0]}{', '.join(plain)}{tail}{brackets[1]}" if plain or kind != "set" else f"{node[1]}()"
    named = [f"{label[1:]}={written(child, depth + 1)}" for label, child in children if label.startswith(".")]
    return f"{node[1].rpartition('.')[2]}({', '.join([*plain, *named])})"
