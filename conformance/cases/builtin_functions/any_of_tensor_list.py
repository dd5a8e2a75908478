"""Of a list of tensors, any cannot be asked."""

from typing import List

import torch


def program(v: List[torch.Tensor]) -> bool:
    return any(v)  # error
