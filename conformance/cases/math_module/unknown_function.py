"""Of the functions of math, those on sequences are not in the language."""

import math
from typing import List


def program(values: List[float]) -> float:
    return math.fsum(values)  # error
