"""Indentation that fits no block."""
import torch


def f(x: torch.Tensor):
        y = x
    return y  # E: TS005
