"""Functions return tuples of tuples, taken apart at once, in part, or not at all."""

from typing import List, Tuple

import torch


def stats(x: torch.Tensor) -> Tuple[Tuple[int, int], torch.Tensor, List[int]]:
    return (x.size(0), x.dim()), x.sum(), x.shape


def pass_through(t: Tuple[int, int]) -> Tuple[int, int]:
    return t


def program(x: torch.Tensor):
    (n, _), total, sizes = stats(x)
    pair, *_ = stats(x * 2)
    both = pass_through(pair)
    whole = stats(x)
    return n, total, sizes, both, whole[0][1] + both[0], whole


def inputs():
    return [(torch.ones(2, 3),), (torch.arange(4),)]
