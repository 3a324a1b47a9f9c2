def duplicates(items: list[str]) -> list[str]:
    seen = set()
    result: dict[str, None] = {}
    for item in items:
        if item in seen:
            result[item] = None
        seen.add(item)
    return list(result)
