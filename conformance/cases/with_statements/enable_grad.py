"""Of torch's switches only no_grad is known; enable_grad is not."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    with torch.enable_grad():  # error
        x = x * 2
    return x
