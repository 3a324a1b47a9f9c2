"""What `burnish` exits with."""

PROPOSAL = 0
NONE = 1
BAD_INPUT = 2
INTERRUPTED = 130
