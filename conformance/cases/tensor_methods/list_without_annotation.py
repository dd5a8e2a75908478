"""The compiler cannot tell how deep tolist()'s lists are."""

import torch


def program(x: torch.Tensor) -> int:
    values = x.tolist()  # error
    return 0
