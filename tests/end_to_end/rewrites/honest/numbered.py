def numbered(lines):
    for number, line in enumerate(lines, 1):
        yield f"{number}: {line}"
