"""A module returns a NamedTuple made of its submodules' results."""

from typing import Dict, NamedTuple, Optional

import torch
from torch import nn


class Output(NamedTuple):
    logits: torch.Tensor
    loss: Optional[torch.Tensor]
    extra: Dict[str, torch.Tensor]


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(2, 3, bias=False)
        self.loss = nn.CrossEntropyLoss()

    def forward(self, x: torch.Tensor, target: Optional[torch.Tensor] = None) -> Output:
        logits = self.proj(x)
        loss: Optional[torch.Tensor] = None
        if target is not None:
            loss = self.loss(logits, target)
        return Output(logits, loss, {"norm": logits.norm()})


def build():
    return Classifier()


def inputs():
    return [(torch.ones(2, 2),), (torch.ones(2, 2), torch.tensor([0, 2])), (torch.ones(1, 2), torch.tensor([3]))]
