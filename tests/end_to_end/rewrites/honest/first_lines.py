def first_lines(text, limit=None):
    lines = text.splitlines()
    return lines if limit is None else lines[:limit]
