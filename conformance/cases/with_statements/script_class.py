"""__enter__ runs before the block and __exit__ after it; they share the object's state."""

from typing import Any, List, Tuple

import torch


@torch.jit.script
class Scale:
    def __init__(self, factor: int):
        self.factor = factor
        self.log = [0]

    def __enter__(self) -> int:
        self.log.append(self.factor)
        return self.factor * 10

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self.log.append(-self.factor)


def program(n: int) -> Tuple[int, List[int]]:
    scale = Scale(n)
    with scale as ten:
        scale.log.append(ten)
        n += ten
    return n, scale.log


def inputs():
    return [(1,), (-2,), (0,)]
