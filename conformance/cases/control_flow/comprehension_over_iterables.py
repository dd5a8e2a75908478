"""Comprehensions run over strings, dict items, enumerate and zip too."""

from typing import Dict, List, Tuple


def program(text: str, table: Dict[str, int]) -> Tuple[List[str], List[int], List[int]]:
    letters = [c + "." for c in text]
    values = [v * 2 for v in table.values()]
    indexed = [i * len(c) for i, c in enumerate(text)]
    return letters, values, indexed


def inputs():
    return [("ab", {"x": 1}), ("", {})]
