"""Functions of nn.functional are compiled from their own source, defaults and inplace flags included."""

from typing import List

import torch
import torch.nn.functional as F


def program(x: torch.Tensor) -> List[torch.Tensor]:
    return [
        F.relu(x),
        F.relu6(x),
        F.leaky_relu(x, 0.2),
        F.elu(x, alpha=0.5),
        F.gelu(x),
        F.gelu(x, approximate="tanh"),
        F.softplus(x, 2),
        F.hardtanh(x, max_val=0.5),
        F.silu(x),
        F.mish(x),
        F.hardswish(x),
        F.hardsigmoid(x),
        F.tanhshrink(x),
        F.softsign(x),
        F.glu(x, -1),
        F.threshold(x, 0.1, 3.0),
        F.selu(x),
        F.celu(x, 2.0),
        F.logsigmoid(x),
    ]


def inputs():
    return [(torch.tensor([-2.0, -0.5, 0.0, 3.0]),), (torch.zeros(2, 2),), (torch.ones(1),)]
