"""An argument without default must be in the tuple: one in the dict is not seen."""

from torch import Tensor
from torch.distributed import rpc


def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


def program(worker: str, x: Tensor) -> Tensor:
    return rpc.rpc_sync(worker, scaled, (), {"x": x})  # error
