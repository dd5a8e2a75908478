"""Random programs that test places and variables for None, change them somehow, and use them."""

from __future__ import annotations

import random
from pathlib import Path

from tests.support.control_flow import load

_HEAD = """
import torch
from typing import List, Optional


class Box:
    v: Optional[int]

    def __init__(self, v: Optional[int]):
        self.v = v


def maybe(n: int) -> Optional[int]:
    return n if n % 3 != 0 else None


class Program(torch.nn.Module):
    a: Optional[int]
    b: Optional[int]
    xs: List[Optional[int]]
    flag: bool

    def __init__(self, a: Optional[int], b: Optional[int], flag: bool):
        super().__init__()
        self.a = a
        self.b = b
        self.xs = [b, 2, a]
        self.flag = flag

    def clear(self) -> bool:
        self.a = None
        return True

    def set_b(self, n: int) -> int:
        self.b = n
        return n

    def drop(self) -> int:
        self.xs[0] = None
        return 1

    def look(self) -> bool:
        return self.a is None

    def forward(self, n: int, p: Optional[int], c: bool) -> int:
        t = 0
        i = 0
        box = Box(p)
        other = box
"""
_PLACES = ["self.a", "self.b", "self.xs[0]", "self.xs[i]", "p", "box.v", "other.v"]
_CHANGES = (
    """
self.a = None|self.a = n|self.b = maybe(n)|self.clear()|self.set_b(n)|self.xs[0] = None
self.xs[i] = maybe(t)|self.xs[1] = 4|self.xs = [None, 3, 4]|self.xs[-1] = None
self.xs.insert(0, None)|self.drop()|i = 1|i = 0|box.v = None|other.v = n|box = Box(None)
other = Box(n)|p = None|p = maybe(n)|c = not c|t += 1|self.look()|del self.xs[0]|box = other
t += len([self.clear() for _ in range(1)])|t += 1 if self.clear() else 2|(p := maybe(n))
w = self.look() and self.clear()|self.flag = self.flag or self.drop() > 0
while self.clear() and t < 9: t += 5
""".strip()
    .replace("\n", "|")
    .split("|")
)
_CONDITIONS = ["c", "self.flag", "n > 3", "self.look()", "self.clear()", "self.drop() > 0"]
_USES = ["t = t * 2 + {}", "t += {} + 1", "t += {} if c else 1", "t = max(t, {})"]


class _Writer:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._lines: list[str] = []
        self._loops = 0

    def write(self) -> str:
        for number in range(self._random.randint(1, 2)):
            self._test_and_use(f"ok{number}")
        self._line(2, "return t + i")
        return _HEAD + "\n".join(self._lines) + "\n"

    def _line(self, depth: int, text: str) -> None:
        self._lines.append("    " * depth + text)

    def _choice(self, items: list[str]) -> str:
        return self._random.choice(items)

    def _test_and_use(self, stored: str) -> None:
        place = self._choice(_PLACES)
        forms = [
            f"if {place} is not None:", f"if {place}:", f"if c and {place} is not None and n >= 0:",
            f"while {place} is not None and t < 50:", f"assert {place} is not None",
            f"if {place} is None: return -1", f"if {place} is None: {place} = n",
            f"{stored} = {place} is not None",
        ]  # fmt: skip
        form = self._choice(forms)
        self._line(2, form)
        depth = 3 if form.endswith(":") else 2
        if form.startswith("while"):
            self._line(depth, "t += 7")
        if self._random.random() < 0.4:
            self._line(depth, "for h in range(2):")
            depth += 1
        guard = f"if {stored}: " if form.startswith(stored) else ""
        for _ in range(self._random.randint(1, 4)):
            self._statement(depth, guard, place)
        self._line(depth, guard + self._use(place))

    def _use(self, place: str) -> str:
        return self._choice(_USES).format(place)

    def _statement(self, depth: int, guard: str, place: str) -> None:
        kind = self._random.random()
        if kind < 0.45:
            self._line(depth, guard + self._use(place))
        elif kind < 0.6:
            self._line(depth, self._choice(_CHANGES))
        elif kind < 0.8:
            self._line(depth, f"if {self._choice(_CONDITIONS)}:")
            self._line(depth + 1, self._choice(_CHANGES))
            if self._random.random() < 0.3:
                in_loop = any(line.lstrip().startswith("for") for line in self._lines[-6:])
                leaving = ["break", "continue"] if in_loop and depth > 3 else ["return t"]
                self._line(depth + 1, self._choice(leaving))
            elif self._random.random() < 0.4:
                self._line(depth, "else:")
                self._line(depth + 1, guard + self._use(place))
        else:
            condition = f"{self._choice(_PLACES)} is not None and {self._choice(_CONDITIONS)}"
            self._line(depth, f"if {condition}:")
            self._line(depth + 1, guard + self._use(place))


def make_program(seed: int, folder: Path) -> type:
    """Write and import a program; return its class."""
    path = folder / f"refinement_{seed}.py"
    path.write_text(_Writer(seed).write())
    made: type = load(path).Program
    return made
