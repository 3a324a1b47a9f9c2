"""`x in some_list` on each turn of a loop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.effects import is_pure, last_use_above, only_reads
from burnish.backends.rules.kinds import kind_of, kind_of_variable
from burnish.backends.rules.naming import free_name
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.scopes import Occurrence
from burnish.backends.rules.tree import Edit, Statements, UnitTree, is_comprehension
from burnish_analyzers.goal import Goal

_UNHASHABLE = ("list", "dict", "set")


def _find(unit: UnitTree) -> Iterator[Match]:
    tests: dict[tuple[str, cst.BaseStatement], list[cst.Name]] = defaultdict(list)
    for comparison in unit.find(cst.Comparison):
        name = _list_tested(unit, comparison)
        place = _place_for_set(unit, name) if name is not None else None
        if name is not None and place is not None:
            tests[name.value, place].append(name)
    for (list_name, place), names in tests.items():
        set_name = free_name(unit, f"{list_name}_set", f"{list_name}_seen")
        if match := _turned(unit, names):
            yield match
        elif set_name is not None:
            yield _beside(unit, place, names, set_name)


def _turned(unit: UnitTree, names: list[cst.Name]) -> Match | None:
    """The list made a set itself, where it is only made, grown and looked into."""
    tests = set(names)
    bindings = []
    replace: dict[cst.CSTNode, cst.CSTNode] = {}
    for use in _uses(unit, names[0]):
        attribute = unit.parent(use.node)
        if use.binds:
            bindings.append(use)
        elif isinstance(attribute, cst.Attribute) and _append(unit, use):
            replace[attribute.attr] = cst.Name("add")
        elif use.node not in tests:
            return None
    made = _as_set(unit, bindings[0]) if len(bindings) == 1 else None
    if made is None:
        return None
    return Match(
        node=names[0],
        problem=f"`in {names[0].value}` walks the list on each turn of the loop.",
        change=f"Make `{names[0].value}` a set, since it is only looked into.",
        edit=Edit(replace=replace | made),
    )


def _as_set(unit: UnitTree, binding: Occurrence) -> dict[cst.CSTNode, cst.CSTNode] | None:
    """What makes ``name = []``, ``name: list[X] = []`` or ``name = list(...)`` a set."""
    statement = unit.parent(binding.node)
    if isinstance(statement, cst.AssignTarget):
        statement = unit.parent(statement)
    found: dict[cst.CSTNode, cst.CSTNode] = {}
    match statement:
        case cst.Assign(targets=[cst.AssignTarget()], value=value):
            pass
        case cst.AnnAssign(
            annotation=cst.Annotation(annotation=cst.Subscript(value=cst.Name("list") as kind)), value=value
        ):
            found[kind] = cst.Name("set")
        case _:
            return None
    match value:
        case cst.List(elements=[]):
            return found | {value: cst.parse_expression("set()")}
        case cst.Call(func=cst.Name("list") as maker, args=[cst.Arg(star="", keyword=None)]):
            return found | {maker: cst.Name("set")}
        case _:
            return None


def _beside(unit: UnitTree, place: cst.BaseStatement, names: list[cst.Name], set_name: str) -> Match:
    """A set kept beside the list, which is needed for itself."""
    list_name = names[0].value
    grown = [each for each in _uses(unit, names[0]) if unit.contains(place, each.node)]
    added: dict[cst.CSTNode, Statements] = {}
    for each in grown:
        if append := _append(unit, each):
            line, argument = append
            added[line] = unit.statements(f"{set_name}.add({unit.code(argument)})")
    return Match(
        node=names[0],
        problem=f"`in {list_name}` walks the list on each turn of the loop.",
        change=f"Keep a set beside `{list_name}` and look it up there.",
        edit=Edit(
            replace={name: cst.Name(set_name) for name in names},
            before={place: unit.statements(f"{set_name} = {_first_items(unit, place, list_name)}")},
            after=added,
        ),
    )


def _first_items(unit: UnitTree, place: cst.BaseStatement, list_name: str) -> str:
    """The set of what is in the list when the loop begins: none if the last that was done to it is ``name = []``."""
    match last_use_above(unit, place, list_name):
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(targets=[cst.AssignTarget()], value=cst.List(elements=[]))
                | cst.AnnAssign(value=cst.List(elements=[]))
            ]
        ):
            return "set()"
        case _:
            return f"set({list_name})"


def _list_tested(unit: UnitTree, comparison: cst.Comparison) -> cst.Name | None:
    """The list's name in ``x in name`` or ``x not in name``."""
    match comparison.comparisons:
        case [cst.ComparisonTarget(operator=cst.In() | cst.NotIn(), comparator=cst.Name() as name)]:
            hopeless = kind_of(unit, comparison.left) in _UNHASHABLE
            is_list = kind_of_variable(unit, name.value, unit.scope(name)) == "list"
            return name if is_list and not hopeless and unit.is_builtin("set", name) else None
        case _:
            return None


def _uses(unit: UnitTree, name: cst.Name) -> list[Occurrence]:
    return unit.variable(name.value, unit.scope(name))


def _place_for_set(unit: UnitTree, name: cst.Name) -> cst.BaseStatement | None:
    """The statement before which to build the set: the outermost loop in which the list only grows, or stays."""
    frame = unit.scope(name).frame
    uses = _uses(unit, name)
    own = unit.scope(name).resolve(name.value) is frame and frame.kind != "class" and not unit.reads_frame(frame)
    if not own or not all(each.scope.frame is frame or only_reads(unit, each) for each in uses):
        return None
    found = None
    for loop in unit.ancestors(name):
        if unit.scope(loop).frame is not frame:
            break
        if not _turns(unit, loop, name):
            continue
        if not all(_is_harmless(unit, each) for each in uses if unit.contains(loop, each.node)):
            break
        statement = unit.statement_of(loop)
        if statement is not None and not _is_handed_on(unit, uses, statement):
            found = statement
    return found


def _turns(unit: UnitTree, loop: cst.CSTNode, name: cst.Name) -> bool:
    """Whether `name` is read again and again by `loop`."""
    if isinstance(loop, (cst.For, cst.While)):
        return unit.repeats(name, loop)
    if not is_comprehension(loop):
        return False
    first = unit.within(loop, cst.CompFor)[0]
    return not unit.contains(first.iter, name)


def _is_harmless(unit: UnitTree, use: Occurrence) -> bool:
    return use.kind == "load" and (only_reads(unit, use) or _append(unit, use) is not None)


def _is_handed_on(unit: UnitTree, uses: list[Occurrence], statement: cst.BaseStatement) -> bool:
    """Whether another name, through which the list might change, may hold it when the loop begins."""
    early = [each for each in uses if each.kind == "load" and unit.place(each.node) < unit.place(statement)]
    return any(isinstance(unit.parent(each.node), (cst.Assign, cst.Element, cst.DictElement)) for each in early)


def _append(unit: UnitTree, use: Occurrence) -> tuple[cst.BaseStatement, cst.BaseExpression] | None:
    """The line ``name.append(x)``, if `use` is its name, and ``x``."""
    attribute = unit.parent(use.node)
    call = unit.parent(attribute) if attribute is not None else None
    match call:
        case cst.Call(func=cst.Attribute(attr=cst.Name("append")), args=[cst.Arg(star="", keyword=None) as argument]):
            line = unit.statement_of(call)
            alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
            is_statement = isinstance(unit.parent(call), cst.Expr)
            # It is evaluated a second time for the set.
            twice = is_pure(unit, argument.value) and kind_of(unit, argument.value) not in _UNHASHABLE
            if line is not None and alone and is_statement and twice:
                return line, argument.value
    return None


RULE = Rule(
    name="membership-set",
    goals=(Goal.PERFORMANCE,),
    aspect="data structures",
    why="A list is searched item by item; a set answers at once.",
    risk="Items that cannot be hashed, or that are equal without equal hashes, break it.",
    before="""\
def unknown(orders, customers: list[str]):
    return [order for order in orders if order not in customers]
""",
    after="""\
def unknown(orders, customers: list[str]):
    customers_set = set(customers)
    return [order for order in orders if order not in customers_set]
""",
    find=_find,
)
