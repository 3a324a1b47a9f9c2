def flatten(nested):
    result = []
    waiting = [nested]
    while waiting:
        item = waiting.pop()
        if not isinstance(item, list):
            result.append(item)
            continue
        waiting.extend(item[::-1])
    return result
