"""The other one."""
import torch


@torch.jit.script
def f(x):
    return x


@torch.jit.script
def g(x):
    return x.nothing_else()  # E: TS302
