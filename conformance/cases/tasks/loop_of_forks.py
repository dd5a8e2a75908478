"""Each turn of a loop forks; the results are waited for afterwards, in order."""

from typing import List

import torch


def square(n: int) -> int:
    return n * n


def program(n: int) -> List[int]:
    tasks: List[torch.jit.Future[int]] = []
    for i in range(n):
        tasks.append(torch.jit.fork(square, i))
    out: List[int] = []
    for task in tasks:
        out.append(torch.jit.wait(task))
    return out


def inputs():
    return [(0,), (1,), (20,)]
