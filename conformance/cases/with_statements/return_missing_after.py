"""A block that may end without its return is followed by one, or by nothing that a result needs."""

from typing import Any

import torch


@torch.jit.script
class Block:
    def __init__(self, n: int):
        self.n = n

    def __enter__(self) -> int:
        return self.n

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self.n = 0


def program(n: int) -> int:  # error
    with Block(n) as m:
        if m > 0:
            return m
