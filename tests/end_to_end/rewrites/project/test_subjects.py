import asyncio

import pytest
import subjects


def test_average():
    assert subjects.average([1, 2, 3]) == 2
    assert subjects.average([2.5]) == 2.5


def test_normalised():
    assert subjects.normalised([" Bea", "ada "]) == ["bea", "ada"]
    assert subjects.normalised(["b", "a", "c"]) == ["a", "b", "c"]


def test_numbered():
    assert list(subjects.numbered(["a", "b"])) == ["1: a", "2: b"]


@pytest.mark.parametrize("text", ["80", "1", "65535"])
def test_parse_port(text):
    assert subjects.parse_port(text) == int(text)


@pytest.mark.parametrize("text", ["", "0", "65536", "http"])
def test_parse_port_refuses(text):
    with pytest.raises(subjects.ConfigurationError):
        subjects.parse_port(text)


def test_to_cents():
    assert subjects.to_cents(1.5) == 150
    assert subjects.to_cents(2.125) == 212


def test_unique():
    assert sorted(subjects.unique([3, 1, 3, 2, 1])) == [1, 2, 3]
    assert sorted(subjects.unique(["b", "a", "b"])) == ["a", "b"]


def test_fetch_all():
    async def fetch(key):
        return key * 2

    assert asyncio.run(subjects.fetch_all(fetch, [1, 2])) == [2, 4]


def test_flatten():
    assert subjects.flatten([1, [2, [3]], []]) == [1, 2, 3]


def test_flatten_deep():
    nested = []
    for _ in range(5_000):
        nested = [nested]
    assert subjects.flatten(nested) == []


def test_checksum():
    assert subjects.checksum("abc") == 891568578


def test_empty_board():
    assert subjects.empty_board(2, 3) == [[0, 0, 0], [0, 0, 0]]


def test_first_lines():
    assert subjects.first_lines("a\nb\nc") == ["a", "b", "c"]
    assert subjects.first_lines("a\nb\nc", 2) == ["a", "b"]


def test_make_scalers():
    assert [scale(10) for scale in subjects.make_scalers([1, 2, 3])] == [10, 20, 30]


def test_duplicates():
    assert subjects.duplicates(["a", "b", "a", "b", "a"]) == ["a", "b"]
    assert subjects.duplicates(["a"]) == []


def test_receipt():
    assert subjects.receipt([("pen", 2, 3), ("ink", 1, 5)]) == "total 11"
    assert subjects.receipt([("pen", 0, 3)]) == "total 0"


def test_watched():
    done = []
    assert list(subjects.watched([1, 2], done)) == [1, 2]
    assert done == [0]


def test_save(tmp_path):
    subjects.save(tmp_path / "rows", ["a"])
    assert (tmp_path / "rows").read_text().strip() == "a"


def test_area():
    assert subjects.area(2, 3) == 6
