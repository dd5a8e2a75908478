"""Factories record a dtype that was not given as None, the device, and no pinned memory."""

import torch


def program(x):
    return (
        torch.zeros(2, 3) + x,
        torch.ones(3, dtype=torch.float64),
        torch.arange(0, 6, 2),
        torch.full((2, 2), 1.5),
        torch.eye(3),
        torch.zeros_like(x),
        torch.linspace(0, 1, 3),
    )


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
