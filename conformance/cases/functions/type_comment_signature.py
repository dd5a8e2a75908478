"""A type comment serves as well as annotations, for each parameter or for all of them."""

from typing import List, Optional, Tuple  # noqa: F401


def single(a, b):
    # type: (int, Optional[str]) -> Tuple[int, str]
    if b is None:
        return a, "-"
    return a, b


def program(
    values,  # type: List[int]
    name=None,  # type: Optional[str]
):
    # type: (...) -> Tuple[int, str]
    total = 0
    for value in values:
        total += value
    return single(total, name)


def inputs():
    return [([1, 2],), ([], "n"), ([-1], None), ([1.5],)]
