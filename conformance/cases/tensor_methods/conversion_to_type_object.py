"""to() takes torch's dtypes, not Python's types."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return x.to(float)  # error
