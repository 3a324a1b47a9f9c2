"""What comes of a model's reply: the unit in its place, as its file is written, or a clear refusal."""

from __future__ import annotations

import ast
from textwrap import dedent, indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish_analyzers.errors import SourceError
from burnish_analyzers.source.edits import minimal_edits, replace_unit
from burnish_analyzers.source.reply import fit_reply
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit

CART = '''\
import os


class Cart:
    """A cart."""

    size = 0

    @staticmethod
    def total(items, *,
              rate=0.2):
        """Total.

        Args:
            items: prices

        """
        # Add them up.
        result = 0
        for item in items:
            if item:
                result += item
        text = """
  keep
        me
"""
        return (result *
                (1 + rate)), text
        # done

    def clear(self):
        self.items = []


def outside():
    return 1
'''
TOTAL = CART[CART.index("    @static") : CART.index("    def clear")].rstrip() + "\n"


def fitted(text: str, qualname: str | None, reply: str) -> str:
    """The file after the reply."""
    snapshot = Snapshot.from_text(text)
    unit = find_unit(snapshot, qualname)
    return replace_unit(snapshot, unit, *fit_reply(snapshot, unit, reply))


def outdented(code: str, columns: int = 4) -> str:
    """What a model makes of it: every line moved to the left, those inside strings too."""
    return "".join(line[min(columns, len(line) - len(line.lstrip(" "))) :] for line in code.splitlines(keepends=True))


SHAPES = {
    "as it is": TOTAL,
    "dedented": outdented(TOTAL),
    "first line dedented": TOTAL.lstrip(),
    "deeper": indent(TOTAL, "    "),
    "in its class": "class Cart:\n" + TOTAL,
    "in its class, dedented": "class Cart:\n    size = 0\n\n" + TOTAL,
    "the whole file": CART,
    "with an import": "import os\n\n" + outdented(TOTAL),
    "with an example": outdented(TOTAL) + "\n\nprint(total([1]))\nif __name__ == '__main__':\n    total([])\n",
    "blank lines around": "\n\n" + TOTAL + "\n\n",
    "CRLF": TOTAL.replace("\n", "\r\n"),
    "two columns": outdented(TOTAL).replace("    ", "  "),
    "byte order mark": "\ufeff" + outdented(TOTAL),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("reply", SHAPES.values(), ids=SHAPES)
def test_an_unchanged_unit_comes_out_unchanged(reply: str, newline: str) -> None:
    text = CART.replace("\n", newline)
    assert fitted(text, "Cart.total", reply) == text


@pytest.mark.parametrize("reply", SHAPES.values(), ids=SHAPES)
def test_one_real_change_is_one_hunk(reply: str) -> None:
    new = fitted(CART, "Cart.total", reply.replace("result += item", "result = result + item"))
    assert new == CART.replace("result += item", "result = result + item")
    assert len(minimal_edits(CART, new)) == 1


@pytest.mark.parametrize("columns", [2, 3, 4, 8])
def test_new_lines_get_the_indentation_of_the_file(columns: int) -> None:
    reply = dedent(
        '''\
        @staticmethod
        def total(items, *, rate=0.2):
            """Total.

            New line.
            """
            # Add them up.
            result = sum(
                item
                for item in items
                if item
            )
            # None yet.
            if not result:
                # Nothing.
                while True:
                    break
            else:
                pass
            return result
            # done
        '''
    ).replace("    ", " " * columns)
    new = fitted(CART, "Cart.total", reply)
    expected = indent(reply.replace(" " * columns, "    "), "    ")
    assert new.replace(" ", "") == CART.replace(TOTAL, expected).replace(" ", "")
    if columns == 4:
        assert new == CART.replace(TOTAL, expected)
    body = [line for line in new.splitlines() if "New line" in line or "# Nothing" in line or "break" in line]
    assert [len(line) - len(line.lstrip()) for line in body] == [8, 12, 16]
    ast.parse(new)


TABS = (
    'class A:\n\tdef f(self, x):\n\t\t"""Doc.\n\n\t\tMore.\n\t\t"""\n\t\tif x:\n\t\t\treturn 1\n\t\treturn 2\n\n'
    "def top(a,\n\t\tb):\n\treturn a\n"
)


@pytest.mark.parametrize("width", [2, 4, 8])
@pytest.mark.parametrize("base", [0, 1])
def test_a_tab_file_stays_one_whatever_the_reply_has(width: int, base: int) -> None:
    reply = (
        'def f(self, x):\n    """Doc.\n\n    More.\n    Still more.\n    """\n    # why\n    while x:\n        if x:\n'
        "            x = call(\n                x,\n            )\n            y = (1 +\n                 2)\n"
        "    return 2\n"
    )
    reply = indent(reply, "    " * base).replace("    ", " " * width)
    new = fitted(TABS, "A.f", reply)
    ast.parse(new)
    assert not any(line.startswith(" ") for line in new.splitlines())
    assert (
        '\n\t\tStill more.\n\t\t"""\n\t\t# why\n\t\twhile x:\n\t\t\tif x:\n\t\t\t\tx = call(\n\t\t\t\t\tx,\n\t\t\t\t)\n'
        in new
    )
    top = fitted(TABS, "top", "def top(\n    a,\n    b,\n):\n    return b\n")
    assert "def top(\n\ta,\n\tb,\n):\n\treturn b\n" in top


def test_a_space_file_stays_one_when_the_reply_has_tabs() -> None:
    new = fitted(CART, "Cart.clear", "def clear(self):\n\tif self.items:\n\t\tself.items = list(\n\t\t\t[],\n\t\t)\n")
    assert "        if self.items:\n            self.items = list(\n                [],\n            )\n" in new
    assert "\t" not in new


def test_the_inside_of_a_string_is_never_moved() -> None:
    reply = "@staticmethod\ndef total(items):\n    text = '''\n a\n    b\n\tc  \n'''\n    return f'''\n{text}\n  '''\n"
    new = fitted(CART, "Cart.total", reply)
    assert "        text = '''\n a\n    b\n\tc  \n'''\n        return f'''\n{text}\n  '''\n" in new


def test_a_changed_string_is_the_replys() -> None:
    reply = outdented(TOTAL).replace("\nkeep\n    me\n", "\nkeep\n    me\n  too\n")
    assert 'text = """\nkeep\n    me\n  too\n"""\n' in fitted(CART, "Cart.total", reply)


def test_a_line_that_moved_to_another_block_takes_its_indentation() -> None:
    text = "def f(xs):\n    for x in xs:\n        if x:\n            print(x)\n            g()\n"
    reply = "def f(xs):\n    for x in xs:\n        if x:\n            print(x)\n        g()\n    print(x)\n"
    assert fitted(text, "f", reply) == reply


def test_uneven_indentation_stays_and_still_compiles() -> None:
    text = "def f(a):\n  if a:\n        return 1\n  if not a:\n   return 2\n"
    assert fitted(text, "f", "def f(a):\n    if a:\n        return 1\n    if not a:\n        return 2\n") == text
    new = fitted(text, "f", "def f(a):\n    if a:\n        b = a\n        return 1\n    if not a:\n        return 2\n")
    assert ast.dump(ast.parse(new)) == ast.dump(
        ast.parse("def f(a):\n if a:\n  b = a\n  return 1\n if not a:\n  return 2\n")
    )


def test_mixed_newlines_stay_on_unchanged_lines() -> None:
    text = "def f():\r\n    a = 1\n    b = 2\r\n    return a\r\n"
    assert fitted(text, "f", "def f():\n    a = 1\n    b = 3\n    return a\n") == text.replace("2", "3")


def test_a_latin_1_file_keeps_its_encoding() -> None:
    snapshot = Snapshot.from_bytes("# coding: latin-1\ndef f():\n    return 'é'\n".encode("latin-1"))
    unit = find_unit(snapshot, "f")
    text, imports = fit_reply(snapshot, unit, "def f():\n    x = 'é'\n    return x\n")
    expected = "# coding: latin-1\ndef f():\n    x = 'é'\n    return x\n".encode("latin-1")
    assert snapshot.encode(replace_unit(snapshot, unit, text, imports)) == expected


def test_line_continuations_follow_their_statement() -> None:
    text = "class A:\n    def f(self):\n        return 1\n"
    reply = "def f(self):\n    x = 1 + \\\n        2\n    return x\n"
    assert (
        fitted(text, "A.f", reply)
        == "class A:\n    def f(self):\n        x = 1 + \\\n            2\n        return x\n"
    )


def test_imports_of_the_reply_that_the_unit_needs() -> None:
    snapshot = Snapshot.from_text(CART)
    unit = find_unit(snapshot, "outside")
    reply = (
        "from __future__ import annotations\nimport os, re\nfrom collections import deque, Counter as C\nimport a.b\n\n"
        "def outside():\n    return os, re, C(), a\n"
    )
    assert fit_reply(snapshot, unit, reply)[1] == ("import re", "from collections import Counter as C", "import a.b")
    inside = indent("import re\n", "    ") + "    def clear(self):\n        return re\n"
    assert fit_reply(snapshot, find_unit(snapshot, "Cart.clear"), inside)[1] == ("import re",)


@pytest.mark.parametrize(
    "reply",
    [
        CART.replace("self.items = []", "self.items.clear()"),
        "class Cart:\n" + TOTAL + "\n    def clear(self):\n        self.items.clear()\n",
        "class Cart:\n    size = 1\n\n" + TOTAL,
        "class Cart:\n    _cache = {}\n\n" + TOTAL,
        "CACHE = {}\n\n" + outdented(TOTAL),
        "def helper(x):\n    return x\n\n" + outdented(TOTAL),
        outdented(TOTAL) + "\ndef outside():\n    return 2\n",
    ],
)
def test_a_reply_that_changes_something_beside_the_unit_is_refused(reply: str) -> None:
    with pytest.raises(SourceError, match=r"outside of `Cart\.total`, so nothing was changed"):
        fitted(CART, "Cart.total", reply)


def test_of_a_reply_with_untouched_siblings_only_the_unit_is_taken() -> None:
    reply = outdented(CART[CART.index("class Cart") :], 0).replace("result = 0", "result = 1").replace("    ", "  ")
    assert fitted(CART, "Cart.total", reply.replace("\n    me\n", "\n        me\n")) == CART.replace(
        "result = 0", "result = 1"
    )


ELIDED = [
    "# ... rest unchanged",
    "# ...",
    "# … (rest of the code)",
    "# existing code",
    "# existing code here",
    "# rest of the function remains the same",
    "# rest of the code",
    "# The rest of the function is unchanged.",
    "# (remaining code unchanged)",
    "# unchanged",
    "# same as before",
    "# [existing logic]",
    "# omitted for brevity",
    "...",
    "... rest unchanged",
    "[... existing code ...]",
]


@pytest.mark.parametrize("line", ELIDED)
def test_a_reply_with_code_left_out_is_refused(line: str) -> None:
    reply = f"@staticmethod\ndef total(items):\n    result = 0\n    {line}\n    return result\n"
    with pytest.raises(SourceError, match=r"leaves out parts of `Cart\.total`.*ask for the whole of it"):
        fitted(CART, "Cart.total", reply)


@pytest.mark.parametrize(
    "line",
    [
        "# The original implementation was quadratic.",
        "# keep the same order",
        "# Skip the rest of the row.",
        "# and so on ...",
        "# type: ignore[...]",
        "x = '# ... rest unchanged'",
        "y: Callable[..., int] = a[..., 0]",
        "'''\n    # ...\n    ... rest unchanged\n    '''",
    ],
)
def test_a_reply_that_only_sounds_like_it_is_taken(line: str) -> None:
    reply = f"def outside():\n    {line}\n    return 2\n"
    assert fitted(CART, "outside", reply) == CART.replace("def outside():\n    return 1\n", reply)


def test_what_the_original_has_is_not_left_out() -> None:
    text = "class P:\n    def f(self):\n        # ...\n        ...\n\n    def g(self): ...\n"
    reply = "def f(self) -> None:\n    # ...\n    ...\n"
    assert fitted(text, "P.f", reply) == text.replace("f(self)", "f(self) -> None")


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("", "holds no code for `outside`"),
        ("I cannot improve this function.", "holds no code for `outside`"),
        ("Sure", "holds no code for `outside`"),
        ("def other():\n    return 1\n", "holds no code for `outside`"),
        ("outside = 1\n", "holds no code for `outside`"),
        ("def outside():\n", "holds no code for `outside`"),
        ("def outside():\n    return (1\n", "no"),
        ("def outside():\n    x = = 1\n", "is not valid Python"),
        ("def outside():\n    return 1\n\nThis is faster now.\n", "is not valid Python"),
        ("```python\ndef outside():\n    return 1\n```\n", "is not valid Python"),
    ],
)
def test_a_reply_without_the_unit_is_refused(reply: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        fitted(CART, "outside", reply)


NAMESAKES = dedent(
    """\
    from typing import overload

    class A:
        def f(self):
            return 1

    class B:
        @property
        def f(self):
            return 2

        @f.setter
        def f(self, value):
            self.v = value

    @overload
    def g(x: int) -> int: ...
    @overload
    def g(x: str) -> str: ...
    def g(x):
        return x
    """
)


@pytest.mark.parametrize(
    ("qualname", "line", "reply", "old", "new"),
    [
        ("A.f", 4, "def f(self):\n    return 9\n", "return 1", "return 9"),
        ("B.f", 9, "@property\ndef f(self):\n    return 9\n", "return 2", "return 9"),
        ("B.f", 13, "@f.setter\ndef f(self, value):\n    self.w = value\n", "self.v", "self.w"),
        ("A.f", 4, NAMESAKES.replace("return 1", "return 9"), "return 1", "return 9"),
        ("B.f", 9, NAMESAKES.replace("return 2", "return 9"), "return 2", "return 9"),
        ("B.f", 9, NAMESAKES[NAMESAKES.index("class B") :].replace("return 2", "return 9"), "return 2", "return 9"),
        ("B.f", 13, NAMESAKES.replace("self.v", "self.w"), "self.v", "self.w"),
        ("g", 20, "def g(x):\n    return x or x\n", "return x", "return x or x"),
        ("g", 16, "@overload\ndef g(x: bool) -> int: ...\n", "x: int", "x: bool"),
        ("g", 20, NAMESAKES.replace("return x", "return x or x"), "return x", "return x or x"),
    ],
)
def test_among_namesakes_the_selected_one_changes(qualname: str, line: int, reply: str, old: str, new: str) -> None:
    snapshot = Snapshot.from_text(NAMESAKES)
    unit = find_unit(snapshot, qualname, (line, line))
    assert replace_unit(snapshot, unit, *fit_reply(snapshot, unit, reply)) == NAMESAKES.replace(old, new)


def test_a_changed_namesake_is_refused() -> None:
    snapshot = Snapshot.from_text(NAMESAKES)
    unit = find_unit(snapshot, "A.f")
    with pytest.raises(SourceError, match="changes `class B:` outside"):
        fit_reply(snapshot, unit, NAMESAKES.replace("return 2", "return 9"))


def test_a_nested_function() -> None:
    text = "def outer():\n    k = 1\n    def inner(x):\n        return x + k\n    return inner\n"
    new = text.replace("x + k", "k + x")
    assert fitted(text, "outer.inner", "def inner(x):\n    return k + x\n") == new
    assert fitted(text, "outer.inner", new) == new
    with pytest.raises(SourceError, match="changes `k = 2` outside"):
        fitted(text, "outer.inner", new.replace("k = 1", "k = 2"))


def test_a_class_is_taken_whole() -> None:
    reply = CART[CART.index("class Cart") : CART.index("def outside")].replace("size = 0", "size = 1")
    assert fitted(CART, "Cart", reply) == CART.replace("size = 0", "size = 1")


SCRIPT = "#!/usr/bin/env python\n# coding: utf-8\nimport sys\n\nn = int(input())\nfor i in range(n):\n\tprint(i)\n\n"


def test_a_script() -> None:
    reply = "import sys\nimport re\n\nn = int(input())\nfor i in range(n):\n    print(i + 1)\n"
    expected = SCRIPT.replace("print(i)", "print(i + 1)").replace("import sys\n", "import sys\nimport re\n")
    assert fitted(SCRIPT, None, reply) == expected
    assert fitted(SCRIPT, None, expected) == expected


@pytest.mark.parametrize(
    "reply", ["", "Done", "Sorry, no.", "# nothing\n", "'text'", "n = int(input())\n# ... rest unchanged\n"]
)
def test_a_script_reply_without_code_is_refused(reply: str) -> None:
    with pytest.raises(SourceError, match="the script"):
        fitted(SCRIPT, None, reply)


def test_a_unit_with_a_syntax_error_can_be_repaired() -> None:
    text = "def f():\n    x = = 1\n    return x\n"
    assert fitted(text, "f", "def f():\n    x = 1\n    return x\n") == text.replace("= = ", "= ")


statements = st.recursive(
    st.sampled_from(["pass", "x = 1", "# why", "call(\n    1,\n)", "t = '''\n  a\nb'''", "", "return x"]),
    lambda inner: st.tuples(
        st.sampled_from(["if x:", "for y in x:  # each", "try:", "def g(a, b):", "with (a as\n      b):"]),
        st.lists(inner, min_size=1, max_size=3),
    ).map(
        lambda block: (
            block[0]
            + "\n"
            + code_indent("\n".join([*block[1], "z = 2"]))
            + ("\nfinally:\n    pass" if block[0] == "try:" else "")
        )
    ),
    max_leaves=8,
)


def code_indent(code: str, by: str = "    ") -> str:
    return "\n".join(by + line if line and not line.startswith(("  a", "b'''")) else line for line in code.split("\n"))


functions = st.lists(statements, min_size=1, max_size=4).map(
    lambda body: "def f(x):\n" + code_indent("\n".join([*body, "w = 3"])) + "\n"
)


@given(functions, functions, st.sampled_from(["\t", "  ", "    "]), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_any_reply_means_the_same_in_its_place(old: str, reply: str, step: str, newline: str, method: bool) -> None:
    own = old.replace("    ", step)
    text = ("class A:\n" + code_indent(own, step) if method else own).replace("\n", newline)
    new = fitted(text, "A.f" if method else "f", reply)
    body = ast.parse(new).body[0]
    function = body.body[0] if isinstance(body, ast.ClassDef) else body
    assert ast.dump(function) == ast.dump(ast.parse(reply).body[0])
    assert new.count("\n") == new.count(newline)
    if step == "\t":
        assert not any(line.startswith(" ") and line != "  a" for line in new.replace("\r\n", "\n").split("\n"))
    assert fitted(new, "A.f" if method else "f", reply) == new
