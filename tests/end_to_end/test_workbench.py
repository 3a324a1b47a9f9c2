"""Jobs on throwaway copies of a project, in a real interpreter."""

import dataclasses
import hashlib
import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from burnish_analyzers.checks.canary import mutants, raising_version
from burnish_analyzers.checks.recording import compare, record
from burnish_analyzers.errors import JobError
from burnish_analyzers.harness.process import Limits
from burnish_analyzers.harness.project import Project, probe
from burnish_analyzers.harness.tasks import CallSource, SuiteRun, Version
from burnish_analyzers.harness.workbench import Workbench
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit

pytestmark = pytest.mark.end_to_end
INTERPRETER = probe(Path(sys.executable), "this test run")
DOUBLE = "def double(x):\n    return x + x\n"
TEST_DOUBLE = "from shop import double\n\n\ndef test_double():\n    assert double(2) == 4\n"


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))


@pytest.fixture(params=[True, False], ids=["warm", "cold"])
def warm(request: pytest.FixtureRequest) -> bool:
    """Whether one process serves all, or each question has its own: the answers are the same."""
    return bool(request.param)


@contextmanager
def workbench(
    root: Path, file: str, qualname: str, *, pytest_there: bool = True, warm: bool = True
) -> Iterator[Workbench]:
    snapshot = Snapshot.read(root / file)
    project = Project(root=root, interpreter=dataclasses.replace(INTERPRETER, has_pytest=pytest_there))
    unit = find_unit(snapshot, qualname)
    with Workbench(project, snapshot, unit, limits=Limits(), cancelled=lambda: False, warm=warm) as bench:
        yield bench


def run_all(bench: Workbench, text: str | None = None, select: tuple[str, ...] | None = None) -> SuiteRun:
    version = Version(text=text) if text else None
    return bench.tests(version, select=select, seconds=30, fail_fast=False)


def outcomes(suite: SuiteRun) -> dict[str, tuple[str, bool]]:
    return {test.identifier: (test.outcome, test.reached) for test in suite.tests}


def said(suite: SuiteRun) -> dict[str, str]:
    return {test.identifier: test.outcome for test in suite.tests}


def fingerprint(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("module", "test"),
    [
        ("shop.py", "test_shop.py"),
        ("src/shop.py", "tests/test_shop.py"),
        ("src/shop/__init__.py", "tests/unit/test_shop.py"),
    ],
)
def test_layouts_import_the_copy(tmp_path: Path, warm: bool, module: str, test: str) -> None:
    write(tmp_path, {module: DOUBLE, test: TEST_DOUBLE, "pyproject.toml": ""})
    with workbench(tmp_path, module, "double", warm=warm) as bench:
        assert outcomes(run_all(bench)) == {f"{test}::test_double": ("passed", True)}
        broken = run_all(bench, raising_version(bench.snapshot, bench.unit))
    assert said(broken) == {f"{test}::test_double": "failed"}


def test_a_namespace_package_imports_the_copy(tmp_path: Path) -> None:
    test = "from space.shop import double\n\ndef test_double():\n    assert double(2) == 4\n"
    write(tmp_path, {"space/shop.py": DOUBLE, "tests/test_shop.py": test})
    with workbench(tmp_path, "space/shop.py", "double") as bench:
        assert outcomes(run_all(bench)) == {"tests/test_shop.py::test_double": ("passed", True)}


@pytest.mark.parametrize("installed_from", ["elsewhere", "project/src"])
def test_an_installed_copy_does_not_hide_the_candidate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed_from: str
) -> None:
    root = tmp_path / "project"
    write(root, {"src/shop.py": DOUBLE, "tests/test_shop.py": TEST_DOUBLE})
    write(tmp_path, {"elsewhere/shop.py": DOUBLE})
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / installed_from))
    with workbench(root, "src/shop.py", "double") as bench:
        assert outcomes(run_all(bench)) == {"tests/test_shop.py::test_double": ("passed", True)}
        broken = run_all(bench, raising_version(bench.snapshot, bench.unit))
    assert said(broken) == {"tests/test_shop.py::test_double": "failed"}


def test_a_text_of_the_same_size_in_the_same_second_is_what_runs(tmp_path: Path, warm: bool) -> None:
    write(tmp_path, {"shop.py": DOUBLE, "test_shop.py": TEST_DOUBLE})
    with workbench(tmp_path, "shop.py", "double", warm=warm) as bench:
        for text, outcome in (
            (DOUBLE, "passed"),
            (DOUBLE.replace("+", "*"), "passed"),
            (DOUBLE.replace("+", "-"), "failed"),
        ):
            assert said(run_all(bench, text)) == {"test_shop.py::test_double": outcome}


def test_a_method_reached_only_through_a_fixture_is_found(tmp_path: Path, warm: bool) -> None:
    files = {
        "shop.py": """
            class Cart:
                def __init__(self):
                    self.items = []

                @property
                def size(self):
                    return len(self.items)

                @size.setter
                def size(self, value):
                    self.items = [None] * value
        """,
        "conftest.py": """
            import pytest
            import shop

            @pytest.fixture
            def basket():
                basket = shop.Cart()
                basket.size = 2
                assert basket.size == 2
                return basket
        """,
        "test_basket.py": """
            def test_basket(basket):
                assert basket.items == [None, None]

            def test_nothing():
                pass
        """,
    }
    write(tmp_path, files)
    with workbench(tmp_path, "shop.py", "Cart.size", warm=warm) as bench:
        found = outcomes(run_all(bench))
    assert found == {"test_basket.py::test_basket": ("passed", True), "test_basket.py::test_nothing": ("passed", False)}


@pytest.mark.parametrize("module", ["tests.test_shop", "test_shop"], ids=["a package", "a folder"])
def test_unittest_and_doctest_where_pytest_is_not_installed(tmp_path: Path, warm: bool, module: str) -> None:
    files = {
        "shop.py": '''
            def double(x):
                """Twice.

                >>> double(2)
                4
                """
                return x + x
        ''',
        **({"tests/__init__.py": ""} if module.startswith("tests") else {}),
        "tests/test_shop.py": """
            import unittest
            from shop import double

            class TestDouble(unittest.TestCase):
                def test_it(self):
                    self.assertEqual(double(2), 4)

                @unittest.skip("later")
                def test_later(self):
                    pass
        """,
    }
    write(tmp_path, files)
    with workbench(tmp_path, "shop.py", "double", pytest_there=False, warm=warm) as bench:
        found = outcomes(run_all(bench))
        broken = said(run_all(bench, raising_version(bench.snapshot, bench.unit)))
    assert found == {
        f"{module}.TestDouble.test_it": ("passed", True),
        f"{module}.TestDouble.test_later": ("skipped", False),
        "doctest:shop.double": ("passed", True),
    }
    assert broken[f"{module}.TestDouble.test_it"] == "failed"
    assert broken["doctest:shop.double"] == "failed"


def test_tests_that_write_leave_project_home_and_temporary_folder_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, home = tmp_path / "project", tmp_path / "home"
    files = {
        "shop.py": """
            import os, pathlib, tempfile

            def save(name):
                pathlib.Path(name).write_text("x")
                pathlib.Path(__file__).with_name("beside").write_text("x")
                pathlib.Path.home().joinpath("in_home").write_text("x")
                os.makedirs(os.path.join(tempfile.gettempdir(), "in_temporary"))
        """,
        "test_shop.py": """
            import os, pathlib, pytest
            from shop import save

            @pytest.fixture(autouse=True)
            def elsewhere(monkeypatch, tmp_path):
                monkeypatch.chdir(tmp_path)
                monkeypatch.setattr("time.time", lambda: 0.0)

            def test_save():
                save("here")
        """,
        "data/keep.txt": "x",
    }
    write(root, files)
    (root / "link").symlink_to(root / "data", target_is_directory=True)
    write(home, {"keep": "x"})
    monkeypatch.setenv("HOME", str(home))
    before, temporary = fingerprint(root), set(Path(tempfile.gettempdir()).iterdir())
    with workbench(root, "shop.py", "save") as bench:
        assert outcomes(run_all(bench)) == {"test_shop.py::test_save": ("passed", True)}
    assert fingerprint(root) == before
    assert fingerprint(home) == {"keep": fingerprint(home)["keep"]}
    assert not (set(Path(tempfile.gettempdir()).iterdir()) - temporary) & {Path(tempfile.gettempdir()) / "in_temporary"}


def test_writing_outside_of_the_copy_is_refused(tmp_path: Path) -> None:
    root, outside = tmp_path / "project", tmp_path / "outside"
    outside.mkdir()
    files = {
        "shop.py": f"def save():\n    open({str(outside / 'file')!r}, 'w').close()\n",
        "test_shop.py": "from shop import save\n\ndef test_save():\n    save()\n",
    }
    write(root, files)
    with workbench(root, "shop.py", "save") as bench:
        suite = run_all(bench)
    assert [test.outcome for test in suite.tests] == ["failed"]
    assert "outside its copy" in suite.tests[0].message
    assert not list(outside.iterdir())


def test_a_run_that_ends_the_process_gives_no_result(tmp_path: Path, warm: bool) -> None:
    write(tmp_path, {"shop.py": DOUBLE, "test_shop.py": TEST_DOUBLE})
    leaving = DOUBLE.replace("return", "import os; os._exit(0)")
    with workbench(tmp_path, "shop.py", "double", warm=warm) as bench, pytest.raises(JobError, match="no result"):
        run_all(bench, leaving)


def test_secrets_of_the_environment_are_not_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "secret")
    monkeypatch.setenv("MY_MODE", "fast")
    test = """
        import os
        from shop import double

        def test_it():
            assert double(1) == 2
            assert "MY_API_KEY" not in os.environ
            assert os.environ["MY_MODE"] == "fast"
    """
    write(tmp_path, {"shop.py": DOUBLE, "test_shop.py": test})
    with workbench(tmp_path, "shop.py", "double") as bench:
        assert [test.outcome for test in run_all(bench).tests] == ["passed"]


def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "tmp"
    write(tmp_path / "project", {"shop.py": DOUBLE})
    finished = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    write(temporary, {f"burnish-{int(finished.stdout)}-x/file": "x", f"burnish-{os.getpid()}-x/file": "x"})
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with workbench(tmp_path / "project", "shop.py", "double"):
        pass
    assert [path.name for path in temporary.iterdir()] == [f"burnish-{os.getpid()}-x"]


def test_a_selection_runs_only_itself(tmp_path: Path, warm: bool) -> None:
    more = TEST_DOUBLE + "\n\ndef test_more():\n    assert double('a') == 'aa'\n"
    write(tmp_path, {"shop.py": DOUBLE, "test_shop.py": more, "test_other.py": "import no_such_module\n"})
    with workbench(tmp_path, "shop.py", "double", warm=warm) as bench:
        found = run_all(bench, select=("test_shop.py::test_more",))
    assert outcomes(found) == {"test_shop.py::test_more": ("passed", True)}


def test_a_collection_error_elsewhere_does_not_hide_the_tests(tmp_path: Path) -> None:
    write(tmp_path, {"shop.py": DOUBLE, "test_shop.py": TEST_DOUBLE, "test_other.py": "import no_such_module\n"})
    with workbench(tmp_path, "shop.py", "double") as bench:
        assert outcomes(run_all(bench)) == {"test_shop.py::test_double": ("passed", True)}


SHOP = """
    import functools

    missing = object()
    cache = {}

    class Box:
        def __init__(self, size):
            self.size = size

        def grow(self, by, *more, default=missing, **options):
            for extra in (by, *more):
                self.size += extra
            return self.size if default is missing else default

        def lazily(self, values):
            for value in values:
                yield value * self.size

        async def later(self, value):
            return value + self.size

    @functools.lru_cache
    def cached(n):
        return cached(n - 1) + 1 if n else 0

    def remember(key, value):
        cache[key] = value
        return len(cache)
"""
TEST_SHOP = """
    import asyncio
    import shop

    def test_shop():
        box = shop.Box(1)
        assert box.grow(1, 2, 3, default=4, extra=5) == 4
        assert box.grow(1) == 8
        assert list(box.lazily([1, 2])) == [8, 16]
        assert asyncio.run(box.later(1)) == 9
        assert shop.cached(5) == 5
        shop.remember("a", 1)
        shop.remember("b", 2)
"""
REPLAYED = [
    ("Box", "self.size += extra", "self.size = self.size + extra", None),
    ("Box.grow", "default is missing", "missing is default", None),
    ("Box.grow", "self.size += extra", "self.size -= extra", "Box.grow"),
    ("Box.grow", "default is missing", "default is not missing", "Box.grow"),
    ("Box.lazily", "yield value * self.size", "yield self.size * value", None),
    ("Box.lazily", "for value in values:", "for value in list(values):", "Box.lazily"),
    ("Box.later", "value + self.size", "self.size + value", None),
    ("Box.later", "value + self.size", "value - self.size", "Box.later"),
    ("cached", "if n else 0", "if n != 0 else 0", None),
    ("cached", "if n else 0", "if n > 1 else 7 * n", "cached"),
    ("remember", "cache[key] = value", "cache.update({key: value})", None),
    ("remember", "cache[key] = value", "cache[key] = (value,)", "remember"),
]


@pytest.mark.parametrize(("qualname", "old", "new", "differs"), REPLAYED)
def test_calls_are_compared(tmp_path: Path, warm: bool, qualname: str, old: str, new: str, differs: str | None) -> None:
    write(tmp_path, {"shop.py": SHOP, "test_shop.py": TEST_SHOP})
    source = CallSource(select=("test_shop.py::test_shop",), open_parameters=(("values",), ()))
    with workbench(tmp_path, "shop.py", qualname, warm=warm) as bench:
        assert old in bench.snapshot.text
        recording = record(bench, source, mutants(bench.snapshot, bench.unit) if warm else (), 20)
        found = compare(bench, recording, Version(text=bench.snapshot.text.replace(old, new)), 20)
    assert found.recorded > 0, found
    if differs is None:
        assert found.counterexample is None
        assert recording.caught == recording.mutants
        assert recording.mutants > 0 or not warm
    else:
        assert found.counterexample is not None
        assert f"{differs.rpartition('.')[2]}(" in found.counterexample.call
