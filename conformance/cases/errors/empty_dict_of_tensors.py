"""An empty dict without an annotation maps strings to tensors."""

from typing import Dict


def program(n: int) -> Dict[int, int]:
    table = {}
    table[n] = n  # error
    return table
