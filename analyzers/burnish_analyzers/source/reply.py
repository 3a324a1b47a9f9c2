"""From a model's code reply to the text of one unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from burnish_analyzers.errors import SourceError
from burnish_analyzers.source.edits import unit_newline
from burnish_analyzers.source.imports import FILE_COMMENT, IMPORT_NODES, missing_imports
from burnish_analyzers.source.indentation import code_lines, fit_lines, indent_step, tokens
from burnish_analyzers.source.line_index import split_lines
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.tree import SyntaxTree
from burnish_analyzers.source.units import DEFINITIONS, HOLDERS, Unit, UnitKind, script_unit, units

_BLOCKS = ("module", "block")
_DOING = ("call", "assignment", "augmented_assignment", "await", "yield")
_HARMLESS = ("comment", "pass_statement", *IMPORT_NODES)
# After dots, one of these words stands for code that was left out ...
_ELISION_WORD = re.compile(
    r"\b(rest|remain\w*|unchanged|existing|same|omitted|previous|original|other|code|implementation|continue\w*|snip\w*)\b"
)
# ... and one of these sentences does so without dots.
_ELISION = re.compile(
    r"""(?:the\ |your\ |all\ )?
    (?:(?:rest|remainder)(?:\ of\ (?:the\ |this\ |your\ )?\w+(?:\ \w+)?)?
      |(?:existing|previous|original|remaining|unchanged|other|same)
       \ (?:code|implementation|logic|body|lines|methods|functions))
    (?:\ (?:is|are|as|remains?|stays?|goes|continues?|the|same|unchanged|before|here|omitted|above|below|follows?))*
    |(?:code\ )?unchanged
    |same\ as\ (?:before|above|(?:the\ )?original)
    |(?:code\ |lines\ |body\ |implementation\ )?omitted(?:\ for\ brevity)?
    |snip(?:ped)?""",
    re.VERBOSE,
)


class ReplyError(SourceError):
    """The reply does not give the unit; `problem` says why in words that fit any giver: "leaves out parts of `f`"."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"The reply {problem}, so nothing was changed: {remedy}.")
        self.problem = problem


def fit_reply(snapshot: Snapshot, unit: Unit, reply: str) -> tuple[str, tuple[str, ...]]:
    """The unit's new text, with the indentation and newlines of its file, and the imports it needs at module level.

    `reply` is code: the unit alone at any indentation, or its class or file around it, of which only the unit is taken.
    Raises ReplyError if the unit is missing or cut short, if something beside it changed, or if it is not Python.
    """
    tree, found = _read(snapshot, unit, reply.removeprefix("\ufeff"))
    if _elides(snapshot.tree, unit, tree, found):
        raise _elided(unit)
    added = _added(snapshot.tree, tree, found) if unit.kind is not UnitKind.SCRIPT else []
    _refuse_changes(unit, tree, added)
    own = unit.span.of(snapshot.text)
    unit_text = fit_lines(
        code_lines(snapshot.tree, unit.span, unit.indent),
        code_lines(tree, found.span, found.indent),
        indent_step(snapshot.text),
        unit_newline(snapshot, unit),
    )
    if unit.kind is UnitKind.SCRIPT:
        return _with_file_comments(own, unit_text), ()
    return unit_text, _needed_imports(snapshot.tree, tree, added, unit_text)


def _read(snapshot: Snapshot, unit: Unit, text: str) -> tuple[SyntaxTree, Unit]:
    """The reply as Python, and the unit in it."""
    text = text.lstrip("\r\n")
    readings = [text]
    if unit.kind is not UnitKind.SCRIPT:
        # Inside a block, a reply that is indented as in its class is Python as it stands.
        readings.append(f"if 1:\n{text}")
    found = [
        (one.tree, chosen) for one in map(_document, readings) if (chosen := _choose(snapshot, unit, one)) is not None
    ]
    if unit.indent and not text.startswith((" ", "\t")) and f"\n{unit.indent}" in text:
        # It may be indented so but for its first line, as the span of a unit is.
        shifted = _document(f"if 1:\n{unit.indent}{text}")
        chosen = _choose(snapshot, unit, shifted)
        if chosen is not None and chosen.start_line == 2:
            found.insert(0, (shifted.tree, chosen))
    sound = [(tree, chosen) for tree, chosen in found if not tree.has_error]
    if sound or (found and unit.has_error):
        return (sound or found)[0]
    if any(_says_elided(line.strip()) for line in split_lines(text)):
        raise _elided(unit)
    if found:
        raise ReplyError(f"for {_called(unit)} is not valid Python", "ask again")
    raise ReplyError(f"holds no code for {_called(unit)}", "ask again")


def _document(text: str) -> Snapshot:
    return Snapshot(path=None, text=text)


def _choose(snapshot: Snapshot, unit: Unit, reply: Snapshot) -> Unit | None:
    """The unit in the reply: by the longest part of its qualname that is there, then by its place or its decorators."""
    if unit.kind is UnitKind.SCRIPT:
        return None if _is_prose(reply.tree) else script_unit(reply)
    parts = unit.qualname.split(".")
    everything = units(reply)
    candidates = ([one for one in everything if one.qualname == ".".join(parts[start:])] for start in range(len(parts)))
    named = next((some for some in candidates if some), [])
    if not named:
        return None
    same = [one for one in units(snapshot) if one.qualname == unit.qualname]
    if len(named) == len(same):
        chosen = named[unit.occurrence]
    else:
        alike = [one for one in named if one.decorators == unit.decorators]
        chosen = (alike or [one for one in named if not one.is_overload] or named)[-1]
    return chosen if len(chosen.body_span) else None


def _is_prose(tree: SyntaxTree) -> bool:
    """Whether a text that may be Python does nothing, as a single word does."""
    return not any(
        node.type != "expression_statement" or _expression(node) in _DOING
        for root in tree.roots
        for node in root.named_children
        if node.type != "comment"
    )


def _elides(old_tree: SyntaxTree, unit: Unit, tree: SyntaxTree, found: Unit) -> bool:
    """Whether the reply stands for code that it does not show."""
    old, new = list(tokens(old_tree, unit.span)), list(tokens(tree, found.span))
    known = {old_tree.source(token) for token in old if token.type == "comment"}
    comments = {tree.source(token) for token in new if token.type == "comment"} - known
    return sum(map(_is_placeholder, new)) > sum(map(_is_placeholder, old)) or any(map(_says_elided, comments))


def _is_placeholder(token: Node) -> bool:
    return token.type == "ellipsis" and token.parent is not None and token.parent.type == "expression_statement"


def _says_elided(line: str) -> bool:
    content = line.lstrip("# \t([<")
    words = content.strip(" \t.…)]>").lower()
    if content.startswith(("...", "…")):
        return not words or _ELISION_WORD.search(words) is not None
    return _ELISION.fullmatch(words) is not None


def _outside(tree: SyntaxTree, found: Unit) -> Iterator[Node]:
    """The statements beside the unit, in its class and in the module, where the reply has those too."""
    start, end = tree.byte_of(found.span.start), tree.byte_of(found.span.end)
    pending = list(tree.roots)
    while pending:
        node = pending.pop()
        for child in node.named_children:
            if (
                child.start_byte <= start
                and end <= child.end_byte
                and (child.start_byte, child.end_byte) != (start, end)
            ):
                pending.append(child)
            elif node.type in _BLOCKS and (child.end_byte <= start or end <= child.start_byte):
                yield child


def _added(old_tree: SyntaxTree, tree: SyntaxTree, found: Unit) -> list[Node]:
    """The statements beside the unit that the file does not have."""
    outside = list(_outside(tree, found))
    if not outside:
        return []
    known = {_gist(old_tree, node) for root in old_tree.roots for node in _statements(root)}
    return [node for node in outside if _gist(tree, node) not in known]


def _refuse_changes(unit: Unit, tree: SyntaxTree, added: Sequence[Node]) -> None:
    """Raise ReplyError for a statement beside the unit that could matter."""
    for node in added:
        gist = _gist(tree, node)
        if node.type not in _HARMLESS and not _is_mere_expression(node) and "__main__" not in gist:
            raise ReplyError(
                f"also changes `{gist.partition(chr(10))[0]}` outside of {_called(unit)}", "ask for that one alone"
            )


def _statements(root: Node) -> Iterator[Node]:
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in _BLOCKS or node.type == "ERROR":
            yield from node.named_children
        pending += [child for child in node.named_children if child.type in HOLDERS or child.type in DEFINITIONS]


def _is_mere_expression(node: Node) -> bool:
    """Whether a statement binds nothing, such as a docstring or a call that shows how the unit is used."""
    return node.type == "expression_statement" and _expression(node) not in ("assignment", "augmented_assignment")


def _expression(statement: Node) -> str:
    """The type of what an expression statement holds."""
    return statement.named_children[0].type if statement.named_children else ""


def _gist(tree: SyntaxTree, node: Node) -> str:
    """The code of a statement without indentation, blank lines and comment lines."""
    lines = (line.strip() for line in split_lines(tree.source(node)))
    return "\n".join(line for line in lines if line and not line.startswith("#"))


def _needed_imports(old_tree: SyntaxTree, tree: SyntaxTree, added: Sequence[Node], unit_text: str) -> tuple[str, ...]:
    """The added imports that the module lacks at its top and the unit uses."""
    statements = [tree.source(node) for node in added if node.type in ("import_statement", "import_from_statement")]
    words = set(re.findall(r"\w+", unit_text))
    return tuple(one.statement for one in missing_imports(old_tree, statements) if one.bound_name in words)


def _with_file_comments(old: str, new: str) -> str:
    """`new` below the shebang and the encoding line of `old`, which replies tend to leave out."""
    head = [line for line in split_lines(old)[:2] if FILE_COMMENT.match(line)]
    return "".join(line for line in head if line.strip() not in new) + new


def _called(unit: Unit) -> str:
    return f"`{unit.qualname}`" if unit.qualname else "the script"


def _elided(unit: Unit) -> ReplyError:
    return ReplyError(f"leaves out parts of {_called(unit)}", "ask for the whole of it")
