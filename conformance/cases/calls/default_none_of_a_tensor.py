"""None as the default of a tensor is for calls from Python; no call in a program can leave it out."""

from torch import Tensor


def scaled(x: Tensor, by: Tensor = None) -> Tensor:
    return x * by


def program(x: Tensor) -> Tensor:
    return scaled(x, x) + scaled(x)  # error
