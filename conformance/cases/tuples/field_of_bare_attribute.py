"""A NamedTuple in an attribute of a module without annotation is a plain tuple: it has no fields."""

from typing import NamedTuple

import torch


class Point(NamedTuple):
    x: int
    y: int


class Holder(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.point = Point(1, 2)

    def forward(self) -> int:
        return self.point.x  # error


def build():
    return Holder()
