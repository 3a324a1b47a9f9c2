"""Which values a type allows, read from the text of an annotation."""

from __future__ import annotations

import ast
import itertools
from dataclasses import dataclass

from hypothesis import strategies as st

from burnish_analyzers.checks.generation.usage import FunctionNode, guessed, kinds_of
from burnish_analyzers.checks.generation.values import (
    Choice,
    Source,
    Values,
    containers,
    mapped,
    one_of,
    tuples,
)

LISTS = frozenset({"list", "List", "Sequence", "MutableSequence", "Collection"})
MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"})
FORMS = {
    "set": ("set",),
    "Set": ("set", "frozenset"),
    "AbstractSet": ("set", "frozenset"),
    "MutableSet": ("set",),
    "frozenset": ("frozenset",),
    "FrozenSet": ("frozenset",),
    "deque": ("deque",),
    "Counter": ("Counter",),
    "Iterable": ("list", "iterator", "tuple"),
    "Container": ("list", "set"),
    "Reversible": ("list", "tuple"),
    "Iterator": ("iterator",),
    "Generator": ("generator",),
}
UNIONS = frozenset({"Optional", "Union"})
WRAPPERS = frozenset({"Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"})
ANYTHING = frozenset({"Any", "object", "Hashable"})
NUMBERS = frozenset({"Number", "Real", "Rational", "Integral", "SupportsFloat", "SupportsInt", "SupportsIndex"})
DEEPEST = 4
RECEIVERS = ("self", "cls")
ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
PLAIN = {"PurePath": "Path", "PosixPath": "Path", "PathLike": "Path", "Text": "str", "LiteralString": "str"}


@dataclass(frozen=True, kw_only=True)
class Types:
    """The types of one module: its own classes and aliases, and those that all know."""

    values: Values
    classes: dict[str, ast.ClassDef]
    aliases: dict[str, ast.expr]

    def of(self, annotation: ast.expr | None, depth: int = 0) -> tuple[Choice, ...]:
        """Choices for an annotation; none where it says nothing that we know."""
        if annotation is None or depth > DEEPEST:
            return ()
        if isinstance(annotation, ast.Constant):
            if isinstance(annotation.value, str):
                return self.of(expression(annotation.value), depth + 1)
            return self.values.choices("None") if annotation.value is None else ()
        if isinstance(annotation, ast.BinOp):
            return self.of(annotation.left, depth + 1) + self.of(annotation.right, depth + 1)
        if isinstance(annotation, ast.Subscript):
            parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
            return self.generic(last_name(annotation.value), parts, depth + 1)
        return self.named(last_name(annotation), depth + 1)

    def named(self, name: str, depth: int) -> tuple[Choice, ...]:
        """Choices for a type by its name alone."""
        if found := self.values.choices(PLAIN.get(name, name)):
            return found
        if name in ANYTHING or (len(name) < 3 and name.lstrip("_").isupper()):
            return self.values.anything
        if name in NUMBERS:
            return self.values.numbers
        if name == "Callable":
            return self.values.callables
        if name in self.aliases:
            return self.of(self.aliases[name], depth)
        if name in self.classes:
            return self.constructed(self.classes[name], depth)
        return self.generic(name, [], depth)

    def generic(self, name: str, parts: list[ast.expr], depth: int) -> tuple[Choice, ...]:
        """Choices for a type with parts."""
        if name == "Literal":
            return (Choice(label="Literal", sources=st.sampled_from([ast.unparse(part) for part in parts])),)
        if name in UNIONS:
            none = self.values.choices("None") if name == "Optional" else ()
            return tuple(itertools.chain(none, *(self.of(part, depth) for part in parts)))
        if name in WRAPPERS:
            return self.of(parts[0], depth) if parts else ()
        if name == "Callable":
            return self.values.callables
        if name in ("tuple", "Tuple"):
            return self.tuples(parts, depth)
        if name in MAPPINGS:
            keys, held = (self.parts(part, depth) for part in (*parts, *[None] * (2 - len(parts)))[:2])
            return tuple(
                Choice(label=f"dict of {one.label}", sources=mapped(one_of(keys), one.sources)) for one in held
            )
        items = self.parts(parts[0] if parts else None, depth)
        if name in LISTS:
            return containers("list", items)
        return tuple(choice for form in FORMS.get(name, ()) for choice in containers(form, items))

    def parts(self, annotation: ast.expr | None, depth: int) -> tuple[Choice, ...]:
        """Choices for items, whatever is known of them."""
        found = self.of(annotation, depth)
        return found if found and found != self.values.anything else self.values.items

    def tuples(self, parts: list[ast.expr], depth: int) -> tuple[Choice, ...]:
        """Tuples of any length, or of one type for each place."""
        if not parts or (len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is Ellipsis):
            return containers("tuple", self.parts(parts[0] if parts else None, depth))
        if len(parts) == 1 and isinstance(parts[0], ast.Tuple):
            return (Choice(label="()", sources=st.just("()")),)
        return (Choice(label="tuple", sources=tuples(*(one_of(self.parts(part, depth)) for part in parts))),)

    def constructed(self, definition: ast.ClassDef, depth: int) -> tuple[Choice, ...]:
        """Instances of a class of the module: members of an enumeration, or what its constructor makes."""
        bases = {last_name(base) for base in definition.bases}
        if bases & ENUMS:
            members = [
                f"{definition.name}.{target.id}"
                for node in definition.body
                if isinstance(node, ast.Assign)
                for target in node.targets
                if isinstance(target, ast.Name) and not target.id.startswith("_")
            ]
            return (Choice(label=definition.name, sources=st.sampled_from(members)),) if members else ()
        sources = self.construction(definition, depth)
        return (Choice(label=definition.name, sources=sources),) if sources is not None else ()

    def construction(self, definition: ast.ClassDef, depth: int) -> Source | None:
        """Calls of a class; None where it is not seen what it takes."""
        made = next((node for node in definition.body if is_function(node, "__init__")), None)
        made = made or next((node for node in definition.body if is_function(node, "__new__")), None)
        if isinstance(made, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return call(definition.name, self.arguments(made, depth))
        fields = [
            node for node in definition.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        ]
        is_record = any(last_name(base) in ("NamedTuple", "TypedDict") for base in definition.bases)
        is_record |= any("dataclass" in ast.unparse(decorator) for decorator in definition.decorator_list)
        if fields and is_record:
            given = {field.target.id: self.parts(field.annotation, depth) for field in fields if field.value is None}  # type: ignore[union-attr]
            return call(definition.name, {name: one_of(choices) for name, choices in given.items()})
        for base in definition.bases:
            if (name := last_name(base)) in self.classes and name != definition.name and depth < DEEPEST:
                sources = self.construction(self.classes[name], depth + 1)
                return sources.map(lambda text: definition.name + text[len(name) :]) if sources is not None else None
            if plain := self.named(name, depth):
                return one_of(plain).map(f"{definition.name}({{}})".format)
        return st.just(f"{definition.name}()")

    def arguments(self, function: FunctionNode, depth: int) -> dict[str, Source]:
        """Sources for the parameters of a constructor that have no default."""
        found = {}
        for parameter, default in parameters(function):
            if parameter.arg not in RECEIVERS and default is None:
                found[parameter.arg] = one_of(self.choices(function, parameter, default, depth))
        return found

    def choices(
        self, function: FunctionNode, parameter: ast.arg, default: ast.expr | None, depth: int = 0
    ) -> tuple[Choice, ...]:
        """What a parameter of a function may be: as its annotation says, else as its default and its use tell."""
        found = self.of(parameter.annotation, depth)
        if not found or found == self.values.anything:
            kinds = kinds_of(function, parameter.arg)
            if isinstance(default, ast.Constant):
                kinds |= {kind for kind in [kind_of_default(default.value)] if kind}
            found = guessed(kinds, self.values)
        if default is not None and not isinstance(default, (ast.List, ast.Dict, ast.Set)):
            found = (Choice(label="default", sources=st.just("")), *found)
        return found


def kind_of_default(value: object) -> str:
    """The kind that a default of this value tells of."""
    return {"int": "number", "float": "number", "str": "text", "bytes": "bytes", "NoneType": "none"}.get(
        type(value).__name__, ""
    )


def is_function(node: ast.stmt, name: str) -> bool:
    """Whether a statement defines the function of this name."""
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name


def call(name: str, arguments: dict[str, Source]) -> Source:
    """Calls of `name` with keyword arguments."""
    names = list(arguments)
    return st.tuples(*arguments.values()).map(
        lambda texts: f"{name}({', '.join(f'{one}={text}' for one, text in zip(names, texts, strict=True))})"
    )


def parameters(function: FunctionNode) -> list[tuple[ast.arg, ast.expr | None]]:
    """Parameters with their defaults; starred ones are left out."""
    taken = function.args
    plain = [*taken.posonlyargs, *taken.args]
    defaults = [*[None] * (len(plain) - len(taken.defaults)), *taken.defaults]
    return [*zip(plain, defaults, strict=True), *zip(taken.kwonlyargs, taken.kw_defaults, strict=True)]


def last_name(node: ast.expr) -> str:
    """The last part of a dotted name; "" for anything else."""
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def expression(text: str) -> ast.expr | None:
    """An expression from its text; None where this Python cannot read it."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None
