"""An exception passes through the block: __exit__ still runs."""

from typing import Any

import torch


@torch.jit.script
class Block:
    def __init__(self, n: int):
        self.n = n

    def __enter__(self) -> int:
        print("enter")
        return self.n

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        print("exit")


def program(n: int) -> int:
    with Block(n) as m:
        if m > 0:
            raise ValueError("positive")
        n += 1
    return n


def inputs():
    return [(0,), (1,)]
