"""Futures are values: they are collected in lists, typed by what they will hold."""

from typing import List

import torch


def power(x: torch.Tensor, n: int) -> torch.Tensor:
    for _ in range(n):
        x = x * 2
    return x


def program(x: torch.Tensor, n: int) -> torch.Tensor:
    tasks: List[torch.jit.Future[torch.Tensor]] = []
    for i in range(n):
        tasks.append(torch.jit.fork(power, x, i))
    total = torch.zeros_like(x)
    for task in tasks:
        total = total + torch.jit.wait(task)
    return total


def inputs():
    return [(torch.tensor([1.0, -1.0]), 4), (torch.tensor(3.0), 0)]
