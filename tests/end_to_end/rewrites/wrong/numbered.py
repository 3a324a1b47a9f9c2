def numbered(lines):
    lines = list(lines)
    for number, line in enumerate(lines, 1):
        yield f"{number}: {line}"
