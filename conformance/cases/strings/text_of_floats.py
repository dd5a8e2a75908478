"""A float that is whole and fits an int64 is shown in digits with a point, others with up to 17 digits."""

from typing import List


def program(numbers: List[float]) -> List[str]:
    return [str(x) + f" {x} " + "{}".format([x]) for x in numbers]


def inputs():
    big = 2.0**63
    edges = [0.0, -0.0, 1e15, 1e18, 9.2e18, big, -big, -big * 2, big - 1024]
    return [(edges,), ([0.1, 1 / 3, 1e-4, 1e-5, 5e-324, 1e300, float("inf"), float("nan")],)]
