"""dropout of a Final or run-time flag; a probability out of range raises from within the callee."""

from typing import List

import torch
import torch.nn.functional as F


def program(x: torch.Tensor, p: float, training: bool) -> List[torch.Tensor]:
    a = F.dropout(x, p, training)
    b = F.dropout(x, p=1.0)
    c = F.alpha_dropout(x, training=False)
    return [a, b, c, F.dropout(x, training=training, inplace=not training)]


def inputs():
    x = torch.ones(6)
    return [(x, 0.5, True), (x, 0.5, False), (x, 0.0, True), (x, 1.5, True)]
