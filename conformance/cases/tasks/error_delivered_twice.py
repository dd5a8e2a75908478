"""Each wait for a failed task raises what the task has raised."""

import torch


def check(n: int) -> int:
    if n < 0:
        raise ValueError("negative")
    return n


def program(n: int) -> int:
    task = torch.jit.fork(check, n)
    first = torch.jit.wait(task)
    return first + torch.jit.wait(task)


def inputs():
    return [(1,), (-1,)]
