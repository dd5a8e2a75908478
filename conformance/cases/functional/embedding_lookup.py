"""embedding with padding_idx, negative too; one_hot; embedding_bag with offsets and modes."""

from typing import List

import torch
import torch.nn.functional as F


def program(tokens: torch.Tensor, table: torch.Tensor) -> List[torch.Tensor]:
    return [
        F.embedding(tokens, table),
        F.embedding(tokens, table, padding_idx=-1),
        F.one_hot(tokens, 4),
        F.embedding_bag(tokens, table, mode="sum"),
        F.embedding_bag(tokens.view(-1), table, offsets=torch.tensor([0, 1]), mode="max"),
    ]


def inputs():
    table = torch.arange(8.0).view(4, 2)
    return [(torch.tensor([[0, 1], [3, 3]]), table), (torch.tensor([[2]]), table), (torch.tensor([[4, 0]]), table)]
