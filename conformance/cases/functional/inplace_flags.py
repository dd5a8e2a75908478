"""`inplace=True` changes the argument: the branch is chosen inside the compiled callee."""

from typing import Tuple

import torch
import torch.nn.functional as F


def program(x: torch.Tensor, y: torch.Tensor, keep: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    a = F.relu(x, inplace=True)
    b = F.leaky_relu(y, 0.5, not keep)
    a.add_(1)
    return a, F.threshold(b, 0.0, -1.0, inplace=keep)


def inputs():
    return [
        (torch.tensor([-1.0, 2.0]), torch.tensor([-4.0, 4.0]), True),
        (torch.tensor([-1.0, 2.0]), torch.tensor([-4.0, 4.0]), False),
    ]
