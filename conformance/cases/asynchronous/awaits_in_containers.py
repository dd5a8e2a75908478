"""Awaits are values: they are collected, passed on, and read as what they will be."""

from typing import List, Optional

import torch


def power(x: torch.Tensor, n: int) -> torch.Tensor:
    for _ in range(n):
        x = x * 2
    return x


def first(tasks: List[torch.jit._Await[torch.Tensor]]) -> Optional[torch.Tensor]:
    if len(tasks) == 0:
        return None
    return tasks[0].neg()


def program(x: torch.Tensor, n: int) -> torch.Tensor:
    tasks: List[torch.jit._Await[torch.Tensor]] = []
    for i in range(n):
        tasks.append(torch.jit._awaitable(power, x, i))
    total = torch.zeros_like(x)
    for task in tasks:
        total = total + torch.jit._awaitable_wait(task)
    found = first(tasks)
    return total if found is None else total + found


def inputs():
    return [(torch.tensor([1.0, -1.0]), 3), (torch.tensor(3.0), 0)]
