"""A device need not have an index: it is tested before it is a number."""

import torch


def program(device: torch.device) -> int:
    index = device.index
    if index is not None:
        return index + 1
    return device.index + 1  # error
