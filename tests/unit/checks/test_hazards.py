"""Changes that are refused on sight."""

import pytest

from burnish_analyzers.checks.hazards import hazard
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit

OLD = """\
def retry(work, delay):
    sleep(delay)
    return work()


async def locked(lock, work):
    async with lock:
        return work()


class Base:
    rate: int = 20
    names = []

    def setup(self):
        super().setup()
        for name in self.names:
            self.add(name)


async def load(urls, get):
    return [await get(url) for url in urls]
"""


def found(qualname: str, old: str, new: str) -> str | None:
    assert old in OLD
    before, after = Snapshot.from_text(OLD), Snapshot.from_text(OLD.replace(old, new))
    return hazard(before, find_unit(before, qualname), after, find_unit(after, qualname))


@pytest.mark.parametrize(
    ("qualname", "old", "new", "word"),
    [
        ("load", "[await get(url) for url in urls]", "await asyncio.gather(*map(get, urls))", "gather"),
        ("load", "return [", "import sys; sys._getframe(1).f_locals['x'] = 1; return [", "_getframe"),
        ("load", "return [", "import os; os._exit(0); return [", "_exit"),
        ("Base.setup", "        super().setup()\n", "", "super"),
        ("retry", "    sleep(delay)\n", "", "sleep"),
        ("locked", "async with lock:", "if lock:", "async with"),
        ("Base", "rate: int = 20", "rate: int = 21", "rate"),
        ("Base", "    names = []\n", "", "names"),
        ("Base", "    names = []", "    names = []\n    extra = 1", "extra"),
    ],
)
def test_a_hazard_is_named(qualname: str, old: str, new: str, word: str) -> None:
    assert word in (found(qualname, old, new) or "")


@pytest.mark.parametrize(
    ("qualname", "old", "new"),
    [
        ("Base", "for name in self.names:", "for name in list(self.names):"),
        ("Base", "rate: int = 20", "rate: int = (20)"),
        ("Base.setup", "self.add(name)", "self.add(name.strip())"),
        ("load", "[await get(url) for url in urls]", "list([await get(url) for url in urls])"),
    ],
)
def test_other_changes_are_left_to_the_other_checks(qualname: str, old: str, new: str) -> None:
    assert found(qualname, old, new) is None
