"""Texts that Python cannot read: all of its faults."""
import torch


def f(x: torch.Tensor):
    return (x + 1]  # E: TS003


def g(x: torch.Tensor):
    return 2x  # E: TS004
