"""Objects of several classes are in one list or dict, whose annotation names their interface."""

from typing import Dict, List, Tuple

import torch


@torch.jit.interface
class Shape:
    def area(self, n: int) -> int:
        pass


@torch.jit.script
class Square:
    def __init__(self, side: int):
        self.side = side

    def area(self, n: int) -> int:
        return self.side * self.side * n


@torch.jit.script
class Wave:
    def __init__(self):
        self.asked = 0

    def area(self, n: int) -> int:
        self.asked += 1
        return self.asked * n


def program(n: int) -> Tuple[int, int, int]:
    shapes: List[Shape] = [Square(n), Wave(), Square(2)]
    total = 0
    for shape in shapes + shapes:
        total += shape.area(1)
    named: Dict[str, Shape] = {"wave": shapes[1]}
    named["square"] = Square(5)
    pair: Tuple[Shape, int] = (shapes[0], n)
    return total, named["wave"].area(10) + named["square"].area(1), pair[0].area(pair[1])


def inputs():
    return [(3,), (0,)]
