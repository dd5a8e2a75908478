"""Only functions of the program are called remotely, no operators."""

import torch
from torch import Tensor
from torch.distributed import rpc


def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


def program(worker: str, x: Tensor) -> Tensor:
    return rpc.rpc_sync(worker, torch.neg, (x,))  # error
