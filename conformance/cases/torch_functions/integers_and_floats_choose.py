"""A number's type chooses the overload: an int exponent, a float one and a tensor have each their own."""

from typing import List

import torch


def program(x: torch.Tensor, n: int, f: float) -> List[torch.Tensor]:
    return [torch.pow(x, n), torch.pow(x, f), torch.pow(x, x), torch.pow(n, x), torch.max(x, x), torch.max(x)]


def inputs():
    return [(torch.tensor([2.0, 0.5]), 3, 0.5), (torch.tensor([0.0, -1.0]), -1, 2.0), (torch.tensor([4, 9]), 2, 0.0)]
