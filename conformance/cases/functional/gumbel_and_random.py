"""Functions that draw random numbers draw them in the order in which eager code would."""

from typing import Tuple

import torch
import torch.nn.functional as F


def program(x: torch.Tensor, hard: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    a = F.gumbel_softmax(x, tau=0.5, hard=hard, dim=0)
    b = F.rrelu(x, 0.1, 0.4, training=True)
    c = F.dropout2d(x.view(1, -1, 1, 1), 0.5, True)
    return a.sum(), b, c


def inputs():
    return [(torch.tensor([-1.0, 2.0, 0.0]), True), (torch.tensor([-3.0, -1.0]), True)]
