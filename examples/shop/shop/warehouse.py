"""What the shop has to send, and in which order."""

from __future__ import annotations


def back_orders(ordered: list[str], stocked: list[str]) -> str:
    """One line for each article that was ordered and is not in stock, with its place in the order."""
    text = ""
    for i in range(len(ordered)):
        if ordered[i] != "":
            if ordered[i] not in stocked:
                # Places are counted from 1, as on paper.
                text += str(i + 1) + ": " + ordered[i] + "\n"
    return text


def boxes(articles: list[str], per_box: int) -> list[list[str]]:
    """The articles in boxes of at most `per_box`, first come, first packed."""
    if per_box > 0:
        waiting = list(articles)
        packed = []
        while waiting:
            box = []
            while waiting and len(box) < per_box:
                box.append(waiting.pop(0))
            packed.append(box)
        return packed
    else:
        raise ValueError("A box holds at least one article.")
