"""join takes a list of strings."""

from typing import List


def program(values: List[int], sep: str) -> str:
    texts = [str(v) for v in values]
    return sep.join(texts) + sep.join(values)  # error
