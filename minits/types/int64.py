"""The bounds of `int`, which has 64 bits. A `while` is a loop of at most `MAX_INT` rounds."""

MIN_INT = -(2**63)
MAX_INT = 2**63 - 1
