"""What kind of value an expression gives, where that is certain: a light inference over one unit."""

from __future__ import annotations

import libcst as cst

from burnish.backends.rules.scopes import Occurrence, Scope
from burnish.backends.rules.tree import UnitTree

_UNDECIDED = "?"  # a variable in terms of itself, as in `s = s + x`
_BY_CALL = {
    **dict.fromkeys(["list", "sorted"], "list"),
    **dict.fromkeys(["len", "int", "ord", "hash", "id"], "int"),
    **dict.fromkeys(["str", "repr", "chr", "input", "format", "bin", "hex", "oct", "ascii"], "str"),
    **dict.fromkeys(["isinstance", "issubclass", "callable", "hasattr", "any", "all", "bool"], "bool"),
    **dict.fromkeys(["set", "dict", "tuple", "float", "frozenset", "range"], ""),
}
_BY_METHOD = {
    "split": "list",
    "rsplit": "list",
    "splitlines": "list",
    "readlines": "list",
    **dict.fromkeys(["join", "upper", "lower", "strip", "lstrip", "rstrip", "replace", "format", "title"], "str"),
    **dict.fromkeys(["startswith", "endswith", "isdigit", "isalpha", "isspace"], "bool"),
}
_BY_ANNOTATION = {"List": "list", "Sequence": "", "Dict": "dict", "Set": "set", "Tuple": "tuple"}
_PLAIN = ("list", "str", "int", "float", "bool", "dict", "set", "tuple", "bytes", "frozenset")
_SEQUENCES = ("list", "str", "tuple")


def kind_of(unit: UnitTree, expression: cst.BaseExpression) -> str | None:
    """The name of the built-in type of the value ("list", "str", "int", …), or None where that is not certain."""
    kind = _Inference(unit).of(expression)
    return None if kind == _UNDECIDED else kind


def kind_of_variable(unit: UnitTree, name: str, scope: Scope) -> str | None:
    """The same for a variable: the one type of all values that it is ever bound to."""
    kind = _Inference(unit).of_variable(name, scope)
    return None if kind == _UNDECIDED else kind


class _Inference:
    def __init__(self, unit: UnitTree) -> None:
        self.unit = unit
        self.open: set[tuple[str, Scope]] = set()

    def of(self, node: cst.BaseExpression) -> str | None:
        match node:
            case cst.Name("True" | "False"):
                return "bool"
            case cst.Name():
                return self.of_variable(node.value, self.unit.scope(node))
            case cst.BinaryOperation():
                return self._binary(node)
            case cst.IfExp():
                return _merge([self.of(node.body), self.of(node.orelse)])
            case cst.Call():
                return self._call(node)
            case cst.UnaryOperation(operator=cst.Not()):
                return "bool"
            case cst.UnaryOperation(operator=cst.Minus() | cst.Plus(), expression=operand):
                return self.of(operand)
            case _:
                return _literal(node)

    def of_variable(self, name: str, scope: Scope) -> str | None:
        owner = scope.resolve(name)
        if owner is None:
            return None
        if (name, owner) in self.open:
            return _UNDECIDED
        self.open.add((name, owner))
        try:
            uses = self.unit.variable(name, owner)
            return _merge([self._binding(each) for each in uses if each.binds])
        finally:
            self.open.discard((name, owner))

    def _binding(self, binding: Occurrence) -> str | None:
        if binding.kind == "delete":
            return _UNDECIDED
        parent = self.unit.parent(binding.node)
        match parent:
            case cst.AssignTarget():
                assign = self.unit.parent(parent)
                return self.of(assign.value) if isinstance(assign, cst.Assign) else None
            case cst.AnnAssign():
                return _annotated(parent.annotation)
            case cst.Param(default=cst.Name("None")):
                return None
            case cst.Param(annotation=cst.Annotation() as annotation):
                return _annotated(annotation)
            case cst.AugAssign():
                return self._augmented(parent)
            case cst.For() | cst.CompFor() if parent.target is binding.node:
                return self._element(parent.iter)
            case _:
                return None

    def _element(self, iterable: cst.BaseExpression) -> str | None:
        if self.unit.calls_builtin(iterable, "range"):
            return "int"
        return "str" if self.of(iterable) == "str" else None

    def _augmented(self, node: cst.AugAssign) -> str | None:
        """`+=` on a list or a string cannot change its type; on a number it can."""
        value = self.of(node.value)
        is_sum = isinstance(node.operator, cst.AddAssign)
        if is_sum and value not in ("int", "float", None):
            return _UNDECIDED
        if value == "int" and not isinstance(node.operator, (cst.DivideAssign, cst.PowerAssign)):
            return "int"
        return self._grown(node) if is_sum and value is None else value if value == "float" else None

    def _grown(self, node: cst.AugAssign) -> str | None:
        """`x += unknown`: what x was stays if its other values are lists or strings."""
        if not isinstance(node.target, cst.Name):
            return None
        scope = self.unit.scope(node.target)
        others = [each for each in self.unit.variable(node.target.value, scope) if each.binds]
        plain = [each for each in others if not isinstance(self.unit.parent(each.node), cst.AugAssign)]
        kind = _merge([self._binding(each) for each in plain])
        return kind if kind in _SEQUENCES else None

    def _binary(self, node: cst.BinaryOperation) -> str | None:
        left, right = self.of(node.left), self.of(node.right)
        match node.operator:
            case cst.Add():
                if left in _SEQUENCES:
                    return left
                if left == _UNDECIDED and right in (*_SEQUENCES, None):
                    return right or _UNDECIDED
            case cst.Multiply() if {left, right} in ({"list", "int"}, {"str", "int"}, {"tuple", "int"}):
                return left if right == "int" else right
            case cst.Multiply() if left in _SEQUENCES or isinstance(node.left, (cst.List, cst.BaseString)):
                return left
            case cst.Modulo() if left == "str":
                return "str"
            case cst.Divide() | cst.Power():
                return "float" if "float" in (left, right) else None
            case _:
                pass
        if left in ("int", "bool", _UNDECIDED) and right in ("int", "bool", _UNDECIDED):
            return "int"
        return "float" if {left, right} <= {"int", "float", _UNDECIDED} else None

    def _call(self, node: cst.Call) -> str | None:
        if isinstance(node.func, cst.Name) and self.unit.is_builtin(node.func.value, node):
            name = node.func.value
            return _BY_CALL[name] or name if name in _BY_CALL else None
        if isinstance(node.func, cst.Attribute):
            return _BY_METHOD.get(node.func.attr.value)
        return None


def _merge(kinds: list[str | None]) -> str | None:
    """The one kind of all, leaving out the undecided."""
    decided = {kind for kind in kinds if kind != _UNDECIDED}
    if decided == {"int", "float"}:
        return "float"
    return decided.pop() if len(decided) == 1 else (None if decided else _UNDECIDED)


def _literal(node: cst.BaseExpression) -> str | None:
    match node:
        case cst.SimpleString() | cst.ConcatenatedString():
            value = node.left if isinstance(node, cst.ConcatenatedString) else node
            return "bytes" if "b" in getattr(value, "prefix", "").lower() else "str"
        case cst.FormattedString():
            return "str"
        case cst.List() | cst.ListComp():
            return "list"
        case cst.Dict() | cst.DictComp():
            return "dict"
        case cst.Set() | cst.SetComp():
            return "set"
        case cst.Tuple():
            return "tuple"
        case cst.Integer():
            return "int"
        case cst.Float():
            return "float"
        case _:
            return None


def _annotated(annotation: cst.Annotation) -> str | None:
    node = annotation.annotation
    if isinstance(node, cst.Subscript):
        node = node.value
    if isinstance(node, cst.SimpleString):
        text = node.raw_value.split("[")[0]
    else:
        text = node.attr.value if isinstance(node, cst.Attribute) else getattr(node, "value", "")
    if not isinstance(text, str):
        return None
    kind = _BY_ANNOTATION.get(text, text)
    return kind if kind in _PLAIN else None
