"""Functions that are compiled by a decorator; the others are Python's."""
import os

import torch


@torch.jit.script
def wrong(x):
    return x.nothing()  # E: TS302


@torch.jit.script
def right(x):
    return x.relu()


def listing():
    return os.listdir(".")
