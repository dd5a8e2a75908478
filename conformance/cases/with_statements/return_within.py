"""A return from within the block leaves it: __exit__ runs before the caller goes on."""

from typing import Any, List, Tuple

import torch


@torch.jit.script
class Mark:
    def __init__(self, log: List[int]):
        self.log = log

    def __enter__(self) -> int:
        self.log.append(1)
        return len(self.log)

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self.log.append(-1)


def inner(log: List[int], n: int) -> int:
    with Mark(log):
        if n > 0:
            return n * 2
        log.append(n)
    return n


def program(n: int) -> Tuple[int, List[int]]:
    log = [0]
    found = inner(log, n)
    log.append(9)
    return found, log


def inputs():
    return [(3,), (-3,), (0,)]
