"""`as` binds one name."""

from typing import Any, Tuple

import torch


@torch.jit.script
class Block:
    def __init__(self, n: int):
        self.n = n

    def __enter__(self) -> Tuple[int, int]:
        return self.n, 1

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self.n = 0


def program(n: int) -> int:
    with Block(n) as (a, b):  # error
        n += a + b
    return n
