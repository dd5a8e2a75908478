"""Programs made at random: assignments in branches and loops, nested as they come."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod


class Maker(ABC):
    """Makes the statements of one program; the seed decides everything.

    Who derives from it says what is assigned, tested and counted.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    @abstractmethod
    def assignment(self) -> str:
        """Return a statement without a block."""

    @abstractmethod
    def condition(self) -> str:
        """Return an expression of type bool."""

    def numbers(self) -> str:
        """Return the arguments of a `range`."""
        return str(self.random.randint(0, 4))

    @abstractmethod
    def counting(self, counter: str) -> str:
        """Return a statement that reads the variable of a `for` loop."""

    def jump(self) -> str:
        """Return a statement that leaves the body of a loop."""
        return self.random.choice(("break", "continue"))

    def block(self, depth: int, indent: int) -> list[str]:
        """Return some statements, with `depth` levels of blocks at most in them."""
        lines = []
        for _ in range(self.random.randint(1, 4)):
            lines += ["    " * indent + line for line in self.statement(depth)]
        return lines

    def statement(self, depth: int) -> list[str]:
        pick = self.random.random()
        if depth == 0 or pick < 0.5:
            return [self.assignment()]
        if pick < 0.75:
            lines = [f"if {self.condition()}:", *self.block(depth - 1, 1)]
            if self.is_likely(0.6):
                lines += ["else:", *self.block(depth - 1, 1)]
            return lines
        self.loops += 1
        counter = f"i{self.loops}"
        if pick < 0.9:
            head = [f"for {counter} in range({self.numbers()}):"]
            return [*head, f"    {self.counting(counter)}", *self.loop_body(depth)]
        return [
            f"{counter} = 0",
            f"while {counter} < {self.random.randint(0, 4)} and {self.condition()}:",
            f"    {counter} += 1",
            *self.loop_body(depth),
        ]

    def loop_body(self, depth: int) -> list[str]:
        lines = self.block(depth - 1, 1)
        if self.is_likely(0.3):
            jump = self.jump()
            lines += [f"    if {self.condition()}:", f"        {jump}", *self.block(0, 1)]
        return lines

    def is_likely(self, chance: float) -> bool:
        return self.random.random() < chance
