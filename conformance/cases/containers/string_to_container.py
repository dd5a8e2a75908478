"""split, join and partition turn strings into containers and back."""

from typing import Dict, List, Tuple


def program(text: str) -> Tuple[Dict[str, int], str, Tuple[str, str, str], List[str]]:
    counts: Dict[str, int] = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    joined = ",".join(sorted(list(counts.keys())))
    return counts, joined, text.partition("="), text.split(" ", 1)


def inputs():
    return [("b a b",), ("",), ("k = v = w",), ("  two  spaces ",)]
