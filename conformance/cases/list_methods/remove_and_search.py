"""remove takes out the first equal element and index tells its place; without one they raise. count counts."""

from typing import List, Tuple


def program(values: List[float], x: float) -> Tuple[int, int, List[float]]:
    found = values.count(x)
    place = values.index(x)
    values.remove(x)
    return found, place, values


def inputs():
    return [([1.0, 2.0, 2.0], 2.0), ([0.0], -0.0), ([1.0], 3.0), ([], 0.0)]
