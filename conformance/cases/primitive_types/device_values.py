"""A device is made from a string, perhaps with an index; it is compared, and has a type and an index."""

from typing import List, Tuple

import torch


def program(name: str, x: torch.Tensor) -> Tuple[torch.device, str, List[bool]]:
    device = torch.device(name)
    same = [device == x.device, device.index is None]
    return device, device.type, same


def inputs():
    return [("cpu", torch.ones(1)), ("cuda:1", torch.ones(1)), ("meta", torch.ones(0))]
