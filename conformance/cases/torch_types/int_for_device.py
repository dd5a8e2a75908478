"""An int names no device."""

import torch


def kind(d: torch.device) -> str:
    return d.type


def program(n: int) -> str:
    a = kind("cpu")
    return a + kind(n)  # error
