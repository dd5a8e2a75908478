"""Programs made at random: loops whose branches set, test and leave alone variables of two types.

What a branch leaves as it is joins what another one assigns: None and a number, a str and an int.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.support.control_flow import load

HEADER = """\
from typing import *

"""
KINDS = {
    "Optional[int]": (["None", "x", "given", "3"], "is not None", "{}"),
    "Optional[str]": (["None", "'a'", "str(x)"], "is not None", "len({})"),
    "Optional[List[int]]": (["None", "[x]", "xs"], "is not None", "len({})"),
    "Union[int, str]": (["x", "'abc'", "str(x)", "4"], "str", "len({})"),
}
"""By annotation: values, the test of a narrower type, and a number made of that."""
CALLS = [([1, 0, -1, 2, 0], None), ([], 3), ([0, 0, -1], 2), ([5, -1, 3, 0], None)]


class Maker:
    """Makes the source of one program; the seed decides everything."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.fuel = self.random.randint(5, 16)
        self.loops = 0
        self.kinds = {name: self.random.choice([*KINDS]) for name in "ab"}

    def source(self) -> str:
        lines = ["log: List[int] = []", "x = len(xs)"]
        lines += [f"{name}: {kind} = {self.value(name)}" for name, kind in self.kinds.items()]
        lines += self.loop(0)
        lines += [line for name in self.kinds for line in self.logged(name)]
        head = "def f(xs: List[int], given: Optional[int]) -> List[int]:"
        text = "\n".join([head, *indented([*lines, "return log"])])
        if self.random.random() < 0.3:
            text = text.replace("def f(", "def called(")
            text += f"\n\n{head}\n    return called(xs, given) + [7]"
        return f"{HEADER}{text}\n"

    def value(self, name: str) -> str:
        return self.random.choice([*KINDS[self.kinds[name]][0], name][: None if self.loops else -1])

    def loop(self, depth: int) -> list[str]:
        self.loops += 1
        if self.random.random() < 0.3:
            count = f"k{self.loops}"
            head = [f"x = xs[{count}]", f"{count} += 1"]
            body = indented([*head, *self.block(depth + 1)])
            return [f"{count} = 0", f"while {count} < len(xs):", *body]
        return ["for x in xs:", *indented(self.block(depth + 1))]

    def block(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            self.fuel -= 1
            if self.fuel > 0:
                lines += self.statement(depth)
        if lines and self.random.random() < 0.1:
            lines.append(self.random.choice(["break", "continue"]))
        return lines or ["pass"]

    def statement(self, depth: int) -> list[str]:
        name, chance = self.random.choice("ab"), self.random.random()
        if chance < 0.1:
            return ["pass"]
        if chance < 0.55 and depth < 5:
            return self.branches(depth)
        if chance < 0.65 and depth < 3:
            return self.loop(depth)
        if chance < 0.75:
            return self.logged(name)
        return [f"{name} = {self.value(name)}"]

    def branches(self, depth: int) -> list[str]:
        lines = [f"if {self.condition()}:", *indented(self.block(depth + 1))]
        while self.random.random() < 0.6:
            lines += [f"elif {self.condition()}:", *indented(self.block(depth + 1))]
        if self.random.random() < 0.5:
            lines += ["else:", *indented(self.block(depth + 1))]
        return lines

    def condition(self) -> str:
        if self.random.random() < 0.4:
            return self.random.choice(["x > 0", "x == 0", "x < 0"])
        test = self.narrower(self.random.choice("ab"))
        return self.random.choice([test, f"not {test}", f"{test} and x > 0"])

    def narrower(self, name: str) -> str:
        test = KINDS[self.kinds[name]][1]
        return f"({name} {test})" if "None" in test else f"isinstance({name}, {test})"

    def logged(self, name: str) -> list[str]:
        number = KINDS[self.kinds[name]][2].format(name)
        lines = [f"if {self.narrower(name)}:", f"    log.append({number})"]
        return [*lines, "else:", "    log.append(-1)"]


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def make_program(seed: int, folder: Path) -> Any:
    """Write the program of a seed to a file of its own, and return its function."""
    path = folder / f"joined_{seed}.py"
    path.write_text(Maker(seed).source())
    return load(path).f
