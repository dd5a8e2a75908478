"""One of two files of the same name."""
import torch


@torch.jit.script
def f(x):
    return x.nothing()  # E: TS302
