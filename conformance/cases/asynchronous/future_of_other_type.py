"""A Future of an int is no Future of a tensor."""

from typing import List

import torch


def one(n: int) -> int:
    return n


def program(n: int) -> int:
    tasks: List[torch.jit.Future[torch.Tensor]] = []
    tasks.append(torch.jit.fork(one, n))  # error
    return n
