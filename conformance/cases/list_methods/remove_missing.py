"""To remove what is not there raises."""

from typing import List


def program(values: List[str], text: str) -> List[str]:
    values.remove(text)
    return values


def inputs():
    return [(["a", "b", "a"], "a"), (["a"], "b"), ([], "")]
