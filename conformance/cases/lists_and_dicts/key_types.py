"""A dict's keys are strs, ints, floats, bools, complex numbers or tensors."""

from typing import Dict, List, Tuple


def program(n: int, flag: bool) -> Tuple[List[float], List[bool], int]:
    by_float: Dict[float, str] = {0.5: "half", float(n): "n"}
    by_flag = {flag: 1, not flag: 2}
    by_flag[True] = 3
    return list(by_float.keys()), list(by_flag.keys()), by_flag[flag]


def inputs():
    return [(1, True), (0, False)]
