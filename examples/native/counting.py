"""Programs for a library in C.

    minits build examples/native/counting.py -o build
"""

from typing import Dict


def collatz(n: int) -> int:
    """How many steps the Collatz sequence takes to reach 1."""
    if n < 1:
        raise ValueError("{} never reaches 1".format(n))
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def count_words(text: str) -> Dict[str, int]:
    counts: Dict[str, int] = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts
