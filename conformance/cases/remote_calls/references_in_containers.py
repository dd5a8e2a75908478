"""References are put into lists and tuples, chosen by branches, may be None, and hold objects and containers."""

from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor
from torch.distributed.rpc import RRef


class Point:
    def __init__(self, x: int) -> None:
        self.x = x


def program(
    all: List[RRef[Tensor]],
    some: Optional[RRef[Tensor]],
    pair: Optional[Tuple[RRef[Point], RRef[Dict[str, int]]]],
    flag: bool,
):
    total = torch.zeros(1)
    for one in all:
        total = total + one.to_here()
    if some is not None:
        total = total + some.to_here()
    if pair is None:
        return total, [x.to_here() for x in all], 0
    chosen = all[0] if flag else all[-1]
    all.append(chosen)
    return chosen.to_here(), [total], pair[0].to_here().x + pair[1].to_here()["a"]


def inputs():
    return [([], None, None, True)]
