import random

from shop.newsletter import is_worth_sending, subscribers


def addresses(count, seed):
    numbers = random.Random(seed)
    return [f"customer{numbers.randrange(count)}@example.org" for _ in range(count)]


def test_each_address_once_as_first_seen():
    assert subscribers(["b@x", "a@x", "b@x"], []) == ["b@x", "a@x"]


def test_bounced_addresses_are_left_out():
    assert subscribers(["a@x", "b@x", "c@x"], ["b@x"]) == ["a@x", "c@x"]


def test_what_is_no_address_is_left_out():
    assert subscribers(["nobody", "a@x", ""], []) == ["a@x"]


def test_nobody():
    assert subscribers([], ["a@x"]) == []


def test_many():
    customers, bounced = addresses(2_000, 1), addresses(500, 2)
    found = subscribers(customers, bounced)
    assert set(found) == set(customers) - set(bounced)
    assert len(found) == len(set(found))


def test_is_worth_sending():
    assert is_worth_sending(["a@x", "b@x"], 2) is True
    assert is_worth_sending(["a@x"], 2) is False
