"""isinstance narrows a Union in both branches; what is left after all tests is the last member."""

from typing import List, Union


def program(x: Union[int, str, List[int]]) -> str:
    if isinstance(x, int):
        return "int " + str(x + 1)
    if isinstance(x, str):
        text = x
    else:
        text = str(len(x)) + " items"
    return text


def inputs():
    return [(1,), ("s",), ([1, 2],), (1.5,)]
