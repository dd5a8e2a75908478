"""Lists, dicts and strings are true when they are not empty, wherever a condition stands."""

from typing import Dict, List


def program(values: List[int], text: str, table: Dict[str, int]) -> List[bool]:
    found: List[bool] = []
    while values:
        values.pop()
        found.append(bool(text) and len(values) > 1)
    if text or table:
        found.append(True)
    if not table:
        found.append(False)
    assert text, "no text"
    x = 1 if table else 2
    return found + [x == 1, True and bool(x)]


def inputs():
    return [([1, 2, 3], "t", {}), ([], "", {"a": 1}), ([], "", {}), ([5], "x", {"a": 1})]
