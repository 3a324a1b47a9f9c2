"""Imports go where they belong, and none is added twice."""

from __future__ import annotations

import ast

import pytest

from burnish_analyzers.errors import SourceError
from burnish_analyzers.source.imports import add_imports, module_imports, parse_import
from burnish_analyzers.source.tree import SyntaxTree


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "NEW"),
        ("import os\n", "import os\nNEW"),
        ("import os", "import os\nNEW"),
        ("import os\n\n\ndef f(): pass\n", "import os\nNEW\n\ndef f(): pass\n"),
        ("from a import (\n    b,\n)  # why\nx = 1\n", "from a import (\n    b,\n)  # why\nNEWx = 1\n"),
        ("from __future__ import annotations\n\nx = 1\n", "from __future__ import annotations\nNEW\nx = 1\n"),
        ('"""Doc."""\n\nx = 1\n', '"""Doc."""\n\nNEW\nx = 1\n'),
        ('"""Doc."""\nx = 1\n', '"""Doc."""\n\nNEW\nx = 1\n'),
        ('"""Doc."""', '"""Doc."""\n\nNEW'),
        ("def f(): pass\n", "NEW\n\ndef f(): pass\n"),
        ("# about f\ndef f(): pass\n", "NEW\n# about f\ndef f(): pass\n"),
        ("#!/usr/bin/env python\n# coding: utf-8\nx = 1\n", "#!/usr/bin/env python\n# coding: utf-8\nNEW\nx = 1\n"),
        ("# License\n# text\n\n# about x\nx = 1\n", "# License\n# text\n\nNEW\n# about x\nx = 1\n"),
        ("# License\n\n'''Doc.'''\n\nimport os\nx\n", "# License\n\n'''Doc.'''\n\nimport os\nNEWx\n"),
        ("import os\n__all__ = ['f']\nimport sys\n\nx = 1\n", "import os\n__all__ = ['f']\nimport sys\nNEW\nx = 1\n"),
        (
            "import os\ntry:\n    import b\nexcept ImportError:\n    b = None\nimport sys\nx = 1\nimport late\n",
            "import os\ntry:\n    import b\nexcept ImportError:\n    b = None\nimport sys\nNEWx = 1\nimport late\n",
        ),
        ("x = 1\nimport late\n", "NEW\nx = 1\nimport late\n"),
        ("import os; x = '''\n'''\ny = 1\n", "import os; x = '''\n'''\nNEWy = 1\n"),
        ("import os\nx = (\n", "import os\nNEWx = (\n"),
        ("\n\nx = 1\n", "NEW\n\nx = 1\n"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_where_an_import_goes(before: str, after: str, newline: str) -> None:
    old, new = before.replace("\n", newline), after.replace("NEW", "import re\n").replace("\n", newline)
    result = add_imports(old, ["import re"], newline)
    assert result == new
    assert add_imports(result, ["import re"], newline) == result


@pytest.mark.parametrize(
    ("present", "wanted", "added"),
    [
        ("from x import b, a\n", "from x import a", ""),
        ("from x import (\n    b,\n    a as c,\n)\n", "from x import a", "from x import a\n"),
        ("from x import b\n", "from x import a, b as c, b", "from x import a\nfrom x import b as c\n"),
        ("import os.path\n", "import os", ""),
        ("import os\n", "import os.path", "import os.path\n"),
        ("import numpy\n", "import numpy as np", "import numpy as np\n"),
        ("from . import a\n", "from .. import a", "from .. import a\n"),
        ("from .b import a\n", "from .b import a", ""),
        ("if TYPE_CHECKING:\n    import re\n", "import re", "import re\n\n"),
        ("import a\n", "import b; import c", "import b\nimport c\n"),
        ("import a\n", "import b\nimport b", "import b\n"),
    ],
)
def test_only_what_is_missing_is_added(present: str, wanted: str, added: str) -> None:
    result = add_imports(present, [wanted], "\n")
    assert result in (present + added, added + present)
    ast.parse(result)


@pytest.mark.parametrize("text", ["x = 1", "", "import", "print(1)", "import re\nx = 1"])
def test_what_is_no_import_is_refused(text: str) -> None:
    with pytest.raises(SourceError, match="is no import statement"):
        parse_import(text)


def test_names_that_are_bound() -> None:
    bound = [one.bound_name for one in parse_import("import a.b, c.d as e\nfrom f import g, h as i\nfrom . import j")]
    assert bound == ["a", "e", "g", "i", "j"]


def test_a_broken_import_is_not_there() -> None:
    assert module_imports(SyntaxTree.parse("import os\nimport re,\n")) == set(parse_import("import os"))
