"""A file that prints, reads its arguments, and defines a program."""
import sys

import torch

print("printed while it is imported", sys.argv[1:])


@torch.jit.script
def f(x):
    return x
