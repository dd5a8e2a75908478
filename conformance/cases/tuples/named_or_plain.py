"""A NamedTuple given as Any is a plain tuple, as is one in an attribute of a module without annotation; given for a
parameter of its type it is itself."""

from typing import Any, List, NamedTuple

import torch


class Point(NamedTuple):
    x: int
    y: int


class Holder(torch.nn.Module):
    declared: Point

    def __init__(self) -> None:
        super().__init__()
        self.declared = Point(1, 2)
        self.bare = Point(3, 4)
        self.several = [Point(5, 6)]

    def forward(self, point: Point, points: List[Point], whatever: Any):
        found = [isinstance(whatever, Point), isinstance(whatever, tuple)]
        return point, points, whatever, found, self.declared.x, self.bare, self.several


def build():
    return Holder()


def inputs():
    return [
        (Point(1, 1), [Point(2, 2), (3, 3)], Point(4, 4)),
        ((1, 1), [], (4, 4)),
        (Point(1, 1), [], [Point(4, 4)]),
    ]
