"""A program makes no reference of a value that it has; Python does, or `remote`."""

import torch
from torch.distributed.rpc import RRef


def program(x: torch.Tensor):
    return RRef(x)  # error
