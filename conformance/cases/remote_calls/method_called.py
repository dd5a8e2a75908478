"""Only functions of the program are called remotely, no methods."""

import torch
from torch import Tensor
from torch.distributed import rpc


class Worker(torch.nn.Module):
    def scaled(self, x: Tensor) -> Tensor:
        return x * 2

    def forward(self, worker: str, x: Tensor) -> Tensor:
        return rpc.rpc_sync(worker, self.scaled, (x,))  # error


def build():
    return Worker()
