"""cross_entropy takes class indices or probabilities, weights, and an index to ignore."""

from typing import List, Optional

import torch
import torch.nn.functional as F


def program(x: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor]) -> List[torch.Tensor]:
    found = [F.cross_entropy(x, target, weight)]
    if not target.is_floating_point():
        found.append(F.cross_entropy(x, target, ignore_index=1, reduction="sum"))
        found.append(F.nll_loss(F.log_softmax(x, 1), target, weight=weight))
    found.append(F.cross_entropy(x, target, label_smoothing=0.2))
    return found


def inputs():
    x = torch.tensor([[0.5, -1.0, 0.0], [2.0, 0.0, 1.0]])
    w = torch.tensor([1.0, 2.0, 0.5])
    return [
        (x, torch.tensor([0, 1]), None),
        (x, torch.tensor([2, 0]), w),
        (x, torch.tensor([[0.5, 0.5, 0.0], [0.1, 0.2, 0.7]]), w),
        (x, torch.tensor([0, 3]), None),
    ]
