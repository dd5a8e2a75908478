"""layer_norm, group_norm, batch_norm and instance_norm with Optional weights and statistics."""

from typing import List, Optional

import torch
import torch.nn.functional as F


def program(x: torch.Tensor, w: Optional[torch.Tensor], training: bool) -> List[torch.Tensor]:
    mean, var = torch.zeros(2), torch.ones(2)
    found = [F.layer_norm(x, x.shape[1:], None, None, 1e-3), F.group_norm(x, 2, weight=w)]
    found.append(F.batch_norm(x, mean, var, w, None, training, 0.5))
    found.append(F.instance_norm(x, use_input_stats=True, eps=0.1))
    return found + [mean, var]


def inputs():
    x = torch.arange(12.0).view(2, 2, 3)
    return [(x, None, False), (x, torch.tensor([1.0, 3.0]), True), (x[:1, :, :1], None, True)]
