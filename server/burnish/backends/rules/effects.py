"""What evaluating an expression, or running a loop, can change."""

from __future__ import annotations

import libcst as cst

from burnish.backends.rules.kinds import kind_of
from burnish.backends.rules.scopes import Occurrence, Scope, children
from burnish.backends.rules.tree import UnitTree

PURE_BUILTINS = frozenset(
    [
        "abs",
        "bool",
        "chr",
        "divmod",
        "float",
        "int",
        "isinstance",
        "len",
        "max",
        "min",
        "ord",
        "pow",
        "range",
        "round",
        "str",
    ]
)
_READING_BUILTINS = PURE_BUILTINS | {
    "all", "any", "dict", "enumerate", "filter", "frozenset", "hash", "id", "list", "map", "print", "repr", "reversed",
    "set", "sorted", "sum", "tuple", "type", "zip", "input",
}  # fmt: skip
_READING_METHODS = frozenset(["copy", "count", "endswith", "find", "get", "index", "items", "join", "keys", "values"])
# Methods of the built-in containers and strings: they change at most the object that they are called on.
_OWN_METHODS = _READING_METHODS | {
    "add", "append", "appendleft", "bit_length", "clear", "discard", "extend", "insert", "isalpha", "isdigit", "lower",
    "lstrip", "pop", "popleft", "readline", "remove", "replace", "reverse", "rstrip", "setdefault", "sort", "split",
    "startswith", "strip", "update", "upper", "write",
}  # fmt: skip
_STANDARD_MODULES = ("math", "heapq", "bisect", "itertools", "operator", "string")

_PURE_NODES = (
    cst.Name,
    cst.Integer,
    cst.Float,
    cst.SimpleString,
    cst.BinaryOperation,
    cst.BooleanOperation,
    cst.UnaryOperation,
    cst.Comparison,
    cst.ComparisonTarget,
    cst.Attribute,
    cst.Subscript,
    cst.SubscriptElement,
    cst.Index,
    cst.Slice,
    cst.Tuple,
    cst.List,
    cst.Element,
    cst.IfExp,
    cst.Arg,
)
_OPERATORS = (cst.BaseBinaryOp, cst.BaseBooleanOp, cst.BaseUnaryOp, cst.BaseCompOp)


def is_pure(unit: UnitTree, node: cst.CSTNode) -> bool:
    """Whether evaluating `node` changes nothing: operators, subscripts, attributes and harmless builtins of names.

    That an operator or a property is overloaded with effects is left to the checks.
    """
    if isinstance(node, cst.Call):
        callee = node.func
        known = isinstance(callee, cst.Name) and callee.value in PURE_BUILTINS and unit.is_builtin(callee.value, node)
        return known and all(is_pure(unit, argument) for argument in node.args)
    if isinstance(node, _OPERATORS):
        return True
    return isinstance(node, _PURE_NODES) and all(is_pure(unit, child) for child in children(node))


def only_reads(unit: UnitTree, use: Occurrence) -> bool:
    """Whether this appearance of a container's name can neither change the container nor hand it on."""
    node: cst.CSTNode = use.node
    parent = unit.parent(node)
    if is_truth_test(unit, node):
        return True
    match parent:
        case cst.ComparisonTarget() | cst.Comparison() | cst.FormattedStringExpression():
            return True
        case cst.For() | cst.CompFor():
            return parent.iter is node
        case cst.Subscript():
            return parent.value is node and not unit.is_target(parent)
        case cst.Arg():
            call = unit.parent(parent)
            return isinstance(call, cst.Call) and (_is_reader(unit, call) or _method_name(call) == "join")
        case cst.Attribute():
            call = unit.parent(parent)
            return isinstance(call, cst.Call) and call.func is parent and parent.attr.value in _READING_METHODS
        case _:
            return False


def is_truth_test(unit: UnitTree, node: cst.CSTNode) -> bool:
    """Whether of the value of `node` only its truth counts."""
    parent = unit.parent(node)
    if isinstance(parent, cst.BooleanOperation):
        return is_truth_test(unit, parent)
    if isinstance(parent, (cst.If, cst.While, cst.IfExp, cst.Assert)):
        return parent.test is node
    return isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not)


def has_unknown_calls(unit: UnitTree, loop: cst.CSTNode) -> bool:
    """Whether `loop` may run code of others: a call that is no builtin's, container's or standard function's."""
    if unit.has(loop, cst.Await, cst.Yield, cst.With, cst.FunctionDef, cst.ClassDef, cst.Import, cst.ImportFrom):
        return True
    return not all(_is_known(unit, call) for call in unit.within(loop, cst.Call))


def is_private(unit: UnitTree, name: str, scope: Scope) -> bool:
    """Whether nothing but this function's own operations on `name` can reach the container that it means."""
    uses = unit.variable(name, scope)
    is_argument = any(each.kind == "parameter" for each in uses)
    return (
        not is_argument
        and unit.is_local(name, scope)
        and all(each.binds or only_reads(unit, each) or _calls_own_method(unit, each) for each in uses)
    )


def rebinds(unit: UnitTree, loop: cst.BaseStatement, name: str) -> bool:
    """Whether `name` may be bound anew while `loop` runs, by the loop itself or by a function that it calls."""
    scope = unit.scope(loop)
    uses = unit.variable(name, scope)
    owner = scope.resolve(name)
    if any(each.binds and unit.contains(loop, each.node) for each in uses):
        return True
    foreign = any(each.binds and each.scope.frame is not owner for each in uses)
    return (foreign or owner is None or owner is not scope.frame) and has_unknown_calls(unit, loop)


def _calls_own_method(unit: UnitTree, use: Occurrence) -> bool:
    attribute = unit.parent(use.node)
    is_method = isinstance(attribute, cst.Attribute) and attribute.attr.value in _OWN_METHODS
    call = unit.parent(attribute) if attribute is not None else None
    return (is_method and isinstance(call, cst.Call) and call.func is attribute) or isinstance(attribute, cst.Subscript)


def last_use_above(unit: UnitTree, statement: cst.BaseStatement, name: str) -> cst.BaseStatement | None:
    """The nearest statement above, in the block of `statement`, that speaks of the variable `name`."""
    siblings = unit.siblings(statement)
    uses = unit.variable(name, unit.scope(statement))
    above = reversed(siblings[: siblings.index(statement)])
    return next((each for each in above if any(unit.contains(each, use.node) for use in uses)), None)


def _is_reader(unit: UnitTree, call: cst.Call) -> bool:
    return isinstance(call.func, cst.Name) and (
        call.func.value in _READING_BUILTINS and unit.is_builtin(call.func.value, call)
    )


def _method_name(call: cst.Call) -> str:
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""


def _is_known(unit: UnitTree, call: cst.Call) -> bool:
    if _is_reader(unit, call):
        return not _hands_on_code(unit, call)
    match call.func:
        case cst.Attribute(value=cst.Name(module)) if module in _STANDARD_MODULES:
            return unit.facts.import_of(module) == f"import {module}"
        case cst.Attribute(value=receiver, attr=cst.Name(method)):
            # By its name alone `self.update(row)` might be anything.
            return method in _OWN_METHODS and _is_plain(unit, receiver) and not _hands_on_code(unit, call)
        case cst.Name(function):
            statement = unit.facts.import_of(function) or ""
            return any(statement.startswith(f"from {module} import ") for module in _STANDARD_MODULES)
        case _:
            return False


def _is_plain(unit: UnitTree, receiver: cst.BaseExpression) -> bool:
    """Whether the methods of `receiver` are those of a builtin type, or of the standard input and output."""
    if unit.code(receiver) in ("sys.stdin", "sys.stdout", "sys.stderr"):
        return unit.facts.import_of("sys") == "import sys"
    return kind_of(unit, receiver) is not None


def _hands_on_code(unit: UnitTree, call: cst.Call) -> bool:
    """Whether the callee gets a function to call: a `key`, or what `map` and `filter` apply."""
    keys = [each.value for each in call.args if each.keyword is not None and each.keyword.value == "key"]
    applied = [call.args[0].value] if call.args and unit.calls_builtin(call, "map", "filter") else []
    return not all(_is_harmless_function(unit, each) for each in [*keys, *applied])


def _is_harmless_function(unit: UnitTree, function: cst.BaseExpression) -> bool:
    """Whether it is a builtin, or a lambda, whose calls count like all others in the loop."""
    if isinstance(function, cst.Name):
        return function.value == "None" or (
            function.value in _READING_BUILTINS and unit.is_builtin(function.value, function)
        )
    return isinstance(function, cst.Lambda)
