"""An augmented subscript reads first: a key that is missing raises."""

from typing import Dict


def program(counts: Dict[str, int], word: str) -> Dict[str, int]:
    counts[word] += 1
    counts["all"] -= 1
    return counts


def inputs():
    return [({"a": 1, "all": 0}, "a"), ({"a": 1, "all": 0}, "b"), ({}, "")]
