"""Programs for a library in C.

    minits build examples/native/counting.py -o build
"""

from typing import Dict, NamedTuple


def collatz(n: int) -> int:
    """How many steps the Collatz sequence takes to reach 1."""
    if n < 1:
        raise ValueError("{} never reaches 1".format(n))
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


class Longest(NamedTuple):
    start: int
    steps: int


def longest(most: int) -> Longest:
    """The longest of the sequences that start with 1 to `most`."""
    found = Longest(1, 0)
    for start in range(1, most + 1):
        steps = collatz(start)
        if steps > found.steps:
            found = Longest(start, steps)
    return found


def count_words(text: str) -> Dict[str, int]:
    counts: Dict[str, int] = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts
