"""What a rewrite keeps: indentation, newlines, strings, comments, and the form of a unit's text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.backends.rules.tree import UnitTree

from .conftest import Apply

METHOD = '''\
def names(self, users: list):
        """Names.

    Not at the body's indentation.
        """
        found = []  # in order
        for user in users:
            found.append(user.name)
        return found'''


@pytest.mark.parametrize("indent", ["    ", "\t", "  "])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_parses_and_gives_back_an_indented_unit(indent: str, newline: str) -> None:
    text = METHOD.replace("        ", indent * 2).replace("\n", newline)
    unit = UnitTree(text, indent=indent)
    assert unit.module.code == unit.wrapped(text)


def test_keeps_the_indentation_of_a_method_and_its_strings(apply: Apply) -> None:
    module = f"class C:\n    {METHOD}\n"
    result = apply("comprehension", METHOD, module=module, indent="    ")
    old = "        found = []  # in order\n        for user in users:\n            found.append(user.name)\n"
    assert result.text == METHOD.replace(old, "        found = [user.name for user in users]  # in order\n")


def test_writes_in_tabs_and_in_the_newlines_of_the_unit(apply: Apply) -> None:
    text = "def f(a, b):\r\n\tfor x in a:\r\n\t\tb = max(b, x + 1)\r\n\treturn b\r\n"
    assert apply("min-max-compare", text).text == (
        "def f(a, b):\r\n\tfor x in a:\r\n\t\tcandidate = x + 1\r\n"
        "\t\tif candidate > b:\r\n\t\t\tb = candidate\r\n\treturn b\r\n"
    )


def test_writes_in_the_indentation_of_the_unit_and_not_of_its_class(apply: Apply) -> None:
    text = "def f(a, b):\n          for x in a:\n            b = max(b, x)\n          return b"
    module = f"class C:\n        {text}\n"
    assert apply("min-max-compare", text, module=module, indent="        ").text == (
        "def f(a, b):\n          for x in a:\n            if x > b:\n              b = x\n          return b"
    )


def test_does_without_a_newline_at_the_end(apply: Apply) -> None:
    assert apply("boolean-return", "def f(a):\n    if not a:\n        return True\n    return False").text == (
        "def f(a):\n    return not a"
    )


def test_adds_an_import_to_a_script_below_its_docstring_and_imports(apply: Apply) -> None:
    text = (
        '#!/usr/bin/env python\n"""Doc."""\nimport os\n\nprint(os.name)\nfor i in range(2):\n    print(int(input()))\n'
    )
    assert apply("input-readline", text, script=True).text == (
        '#!/usr/bin/env python\n"""Doc."""\nimport os\nimport sys\n\nreadline = sys.stdin.readline\nprint(os.name)\n'
        "for i in range(2):\n    print(int(readline()))\n"
    )


QUEUE = "def f(items):\n    queue = list(items)\n    while queue:\n        print(queue.pop(0))\n"


@pytest.mark.parametrize(
    ("module", "written", "imports"),
    [
        ("", "deque", ("from collections import deque",)),
        ("from collections import deque\n\n", "deque", ()),
        ("import collections\n\n", "collections.deque", ()),
    ],
)
def test_uses_the_import_that_the_module_has(apply: Apply, module: str, written: str, imports: tuple[str, ...]) -> None:
    result = apply("queue-deque", QUEUE, module=module + QUEUE)
    assert result.text == QUEUE.replace("list(", f"{written}(").replace("pop(0)", "popleft()")
    assert result.imports == imports


def test_refuses_an_import_where_an_error_may_hide_a_binding(apply: Apply) -> None:
    assert apply("queue-deque", QUEUE, module=f"x = (\n\n{QUEUE}").rules == ()


def test_a_new_name_is_taken_nowhere_in_the_unit(apply: Apply) -> None:
    text = "def f(rows, candidate, best):\n    for row in rows:\n        best = min(best, row + candidate)\n"
    assert "contender = row + candidate" in apply("min-max-compare", text).text


def test_keeps_the_comment_above_a_loop_with_the_loop(apply: Apply) -> None:
    text = "def f(rows: list, known: list):\n    # Each row.\n    for row in rows:\n        print(row in known)\n"
    assert apply("membership-set", text).text == (
        "def f(rows: list, known: list):\n    known_set = set(known)\n    # Each row.\n"
        "    for row in rows:\n        print(row in known_set)\n"
    )


def test_keeps_a_set_beside_a_list_that_grows(apply: Apply) -> None:
    text = (
        "def f(rows):\n    seen = []\n    for row in rows:\n        if row not in seen:\n"
        "            seen.append(row)\n    return seen\n"
    )
    assert apply("membership-set", text).text == (
        "def f(rows):\n    seen = []\n    seen_set = set()\n    for row in rows:\n        if row not in seen_set:\n"
        "            seen.append(row)\n            seen_set.add(row)\n    return seen\n"
    )


def test_functions_that_read_the_variables_move_along(apply: Apply) -> None:
    text = (
        "def show():\n    print(total)\n\ndef twice(n):\n    return 2 * n\n\n"
        "total = int('0')\nfor i in range(3):\n    total += twice(i)\nshow()\n"
    )
    assert apply("script-main", text, script=True).text == (
        "def twice(n):\n    return 2 * n\n\n\ndef main():\n    def show():\n        print(total)\n\n"
        "    total = int('0')\n    for i in range(3):\n        total += twice(i)\n    show()\n\n\nmain()\n"
    )


BLOCKS = st.recursive(
    st.sampled_from([["x = 1"], ["pass"], ["y = '''a\n  b'''"], ["# note", "z = x"], ["print(x)  # why"]]),
    lambda inner: (
        st.tuples(st.sampled_from(["if x:", "for i in x:", "while x:  # loop"]), inner).map(
            lambda pair: [pair[0], *("    " + line for line in pair[1])]
        )
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: [line for part in parts for line in part])
    ),
    max_leaves=8,
)


@given(BLOCKS, st.sampled_from(["", "    ", "\t", "  "]), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_an_untouched_unit_comes_back_byte_for_byte(body: list[str], indent: str, newline: str, ended: bool) -> None:
    lines = ["def f(x):", *(f"{indent}    {line}" for line in body)]
    text = "\n".join(lines) + ("\n" if ended else "")
    text = text.replace("\n", newline)
    unit = UnitTree(text, indent=indent)
    assert unit.module.code == unit.wrapped(text)
    assert unit.lines(unit.module.body[0])[1] <= text.count("\n") + 1
