"""Conditions and loops wait for what decides them."""

import torch


def enough(n: int) -> bool:
    return n > 4


def program(n: int) -> int:
    steps = 0
    while not torch.jit.wait(torch.jit.fork(enough, n)):
        n += 1
        steps += 1
    return steps


def inputs():
    return [(0,), (9,)]
