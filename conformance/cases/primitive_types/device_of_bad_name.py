"""A string that names no device raises when a device is made of it."""

import torch


def program(name: str) -> torch.device:
    device = torch.device(name)
    return device


def inputs():
    return [("oven",), ("",), ("cpu:x",)]
