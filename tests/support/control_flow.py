"""Programs made at random: branches, loops, jumps and returns, nested as they come.

Every program compiles or is refused by TorchScript's own rules; what it computes does not matter.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from typing import Any

HEADER = "import torch\nfrom typing import *\n"
RESULTS = {
    "int": ("int", ["a", "a + b", "3"]),
    "tensor": ("torch.Tensor", ["t"]),
    "tuple": ("Tuple[int, torch.Tensor]", ["(a, t)", "(b, t + 1)"]),
    "optional": ("Optional[int]", ["a", "None"]),
    "list": ("List[int]", ["l", "[a, b]", "[i * i for i in l]"]),
    "dict": ("Dict[str, int]", ["{'a': a}", "{'a': a, 'b': b}"]),
    "optional list": ("Optional[List[int]]", ["l", "[a]", "None"]),
    "optional tuple": ("Optional[Tuple[int, Optional[torch.Tensor]]]", ["(a, None)", "None"]),
}
ITERABLES = ("range({0})", "range({0}, {1})", "l")


class Maker:
    """Makes the source of one program; the seed decides everything."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.fuel = self.random.randint(6, 26)
        self.optional = self.random.choice([(), ("o",), ("o", "p")])
        self.result = self.random.choice([*RESULTS])

    def source(self) -> str:
        optional = "".join(f", {name}: Optional[int]" for name in self.optional)
        annotation, values = RESULTS[self.result]
        body = [*self.block(["a", "b"], False, 1), *self.block(["a", "b"], False, 1)]
        lines = [
            f"def f(a: int, b: int, t: torch.Tensor, l: List[int]{optional}) -> {annotation}:",
            *(f"    {line}" for line in body),
            f"    return {values[0]}",
        ]
        return HEADER + "\n".join(lines) + "\n"

    def block(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        """Make a few statements; none after one that leaves the block."""
        names = [*names]
        lines: list[str] = []
        for _ in range(self.random.randint(1, 4)):
            if self.fuel <= 0:
                break
            self.fuel -= 1
            statement = self.statement(names, in_loop, depth)
            lines += statement
            if statement[0].startswith(("return", "raise", "break", "continue")):
                break
        return lines or ["pass"]

    def statement(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        kinds = ["assign"] * 6 + ["tensor", "assert", "append", "print", "element"]
        kinds += ["return"] * 2 + ["raise"] + ["clear"] * (2 if self.optional else 0)
        kinds += ["jump"] * (4 if in_loop else 0)
        if depth < 4:
            kinds += ["if"] * 6 + ["while", "for", "for"]
        make = getattr(self, "_" + self.random.choice(kinds))
        lines: list[str] = make(names, in_loop, depth)
        return lines

    # ---- Statements ----------------------------------------------------------------------------

    def _assign(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        name = self.random.choice("abcde")
        line = f"{name} = {self.number(names)}"
        if name not in names:
            names.append(name)
        return [line]

    def _clear(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        value = self.random.choice(["None", self.number(names)])
        return [f"{self.random.choice(self.optional)} = {value}"]

    def _tensor(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        return [f"t = t + {self.random.choice(names)}"]

    def _assert(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        return [f"assert {self.condition(names)}"]

    def _append(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        return [f"l.append({self.number(names)})"]

    def _print(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        return [f"print({self.random.choice(names)})"]

    def _element(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        return [f"a = [{self.random.choice(names)} for q in l][0]"]

    def _return(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        return [f"return {self.random.choice(RESULTS[self.result][1])}"]

    def _raise(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        return ["raise ValueError('no')"]

    def _jump(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        return [self.random.choice(["break", "continue"])]

    def _if(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        lines = [f"if {self.condition(names)}:", *self.inner(names, in_loop, depth)]
        if self.random.random() < 0.2:
            lines += [f"elif {self.condition(names)}:", *self.inner(names, in_loop, depth)]
        if self.random.random() < 0.6:
            lines += ["else:", *self.inner(names, in_loop, depth)]
        return lines

    def _while(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        return [f"while {self.condition(names)}:", *self.inner(names, True, depth)]

    def _for(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        name = self.random.choice("ija")
        iterable = self.random.choice(ITERABLES).format(*self.random.choices(names, k=2))
        return [f"for {name} in {iterable}:", *self.inner([*names, name], True, depth)]

    def inner(self, names: list[str], in_loop: bool, depth: int) -> list[str]:
        return [f"    {line}" for line in self.block(names, in_loop, depth + 1)]

    # ---- Expressions ---------------------------------------------------------------------------

    def number(self, names: list[str]) -> str:
        left, right = self.random.choices([*names, "1", "2", "3"], k=2)
        return self.random.choice([left, f"{left} {self.random.choice('+-*')} {right}"])

    def condition(self, names: list[str], depth: int = 0) -> str:
        chance = self.random.random()
        if depth < 2 and chance < 0.2:
            parts = [self.condition(names, depth + 1) for _ in range(2)]
            return f" {self.random.choice(['and', 'or'])} ".join(parts)
        if depth < 2 and chance < 0.3:
            return f"not ({self.condition(names, depth + 1)})"
        if chance < 0.36:
            return self.random.choice(["True", "False"])
        if self.optional and chance < 0.5:
            test = self.random.choice(["is", "is not"])
            return f"{self.random.choice(self.optional)} {test} None"
        comparison = self.random.choice(["<", ">", "==", "!=", "<=", ">="])
        return f"{self.random.choice(names)} {comparison} {self.number(names)}"


def make_program(seed: int, folder: Path) -> Any:
    """Write the program of a seed to a file of its own, and return its function."""
    path = folder / f"program_{seed}.py"
    path.write_text(Maker(seed).source())
    return load(path).f


def load(path: Path) -> Any:
    """Import a file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
