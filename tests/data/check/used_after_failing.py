"""What follows from a program that did not compile is no fault of its own."""
import torch


@torch.jit.script
def wrong(x):
    return x.nothing()  # E: TS302


print(wrong.graph)
