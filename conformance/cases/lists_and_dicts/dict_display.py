"""A dict display makes a dict of its keys' and values' types, in the order written; equal keys keep the first place."""

from typing import Dict, Tuple

import torch


def program(n: int, x: torch.Tensor) -> Tuple[Dict[str, int], Dict[int, torch.Tensor]]:
    named = {"n": n, "m": n + 1, "n": 0}  # noqa: F601
    empty: Dict[int, torch.Tensor] = {}
    empty[n] = x
    return named, empty


def inputs():
    return [(1, torch.tensor(1.0)), (0, torch.ones(0))]
