def empty_board(rows, columns):
    return [[0] * columns] * rows
