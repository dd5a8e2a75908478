"""round() takes halves to even; int() truncates; floor and ceil of whole floats are exact."""

import math
from typing import List


def program(x: float) -> List[float]:
    whole = [int(x), math.floor(x), math.ceil(x)]
    return [round(x), round(-x), x // 1.0, float(whole[0] + whole[1] * whole[2])]


def inputs():
    return [(0.5,), (1.5,), (2.5,), (-0.5,), (-2.55,), (3.0,)]
