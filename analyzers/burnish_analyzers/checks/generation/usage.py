"""What kinds of value a parameter without a type takes, guessed from its name, its default and its use in the body."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from burnish_analyzers.checks.generation.values import Choice, Values, containers, listed, mapped

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
ITERATING = frozenset(
    ["iter", "list", "tuple", "set", "frozenset", "sorted", "enumerate", "zip", "sum", "min", "max", "any", "all"]
)
PASSING_ON = frozenset(["map", "filter", "reversed", "chain", "tee", "deque", "Counter", "join", "extend", "starmap"])
COUNTING = frozenset(
    ["range", "abs", "round", "divmod", "pow", "int", "float", "isqrt", "sqrt", "gcd", "comb", "floor"]
)
CALLING = frozenset(["map", "filter", "reduce", "filterfalse", "takewhile", "dropwhile", "starmap", "partial"])
METHODS = {
    "text": "split strip lower upper startswith endswith replace encode format rstrip lstrip splitlines isdigit title",
    "mapping": "items keys values get setdefault popitem",
    "list": "append extend insert sort reverse pop",
    "set": "add discard union intersection difference issubset update",
    "bytes": "decode hex",
    "text file": "read readline readlines",
}
KINDS_BY_METHOD = {name: kind for kind, names in METHODS.items() for name in names.split()}
KINDS_BY_CLASS = {
    "str": "text",
    "int": "number",
    "float": "number",
    "dict": "mapping",
    "list": "list",
    "tuple": "tuple",
    "set": "set",
    "bytes": "bytes",
    "Mapping": "mapping",
    "Iterable": "iterable",
    "Sequence": "sequence",
}
KINDS_BY_NAME = (
    (
        "callable",
        re.compile(r"func|function|fn|f|key|pred|predicate|callback|binop|test|key_?func|op|default_factory|g"),
    ),
    (
        "number",
        re.compile(r"n|k|m|i|j|x|y|size|count|length|num\w*|maxsize|width|depth|index|start|stop|step|seed|limit"),
    ),
    ("iterable", re.compile(r"it|iterables?|seqs?|sequence|items|values|xs|data|coll|collection|elements|args|src")),
    ("mapping", re.compile(r"d|dct|dict|dicts|mapping|kwargs|rv|table")),
    ("text", re.compile(r"s|text|string|name|line|word|prefix|suffix|sep|delim\w*|path|fmt|pattern|msg|url")),
)


def kinds_of(function: FunctionNode, name: str) -> frozenset[str]:
    """Names of kinds, as `guessed` takes them; empty where nothing is seen."""
    found = frozenset(uses(function, name))
    return found if found - {"none"} else found | kinds_named(name)


def kinds_named(name: str) -> frozenset[str]:
    """The kinds for which people use such a name."""
    return frozenset(kind for kind, pattern in KINDS_BY_NAME if pattern.fullmatch(name.strip("_")))


def uses(function: FunctionNode, name: str) -> Iterator[str]:
    """One kind for each place that says something of the parameter."""
    for node in ast.walk(function):
        walked = node.iter if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)) else None
        walked = node.value if isinstance(node, (ast.Starred, ast.YieldFrom)) else walked
        if walked is not None and is_name(walked, name):
            yield "iterable"
        elif isinstance(node, ast.Call):
            yield from uses_in_call(node, name)
        elif isinstance(node, ast.Subscript) and is_name(node.value, name):
            yield from (
                ("sequence", "mapping") if not isinstance(node.slice, (ast.Slice, ast.Constant)) else ("sequence",)
            )
        elif isinstance(node, ast.Attribute) and is_name(node.value, name) and node.attr in KINDS_BY_METHOD:
            yield KINDS_BY_METHOD[node.attr]
        elif isinstance(node, ast.Compare):
            yield from uses_in_comparison(node, name)
        elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.UnaryOp)):
            yield from uses_in_operation(node, name)


def is_name(node: ast.expr, name: str) -> bool:
    """Whether an expression is just this name."""
    return isinstance(node, ast.Name) and node.id == name


def uses_in_call(node: ast.Call, name: str) -> Iterator[str]:
    """As what is called, or given to something that is known."""
    if is_name(node.func, name):
        yield "callable"
        return
    called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    for place, argument in enumerate(node.args):
        if is_name(argument, name):
            if called == "isinstance":
                yield from classes_named(node.args[-1])
            elif called == "islice":
                yield "number" if place else "iterable"
            elif called in CALLING and place == 0:
                yield "callable"
            elif called == "len":
                yield "sequence"
            elif called in COUNTING:
                yield "number"
            elif called in ITERATING | PASSING_ON:
                yield "iterable"
    if any(keyword.arg == "key" and is_name(keyword.value, name) for keyword in node.keywords):
        yield "callable"


def classes_named(node: ast.expr) -> Iterator[str]:
    """The kinds that ``isinstance`` asks for."""
    for part in node.elts if isinstance(node, ast.Tuple) else [node]:
        named = part.id if isinstance(part, ast.Name) else getattr(part, "attr", "")
        if named in KINDS_BY_CLASS:
            yield KINDS_BY_CLASS[named]


def uses_in_comparison(node: ast.Compare, name: str) -> Iterator[str]:
    """``x is None``, ``x < 3``, ``y in x``, ``x == 'a'``."""
    sides = [node.left, *node.comparators]
    if not any(is_name(side, name) for side in sides):
        return
    others = [side.value for side in sides if isinstance(side, ast.Constant)]
    if None in others:
        yield "none"
    if any(isinstance(other, str) for other in others):
        yield "text"
    if any(type(other) in (int, float) for other in others):
        yield "number"
    if any(isinstance(operator, (ast.In, ast.NotIn)) for operator in node.ops) and is_name(node.comparators[0], name):
        yield from ("iterable", "mapping")
    if any(isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for operator in node.ops) and not others:
        yield "number"


def uses_in_operation(node: ast.BinOp | ast.AugAssign | ast.UnaryOp, name: str) -> Iterator[str]:
    """Arithmetic, joining of texts, and formatting."""
    if isinstance(node, ast.UnaryOp):
        operands = [] if isinstance(node.op, ast.Not) else [node.operand]
    elif isinstance(node, ast.AugAssign):
        operands = [node.value]
    else:
        operands = [node.left, node.right]
    if any(is_name(operand, name) for operand in operands):
        texts = any(isinstance(operand, ast.Constant) and isinstance(operand.value, str) for operand in operands)
        yield "text" if texts else "number"


def guessed(kinds: frozenset[str], values: Values) -> tuple[Choice, ...]:
    """Choices for these kinds; for none of them, choices for all."""
    table = {
        "number": values.numbers,
        "text": values.choices("str"),
        "bytes": values.choices("bytes"),
        "none": values.choices("None"),
        "callable": values.callables,
        "iterable": (
            *containers("list", values.items),
            *containers("iterator", values.items[:5]),
            *containers("tuple", values.items[:2]),
            *containers("set", values.items[1:3]),
            *values.choices("str", "range"),
            Choice(label="dict", sources=mapped(values.texts, values.integers)),
        ),
        "sequence": (
            *containers("list", values.items),
            *containers("tuple", values.items[:3]),
            *values.choices("str", "range"),
        ),
        "list": containers("list", values.items),
        "tuple": containers("tuple", values.items[:5]),
        "set": (*containers("set", values.items[:3]), *containers("frozenset", values.items[:1])),
        "mapping": (
            Choice(label="dict by text", sources=mapped(values.texts, values.integers)),
            Choice(label="dict by number", sources=mapped(values.items[0].sources, values.texts)),
            Choice(label="dict of lists", sources=mapped(values.texts, listed(values.integers))),
            Choice(label="dict of letters", sources=mapped(values.items[5].sources, values.items[0].sources)),
        ),
        "text file": values.choices("StringIO", "BytesIO"),
    }
    found = {choice.label: choice for kind in sorted(kinds) for choice in table[kind]}
    if not found or kinds == {"none"}:
        found |= {choice.label: choice for choice in values.anything}
    return tuple(found.values())
