"""Numbers that may be None are compared by their values, too, and so are devices."""

from typing import List, Optional

import torch


def program(
    a: Optional[int], b: Optional[int], x: Optional[float], y: Optional[float], d: torch.device
) -> List[bool]:
    return [a is b, x is y, x is not y, a is None, d is torch.device("cpu")]


def inputs():
    return [
        (10**6, int("1000000"), 0.5, float("0.5"), torch.device("cpu")),
        (None, 1, None, None, torch.device("cpu", 0)),
        (None, None, float("nan"), float("nan"), torch.device("cpu")),
    ]
