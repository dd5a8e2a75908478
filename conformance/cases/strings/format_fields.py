"""format puts its arguments into {} fields in order; it knows no numbers, names or widths in them."""

from typing import List

import torch


def program(s: str, x: float, t: torch.Tensor) -> List[str]:
    return ["{}={}".format(s, x), "{}".format(True), "".format(), "{} {}".format([1, 2], (s, None))]


def inputs():
    return [("a", 0.5, torch.tensor(1)), ("", float("inf"), torch.ones(1)), ("é", 1e20, torch.ones(0))]
