"""Conditions made of calls, comparisons and conditional expressions, in elif chains."""

import torch


def sign(x: torch.Tensor) -> int:
    if bool(x.sum() > 0):
        return 1
    return -1 if bool(x.sum() < 0) else 0


def program(x: torch.Tensor, n: int) -> str:
    if sign(x) == 1 and (n if n > 0 else -n) > 2:
        return "a"
    elif (sign(x) if n > 0 else sign(-x)) > 0 or n == sign(x):
        text = "b"
    elif not (n > 1 or sign(x) < n):
        text = "c" if n < -1 else "d"
    else:
        text = "e"
    return text + str(n)


def inputs():
    one = torch.ones(2)
    return [(one, 3), (one, 1), (one, -1), (-one, 1), (-one, -1), (one * 0, -5), (one * 0, 0)]
