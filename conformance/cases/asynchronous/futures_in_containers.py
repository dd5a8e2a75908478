"""Futures are in dicts, tuples and Optionals, are passed on, and waited for by their method wait."""

from typing import Dict, List, Optional, Tuple

import torch


def scaled(x: torch.Tensor, by: float = 2.0) -> torch.Tensor:
    return x * by


def started(x: torch.Tensor, n: int) -> Dict[int, torch.jit.Future[torch.Tensor]]:
    return {i: torch.jit.fork(scaled, x, by=float(i)) for i in range(n)}


def finished(future: Optional[torch.jit.Future[torch.Tensor]]) -> torch.Tensor:
    if future is None:
        return torch.zeros(1)
    return future.wait()


def program(x: torch.Tensor, n: int) -> Tuple[List[torch.Tensor], torch.Tensor]:
    futures = started(x, n)
    last: Optional[torch.jit.Future[torch.Tensor]] = None
    found: List[torch.Tensor] = []
    for i in futures:
        last = futures[i]
        found.append(torch.jit.wait(futures[i]))
    pair = (torch.jit.fork(scaled, x), n)
    return found + [pair[0].wait()], finished(last)


def inputs():
    return [(torch.tensor([1.0, 2.0]), 3), (torch.ones(1), 0)]
