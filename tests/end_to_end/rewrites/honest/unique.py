def unique(items):
    result = []
    for item in items:
        if item in result:
            continue
        result.append(item)
    return result
