"""A string passes where a device is wanted, since it names one."""

from typing import Tuple

import torch


def kind(d: torch.device) -> str:
    return d.type


def program(x: torch.Tensor, name: str) -> Tuple[str, torch.Tensor]:
    return kind(name), torch.zeros([1], device=name).to("cpu") + x.to(name)


def inputs():
    return [(torch.ones(1), "cpu")]
