"""The metrics of a unit, and of a file with all its units."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from burnish_analyzers.metrics.bindings import Binding, bindings
from burnish_analyzers.metrics.comments import comments
from burnish_analyzers.metrics.complexity import Halstead, HalsteadReader, as_module, maintainability_index
from burnish_analyzers.metrics.names import Name, judge, meaningful_ratio, vagueness
from burnish_analyzers.metrics.readability import Readability, readability_score
from burnish_analyzers.metrics.structure import Structure, structures
from burnish_analyzers.source.line_index import Span, split_lines
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.tree import SyntaxTree
from burnish_analyzers.source.units import Unit, script_unit, units

EDGE_COLUMNS = 100
"""Code past this column is a burden on the reader."""
_DEFINITIONS = ("function_definition", "class_definition", "decorated_definition")


@dataclass(frozen=True, kw_only=True)
class UnitMetrics:
    """The measures of one unit; those that `Structure` has too are explained there.

    `lines` are the lines with code or a docstring on them. `halstead` and `maintainability` are None where radon cannot
    read the code. From `tokens` on it is what `readability` is made of.
    """

    cyclomatic: int
    halstead: Halstead | None
    maintainability: float | None
    lines: int
    nesting: int
    parameters: int
    meaningful_ratio: float
    comment_ratio: float
    function_units: int
    tokens: int
    statements: int
    decisions: int
    indentation: int
    vague_names: float
    excess_columns: int

    @property
    def readability_parts(self) -> Readability:
        """The readability score with what each part costs."""
        return readability_score(self)

    @property
    def readability(self) -> float:
        """The readability score, 0-100."""
        return self.readability_parts.score

    def as_dict(self) -> dict[str, float]:
        """The measures by name; those that are not known are left out."""
        return {name: float(value) for name, value in self.as_document().items() if value is not None}

    def as_document(self) -> dict[str, float | None]:
        """The measures by name, always the same ones."""
        return {
            "cyclomatic": self.cyclomatic,
            "halstead_volume": self.halstead.volume if self.halstead else None,
            "halstead_difficulty": self.halstead.difficulty if self.halstead else None,
            "maintainability": self.maintainability,
            "lines": self.lines,
            "nesting": self.nesting,
            "parameters": self.parameters,
            "meaningful_ratio": self.meaningful_ratio,
            "comment_ratio": self.comment_ratio,
            "function_units": self.function_units,
            "readability": self.readability,
        }


@dataclass(frozen=True, kw_only=True)
class MeasuredUnit:
    """A unit of a file with its measures."""

    unit: Unit
    metrics: UnitMetrics


@dataclass(frozen=True, kw_only=True)
class FileMetrics:
    """The measures of a file, of its names, and of its units in source order; a script is the first of its units.

    `error_line` is that of the first syntax error, counted from 1: the measures are then of what could be read.
    """

    path: str | None
    error_line: int | None
    names: tuple[Name, ...]
    meaningful_ratio: float
    comment_ratio: float
    function_units: int
    units: tuple[MeasuredUnit, ...]

    def as_document(self) -> dict[str, object]:
        """One entry of `files` in the JSON document of `burnish measure`."""
        return {
            "path": self.path,
            "error_line": self.error_line,
            "names": [
                {"name": name.name, "kind": str(name.kind), "meaningful": name.meaningful, "why": name.why}
                for name in self.names
            ],
            "meaningful_ratio": self.meaningful_ratio,
            "comment_ratio": self.comment_ratio,
            "function_units": self.function_units,
            "units": [
                {
                    "qualname": measured.unit.qualname,
                    "kind": str(measured.unit.kind),
                    "start_line": measured.unit.start_line,
                    "end_line": measured.unit.end_line,
                    "metrics": measured.metrics.as_document(),
                }
                for measured in self.units
            ],
        }


def measure_unit(text: str) -> UnitMetrics:
    """The measures of a unit's text, with or without its indentation: a definition, or else a script."""
    module, start = as_module(text)
    tree = SyntaxTree.parse(module)
    measures = _Measures(tree)
    span = Span(start, len(module))
    return measures.of_definition(span) if _is_definition(tree, start) else measures.of_script(span)


def measure_file(snapshot: Snapshot) -> FileMetrics:
    """The measures of a file and all its units. A file with syntax errors is measured as far as it can be made out."""
    measures = _Measures(snapshot.tree)
    found = [MeasuredUnit(unit=unit, metrics=measures.of_definition(unit.span)) for unit in units(snapshot)]
    if _is_script(snapshot.tree) or (not found and snapshot.text.strip()):
        script = script_unit(snapshot)
        found.insert(0, MeasuredUnit(unit=script, metrics=measures.of_script(script.span)))
    judged = judge(snapshot.text, measures.bindings)
    return FileMetrics(
        path=str(snapshot.path) if snapshot.path is not None else None,
        error_line=snapshot.tree.error_line,
        names=judged,
        meaningful_ratio=meaningful_ratio(judged),
        comment_ratio=measures.comment_ratio(Span(0, len(snapshot.text))),
        function_units=measures.structures.whole.function_units,
        units=tuple(found),
    )


class _Measures:
    """What is found in one pass over a text, to be asked for its parts."""

    def __init__(self, tree: SyntaxTree) -> None:
        self._tree = tree
        self.structures = structures(tree)
        self.bindings = bindings(tree)
        self._definitions = sorted(self.structures.definitions)
        self._binding_bytes = [binding.node.start_byte for binding in self.bindings]
        self._comment_lines = [comment.line - 1 for comment in comments(tree)]
        self._count_lines()

    def of_definition(self, span: Span) -> UnitMetrics:
        """The measures of the definition in `span`, the first that starts there."""
        start = self._definitions[bisect_left(self._definitions, self._tree.byte_of(span.start))]
        line = self._tree.lines.line_of(self._tree.offset_of(start)) + 1
        if self._halstead.can_read:
            found = self._halstead.of_definition(line)
        else:
            found = HalsteadReader(as_module(span.of(self._tree.text))[0]).of_definition()
        return self._metrics(span, self.structures.definitions[start], found)

    def of_script(self, span: Span) -> UnitMetrics:
        """The measures of the whole text, which is in `span`."""
        return self._metrics(span, self.structures.whole, self._halstead.of_text())

    def comment_ratio(self, span: Span) -> float:
        """Self-Refine's measure: comments over the lines that are not blank.

        A comment after code counts like any other, pragmas too; docstrings are no comments, but their lines are lines.
        0.0 for a blank text.
        """
        first, last = self._lines(span)
        return _ratio(self._comments_in(first, last), self._not_blank[last] - self._not_blank[first])

    def _metrics(self, span: Span, structure: Structure, found: Halstead | None) -> UnitMetrics:
        first, last = self._lines(span)
        lines = self._with_code[last] - self._with_code[first]
        index = None
        if found is not None:
            comments_a_line = _ratio(self._comments_in(first, last), lines)
            index = maintainability_index(found.volume, structure.cyclomatic, structure.statements, comments_a_line)
        bound = self._bindings_in(span)
        judged = judge(span.of(self._tree.text), bound)
        return UnitMetrics(
            cyclomatic=structure.cyclomatic,
            halstead=found,
            maintainability=index,
            lines=lines,
            nesting=structure.nesting,
            parameters=structure.parameters,
            meaningful_ratio=meaningful_ratio(judged),
            comment_ratio=self.comment_ratio(span),
            function_units=structure.function_units,
            tokens=structure.tokens,
            statements=structure.statements,
            decisions=structure.decisions,
            indentation=structure.indentation,
            vague_names=sum(vagueness(name, bound) for name in judged),
            excess_columns=self._excess[last] - self._excess[first],
        )

    @cached_property
    def _halstead(self) -> HalsteadReader:
        return HalsteadReader(self._tree.text)

    def _lines(self, span: Span) -> tuple[int, int]:
        """The first line of `span`, 0-based, and the one after its last."""
        return self._tree.lines.line_of(span.start), self._tree.lines.line_of(span.end) + 1

    def _comments_in(self, first: int, last: int) -> int:
        return bisect_left(self._comment_lines, last) - bisect_left(self._comment_lines, first)

    def _bindings_in(self, span: Span) -> Sequence[Binding]:
        start, end = self._tree.byte_of(span.start), self._tree.byte_of(span.end)
        return self.bindings[bisect_left(self._binding_bytes, start) : bisect_left(self._binding_bytes, end)]

    def _count_lines(self) -> None:
        """How many lines before each line are not blank, how many have code, and by how much these are too long."""
        commented = set(self._comment_lines)
        not_blank, with_code, excess = [], [], []
        for number, line in enumerate(split_lines(self._tree.text)):
            stripped = line.strip()
            not_blank.append(bool(stripped))
            with_code.append(bool(stripped) and not (number in commented and stripped.startswith("#")))
            excess.append(self._excess_of(number) if len(line) > EDGE_COLUMNS else 0)
        self._not_blank, self._with_code, self._excess = (
            [0, *accumulate(counts), sum(counts)] for counts in (not_blank, with_code, excess)
        )

    def _excess_of(self, number: int) -> int:
        """The columns of a line past the edge, up to the comment or docstring on it."""
        line = self._tree.lines.line_span(number)
        start, end = self._tree.byte_of(line.start), self._tree.byte_of(line.end)
        prose_start = min((begin for begin, stop in self.structures.prose if begin < end and stop > start), default=end)
        code = self._tree.text[line.start : self._tree.offset_of(max(start, prose_start))]
        return max(0, len(code.rstrip()) - EDGE_COLUMNS)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _is_definition(tree: SyntaxTree, start: int) -> bool:
    """Whether what starts at `start` is one definition and nothing else."""
    statements = [child for root in tree.roots for child in root.named_children if child.type != "comment"]
    if start and len(statements) == 1:
        body = statements[0].child_by_field_name("consequence")
        statements = [child for child in body.named_children if child.type != "comment"] if body is not None else []
    return len(statements) == 1 and statements[0].type in _DEFINITIONS


def _is_script(tree: SyntaxTree) -> bool:
    """Whether a file does something by itself: it loops or calls functions outside of all definitions."""
    return any(
        child.type in ("for_statement", "while_statement")
        or (child.type == "expression_statement" and child.named_children[0].type == "call")
        for root in tree.roots
        for child in root.named_children
        if child.named_children
    )
