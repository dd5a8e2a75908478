"""Classes of C++ to test with, of a library that torch's wheel brings, and random programs of them.

The library, `libtorchbind_test.so`, belongs to torch's own tests; a wheel may come without it.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import torch

LIBRARY = Path(str(torch.__file__)).parent / "lib" / "libtorchbind_test.so"
NAMESPACE = "_TorchScriptTesting"
needs_library = pytest.mark.skipif(not LIBRARY.exists(), reason=f"torch has no {LIBRARY.name}")

if LIBRARY.exists():
    torch.ops.load_library(str(LIBRARY))

PAIRS, COUNTERS, STACKS, PROPERTIES = ("p", "q"), ("d",), ("s", "t"), ("x", "y")
HEADER = (
    "import torch\n"
    f"T = torch.classes.{NAMESPACE}\n"
    "Pair, Counter, Stack = T._Foo, T._DefaultArgs, T._StackString\n"
    "Static = T._StaticMethod\n"
)
BEGIN = (
    "p, q = Pair(n, 1), Pair(2, n)",
    "d = Counter()",
    's, t = Stack(["a"]), Stack(["b"])',
    "x, y = T._FooReadWrite(n, 3), T._FooGetterSetter(n, 4)",
    'm, w = n, "w"',
)
RESULT = (
    "(n, m, w, p.info(), q.info(), p == q, d.increment(0), s.top(), t.top(), x.x, y.x, "
    "isinstance(p, Pair))"
)


class Maker:
    """Makes the source of one program; the seed decides everything.

    No stack is ever empty: C++ does not check that.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.fuel = self.random.randint(5, 22)

    def source(self) -> str:
        lines = ["def f(n: int):", *self._indented(BEGIN), *self._indented(self.block(1))]
        return HEADER + "\n".join([*lines, f"    return {RESULT}", ""])

    def block(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(2, 7)):
            if self.fuel > 0:
                self.fuel -= 1
                lines += self.statement(depth)
        return lines or ["pass"]

    def statement(self, depth: int) -> list[str]:
        kinds = [self.of_pairs, self.of_counters, self.of_stacks, self.of_properties, self.static]
        if depth < 4:
            kinds += [self.branch, self.loop]
        made = self.random.choice(kinds)
        return made(depth)

    def branch(self, depth: int) -> list[str]:
        tests = (f"{self.number()} > {self.number()}", "p == q", 'w == "w"', "isinstance(p, Pair)")
        test = self.random.choice(tests)
        no = self._indented(self.block(depth + 1)) if self.random.random() < 0.6 else ["    pass"]
        return [f"if {test}:", *self._indented(self.block(depth + 1)), "else:", *no]

    def loop(self, depth: int) -> list[str]:
        head = f"for i_{depth} in range({self.random.randint(0, 3)}):"
        return [head, *self._indented(self.block(depth + 1))]

    def of_pairs(self, depth: int) -> list[str]:
        one, other, a, b = *self._two(PAIRS), self.number(), self.number()
        choices = (
            f"{one} = Pair({a}, {b})", f"{one} = {other}", f"{one}.increment({a})",
            f"n = {one}.add({a})", f"m = {one}.info() + {a}", f"n = {one}.combine({other})",
            f"{one} = Pair({one}.info(), {other}.add({a}))", f"{one}.__init__({a}, {b})",
            f"m = [{one}, {other}][{self.random.randint(-2, 1)}].info()",
            f"m = {{'a': {one}, 'b': {other}}}['b'].info()", f"Pair({a}, {b})",
        )  # fmt: skip
        return [self.random.choice(choices)]

    def of_counters(self, depth: int) -> list[str]:
        a, b = self.number(), self.number()
        choices = (
            f"n = d.scale_add({a}, scale={b})", f"m = d.scale_add({a})", "n = d.increment()",
            f"m = d.decrement(val={a})", f"d = Counter({a})", "d = Counter()", "n = d.divide(3)",
        )  # fmt: skip
        return [self.random.choice(choices)]

    def of_stacks(self, depth: int) -> list[str]:
        one, other = self._two(STACKS)
        choices = (
            f"{one}.push(str({self.number()}))", f"{one} = {one}.clone()", f"{one} = {other}",
            f"{one}.push(w + 'v')", f"w = {one}.top()", f"{one} = Stack([w, {other}.top()])",
            f"{one}.merge({other})", f"a, b = {one}.return_a_tuple()",
        )  # fmt: skip
        if self.random.random() < 0.3:
            return [f"{one}.push('z')", f"w = {one}.pop()"]
        return [self.random.choice(choices)]

    def of_properties(self, depth: int) -> list[str]:
        one, other = self._two(PROPERTIES)
        choices = (
            f"{one}.x = {self.number()}", f"n = {one}.x", f"{one}.x = {other}.y + {other}.x",
            f"m = {one}.y", f"x = T._FooReadWrite({self.number()}, n)", "n = y.x_getter()",
        )  # fmt: skip
        return [self.random.choice(choices)]

    def static(self, depth: int) -> list[str]:
        return [f"n = Static.staticMethod({self.number()})"]

    def number(self) -> str:
        return self.random.choice(["n", "m", "n + m", "n * 3 - m", "7", "-2", "m % 5"])

    def _two(self, names: tuple[str, ...]) -> tuple[str, str]:
        return self.random.choice(names), self.random.choice(names)

    @staticmethod
    def _indented(lines: Any) -> list[str]:
        return [f"    {line}" for line in lines]


def shown(value: Any) -> Any:
    """Return a result with what its objects of C++ tell of themselves in their places."""
    if isinstance(value, torch.ScriptObject):
        told: Any = value
        methods = ("info", "top", "get", "diff")
        return [str(told._type()), *(getattr(told, m)() for m in methods if told._has_method(m))]
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    return value.tolist() if isinstance(value, torch.Tensor) else value
