"""Futures are values of a dict, and waited for by key."""

from typing import Dict

import torch


def scaled(x: torch.Tensor, by: float) -> torch.Tensor:
    return x * by


def program(x: torch.Tensor) -> torch.Tensor:
    tasks: Dict[str, torch.jit.Future[torch.Tensor]] = {}
    tasks["half"] = torch.jit.fork(scaled, x, 0.5)
    tasks["double"] = torch.jit.fork(scaled, x, 2.0)
    return torch.jit.wait(tasks["half"]) - torch.jit.wait(tasks["double"])


def inputs():
    return [(torch.ones(3),)]
