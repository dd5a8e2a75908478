"""The tuple of arguments is checked against what the function declares."""

from torch import Tensor
from torch.distributed import rpc


def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


def program(worker: str, x: Tensor) -> Tensor:
    return rpc.rpc_sync(worker, scaled, (x, "twice"))  # error
