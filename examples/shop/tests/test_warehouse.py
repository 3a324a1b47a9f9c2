import random

import pytest
from shop.warehouse import back_orders, boxes


def articles(count, kinds, seed):
    numbers = random.Random(seed)
    return [f"article {numbers.randrange(kinds)}" for _ in range(count)]


def test_lists_what_is_missing_with_its_place():
    assert back_orders(["cup", "plate", "cup"], ["plate"]) == "1: cup\n3: cup\n"


def test_skips_empty_lines():
    assert back_orders(["", "cup"], []) == "2: cup\n"


def test_lists_nothing_where_all_is_in_stock():
    assert back_orders(["cup"], ["plate", "cup"]) == ""
    assert back_orders([], []) == ""


def test_lists_many():
    ordered, stocked = articles(3_000, 4_000, 1), articles(1_000, 4_000, 2)
    lines = back_orders(ordered, stocked).splitlines()
    assert len(lines) == sum(article not in set(stocked) for article in ordered)
    assert all(ordered[int(place) - 1] == article for place, _, article in (line.partition(": ") for line in lines))


@pytest.mark.parametrize("per_box", [1, 2, 3, 10])
def test_packs_in_order(per_box):
    packed = boxes(list("abcdefg"), per_box)
    assert [article for box in packed for article in box] == list("abcdefg")
    assert all(len(box) == per_box for box in packed[:-1])


def test_packs_nothing():
    assert boxes([], 3) == []


def test_a_box_must_hold_something():
    with pytest.raises(ValueError, match="at least one"):
        boxes(["cup"], 0)


def test_packs_many():
    everything = articles(60_000, 50, 3)
    assert sum(map(len, boxes(everything, 40))) == len(everything)
