"""What a refinement is for."""

from enum import StrEnum


class Goal(StrEnum):
    """The aim of a refinement."""

    READABILITY = "readability"
    PERFORMANCE = "performance"
