def save(path, rows):
    with open(path, "w") as file:
        for row in rows:
            file.write(row)
