"""A NamedTuple is read by name, index and unpacking, and keeps its name across the border."""

from typing import NamedTuple, Optional, Tuple

import torch


class Point(NamedTuple):
    x: torch.Tensor
    weight: float
    label: Optional[str] = None


def shift(p: Point, by: float) -> Point:
    return Point(p.x + by, weight=p.weight * 2, label="moved")


def program(x: torch.Tensor, w: float) -> Tuple[Point, float, str]:
    p = Point(x, w)
    q = shift(p, w)
    a, b, label = q
    text = "none"
    if label is not None:
        text = label
    if p.label is None:
        text += "!"
    return Point(x=a, weight=q[1], label=p.label), b + q.weight, text


def inputs():
    return [(torch.arange(2), 0.5), (torch.tensor(1.5), -1.0)]
