"""A remote call raises where no agent runs: `init_rpc` starts one."""

import torch
from torch import Tensor
from torch.distributed import rpc


def scaled(x: Tensor) -> Tensor:
    return x * 2


def program(worker: str, x: Tensor) -> Tensor:
    return rpc.rpc_async(worker, scaled, (x,)).wait()


def inputs():
    return [("worker", torch.ones(1))]
