"""forward with defaults, keywords, Optional, tuples and dicts as arguments."""

from typing import Dict, Optional, Tuple

import torch
from torch import nn

from conformance.case import call


class Flexible(nn.Module):
    def forward(
        self,
        x: torch.Tensor,
        sizes: Tuple[int, int] = (1, 2),
        options: Optional[Dict[str, float]] = None,
        scale: float = 1,
        flag: bool = False,
    ) -> torch.Tensor:
        for size in sizes:
            x = x + size
        if options is not None and "bias" in options:
            x = x + options["bias"]
        return x * scale if not flag else -x


def build():
    return Flexible()


def inputs():
    one = torch.ones(1)
    return [
        (one,),
        call(one, scale=2.5),
        call(one, options={"bias": 0.5}, sizes=(0, 7)),
        call(one, flag=True, sizes=(5, 5)),
        call(x=one, options={}),
        call(one, wrong=1),
        call(scale=1.0),
    ]
