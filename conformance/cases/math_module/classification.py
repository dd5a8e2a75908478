"""isnan, isinf and isfinite tell what a float is."""

import math
from typing import List


def program(x: float) -> List[bool]:
    return [math.isnan(x), math.isinf(x), math.isfinite(x)]


def inputs():
    return [(1.0,), (float("nan"),), (float("-inf"),), (1e308,)]
