"""Where `invariant-hoist` may evaluate before the loop, as an empty loop would not miss it."""

from __future__ import annotations

from textwrap import dedent

import pytest

from .conftest import Apply

SURE = {
    "in the header of a for": (
        "limit = self.limit",
        """
        def f(self):
            for i in range(self.limit):
                print(i, self.limit)
        """,
    ),
    "in the condition of a while": (
        "limit = self.limit",
        """
        def f(self):
            i = 0
            while i < self.limit:
                i += 1
        """,
    ),
    "evaluated above": (
        "limit = self.limit",
        """
        def f(self, rows):
            print(self.limit)
            found = []
            for row in rows:
                found.append(row + self.limit)
            return found
        """,
    ),
    "evaluated in the condition around": (
        "limit = self.limit",
        """
        def f(self, rows):
            if self.limit:
                for row in rows:
                    print(row, self.limit)
        """,
    ),
    "a module's attribute": (
        "pi = math.pi",
        """
        import math
        def f(rows):
            for row in rows:
                print(math.pi)
        """,
    ),
    "arithmetic of integers": (
        "n_minus_1 = n - 1",
        """
        def f(rows, n: int):
            for row in rows:
                print(row[n - 1])
        """,
    ),
    "the length of a list": (
        "names_length = len(names)",
        """
        def f(rows, names: list):
            for row in rows:
                print(len(names))
        """,
    ),
    "a position of the list": (
        "rows_i = rows[i]",
        """
        def f(rows: list, n):
            for i in range(len(rows)):
                for j in range(n):
                    print(rows[i])
        """,
    ),
    "a position of a list of that size": (
        "rows_i = rows[i]",
        """
        def f(n, m):
            rows = [[0] * m for _ in range(n)]
            for i in range(1, n):
                for j in range(m):
                    rows[i][j] = j
            return rows
        """,
    ),
}


@pytest.mark.parametrize(("line", "code"), SURE.values(), ids=SURE)
def test_hoists_what_is_sure(apply: Apply, line: str, code: str) -> None:
    text = dedent(code).lstrip("\n")
    unit = text[text.find("def f") :]
    assert f"{line}\n" in apply("invariant-hoist", unit, module=text).text
