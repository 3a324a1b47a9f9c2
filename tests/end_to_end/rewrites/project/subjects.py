"""Functions that the rewrites in the folders beside this one are of."""

import zlib
from collections import Counter


class ConfigurationError(Exception):
    pass


def average(values):
    if not values:
        return 0.0
    return sum(values) / len(values)


def normalised(names):
    result = []
    for name in sorted(names):
        result.append(name.strip().lower())
    return result


def numbered(lines):
    number = 0
    for line in lines:
        number = number + 1
        yield f"{number}: {line}"


def parse_port(text):
    try:
        port = int(text)
    except ValueError as error:
        raise ConfigurationError(f"not a port: {text}") from error
    if port < 1 or port > 65535:
        raise ConfigurationError(f"out of range: {port}")
    return port


def to_cents(amount):
    cents = round(amount * 100)
    return int(cents)


def unique(items):
    result = []
    for item in items:
        if item not in result:
            result.append(item)
    return result


async def fetch_all(fetch, keys):
    results = []
    for key in keys:
        results.append(await fetch(key))
    return results


def flatten(nested):
    result = []
    stack = [nested]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        else:
            result.append(item)
    return result


def checksum(text):
    data = text.encode("utf-8")
    return zlib.crc32(data)


def empty_board(rows, columns):
    board = []
    for _ in range(rows):
        board.append([0] * columns)
    return board


def first_lines(text, limit=None):
    lines = text.splitlines()
    if limit is None:
        return lines
    return lines[:limit]


def make_scalers(factors):
    def scaler(factor):
        def scale(value):
            return value * factor

        return scale

    return [scaler(factor) for factor in factors]


def duplicates(items: list[str]) -> list[str]:
    seen = []
    result = []
    for item in items:
        if item in seen:
            if item not in result:
                result.append(item)
        else:
            seen.append(item)
    return result


def receipt(lines):
    total = 0
    for name, quantity, price in lines:
        if quantity:
            total = total + quantity * price
    return f"total {total}"


def watched(source, done):
    try:
        for item in source:
            yield item
    finally:
        done.append(len(done))


def save(path, rows):
    with open(path, "w") as file:
        for row in rows:
            file.write(row + "\n")


AREAS = Counter()


def area(width, height):
    AREAS["area"] += 1
    result = width * height
    return result
