"""A remote call names a worker and a function at least."""

from torch import Tensor
from torch.distributed import rpc


def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


def program(worker: str) -> Tensor:
    return rpc.rpc_sync(worker)  # error
