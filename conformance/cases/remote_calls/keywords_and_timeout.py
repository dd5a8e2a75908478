"""After the tuple of arguments a dict of keyword arguments and a timeout in seconds may follow. Neither is checked against
the function, nor that the worker is a str."""

import torch
from torch import Tensor
from torch.distributed import rpc


def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


def program(worker: int, x: Tensor):
    if worker == 0:
        return x
    options = {"factor": 3}
    first = rpc.rpc_async("worker", scaled, (x,), options)
    second = rpc.remote(worker, scaled, (x,), {"unknown": "text"}, 2.0)
    third = rpc.rpc_sync("worker", scaled, (x,), {}, "soon")
    return first.wait() + second.to_here() + third


def inputs():
    return [(0, torch.ones(1))]
