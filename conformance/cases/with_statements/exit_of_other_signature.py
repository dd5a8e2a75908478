"""__exit__ takes three arguments of type Any besides self."""

from typing import Any

import torch


@torch.jit.script
class Block:
    def __init__(self, n: int):
        self.n = n

    def __enter__(self) -> int:
        return self.n

    def __exit__(self, kind: Any) -> None:
        self.n = 0


def program(n: int) -> int:
    with Block(n):  # error
        n += 1
    return n
