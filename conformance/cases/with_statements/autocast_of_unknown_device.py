"""What kind of device autocast is for is a string."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    with torch.autocast(x.device):  # error
        return torch.mm(x, x)
