"""A forked function forks others and waits for them."""

from typing import Tuple

import torch


def leaf(n: int) -> int:
    return n * n


def branch(n: int) -> int:
    task = torch.jit.fork(leaf, n)
    return leaf(n + 1) + torch.jit.wait(task)


def program(n: int) -> Tuple[int, int]:
    task = torch.jit.fork(branch, n)
    return torch.jit.wait(task), n


def inputs():
    return [(2,), (-1,)]
