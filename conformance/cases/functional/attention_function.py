"""scaled_dot_product_attention and bilinear, linear with and without bias."""

from typing import List, Optional

import torch
import torch.nn.functional as F


def program(q: torch.Tensor, mask: Optional[torch.Tensor], causal: bool) -> List[torch.Tensor]:
    w = torch.arange(8.0).view(2, 4) / 8
    return [
        F.scaled_dot_product_attention(q, q, q * 2, attn_mask=mask, is_causal=causal),
        F.linear(q, w),
        F.linear(q, w, torch.tensor([1.0, -1.0])),
        F.bilinear(q, q, torch.ones(1, 4, 4)),
    ]


def inputs():
    q = torch.arange(12.0).view(1, 1, 3, 4) / 12
    return [(q, None, False), (q, None, True), (q, torch.zeros(3, 3), False)]
