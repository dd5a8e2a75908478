"""cosine_similarity, pairwise_distance, triplet_margin_loss and the like, with defaults by keyword."""

from typing import List

import torch
import torch.nn.functional as F


def program(a: torch.Tensor, b: torch.Tensor) -> List[torch.Tensor]:
    return [
        F.cosine_similarity(a, b, dim=-1),
        F.pairwise_distance(a, b, p=1.0, keepdim=True),
        F.triplet_margin_loss(a, b, a + b, margin=0.5),
        F.cosine_embedding_loss(a, b, torch.ones(2)),
        F.margin_ranking_loss(a[0], b[0], torch.tensor([-1.0]), reduction="sum"),
        F.pixel_shuffle(torch.cat([a, b]).view(1, 4, -1, 1), 2),
    ]


def inputs():
    return [
        (torch.tensor([[1.0, 0.0], [2.0, -1.0]]), torch.tensor([[0.5, 0.5], [1.0, 1.0]])),
        (torch.zeros(2, 2), torch.ones(2, 2)),
        (torch.zeros(2, 1), torch.ones(2, 1)),
    ]
