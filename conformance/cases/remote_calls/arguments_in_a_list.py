"""The arguments are a tuple: a list has no length that the compiler knows."""

from torch import Tensor
from torch.distributed import rpc


def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


def program(worker: str, x: Tensor) -> Tensor:
    return rpc.rpc_sync(worker, scaled, [x])  # error
