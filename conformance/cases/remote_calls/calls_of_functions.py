"""`rpc_sync`, `rpc_async` and `remote` name a worker, a function of the program and a tuple of its arguments, and give its
result, a Future of it and an RRef to it."""

from typing import Tuple

import torch
from torch import Tensor
from torch.distributed import rpc
from torch.distributed.rpc import remote, rpc_async


def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


def counted(n: int) -> Tuple[int, str]:
    return n + 1, "counted"


def program(worker: str, x: Tensor, n: int):
    if worker == "":
        return scaled(x, n), "here"
    number, text = rpc.rpc_sync(worker, counted, (n,))
    started = rpc_async(worker, scaled, (x, number))
    kept = remote(worker, scaled, (x,))
    arguments = (x, 3)
    again = rpc.rpc_sync("another", scaled, arguments)
    return started.wait() + kept.to_here() + again, text


def inputs():
    return [("", torch.ones(2), 3)]
