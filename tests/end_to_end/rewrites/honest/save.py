def save(path, rows):
    with open(path, "w") as file:
        file.write("".join(row + "\n" for row in rows))
