"""A dataclass has the methods that Python writes: `__init__`, which calls `__post_init__`, and the comparisons."""

from dataclasses import InitVar, dataclass
from typing import List, Optional, Tuple

import torch


@torch.jit.script
@dataclass(order=True)
class Version:
    major: int
    minor: int = 0
    label: Optional[str] = None

    def bumped(self) -> "Version":
        return Version(self.major, self.minor + 1, self.label)


@torch.jit.script
@dataclass
class Scaled:
    value: float
    by: InitVar[int] = 2
    values: Optional[List[float]] = None

    def __post_init__(self, by: int):
        self.value = self.value * by
        self.values = [self.value]

    def __eq__(self, other: "Scaled") -> bool:
        return int(self.value) == int(other.value)


def program(n: int, x: float) -> Tuple[List[bool], Optional[str], float, int, bool]:
    old, new = Version(1, n), Version(minor=2, major=1, label="new")
    later = old.bumped()
    order = [old < later, old >= later, old == Version(1, n), later > old]
    if n > 0:
        order.append(Version(n) <= old)
    a, b = Scaled(x), Scaled(x, by=3)
    return order, new.label, a.value + b.value, later.minor, a == Scaled(x)


def inputs():
    return [(0, 1.5), (1, -2.0), (3, 0.25)]
