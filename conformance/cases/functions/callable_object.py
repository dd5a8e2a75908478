"""An object whose `__call__` stays Python is called by the annotations of `__call__`."""

from typing import Tuple

import torch


class Describe:
    def __init__(self, prefix: str):
        self.prefix = prefix

    @torch.jit.ignore
    def __call__(self, *rest) -> str:
        return self.prefix + str(len(rest)) + str(rest[0])


describe = Describe("ints: ")


def program(x: torch.Tensor, n: int) -> Tuple[str, str]:
    return describe(x, [n, n + 1], n), describe(x)


def inputs():
    return [(torch.ones(2), 3), (torch.zeros(1), -1)]
