"""A file that is named like a module of Python's own."""
import torch


@torch.jit.script
def f(x):
    return x.nothing()  # E: TS302
