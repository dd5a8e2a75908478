"""A device has no truth value."""

import torch


def program(d: torch.device, flag: bool) -> bool:
    if flag:
        return False
    return flag or d  # error
