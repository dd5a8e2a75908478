"""What a remote call takes is given by position, not by name."""

from torch import Tensor
from torch.distributed import rpc


def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


def program(worker: str, x: Tensor) -> Tensor:
    return rpc.rpc_sync(worker, scaled, args=(x,))  # error
