def first_lines(text, limit=None):
    lines = text.splitlines()
    return lines[:limit] if limit else lines
