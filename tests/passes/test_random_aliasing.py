"""Lists, dicts and tensors that are one object under several names, written to at random.

A pass that overlooks a write, or that lets two calls share what they return, changes a result here.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import torch

import minits
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph
from minits.passes.instrumentation import PassPrinter, instrumented
from minits.passes.pipeline import run_pipeline
from minits.runtime.interpreter import run
from tests.support.agreement import comparable
from tests.support.control_flow import HEADER, load

NAMES = {"i": "n", "l": "xs", "t": "x y", "g": "xss", "d": "table", "s": "ts"}
"""The variables of each kind at first: ints, lists, tensors, lists of lists, dicts, of tensors."""

VALUES = [
    ("l", "{l}"), ("l", "{l}.copy()"), ("l", "[{i}, 3]"), ("l", "[1, 2]"), ("l", "{g}[0]"),
    ("l", "{d}['k']"), ("i", "len({l})"), ("i", "{l}[0]"), ("i", "{i} + {i}"), ("g", "[{l}, {l}]"),
    ("t", "{t}.view(-1)"), ("t", "{t} + 1"), ("t", "{t}[0:1]"), ("t", "torch.cat([{t}, {t}])[0:2]"),
    ("t", "{s}[0]"), ("t", "torch.ones(2)"), ("t", "{t}.neg()"), ("s", "[{t}, {t}]"),
]  # fmt: skip
WRITES = [
    "{l}.append({i})", "{l}[0] = {i}", "{l}.reverse()", "{l}.extend({l}[0:1])", "{g}.append({l})",
    "{t}.add_(1)", "{t}[0] = {i}", "{d}['k'] = {l}",
]  # fmt: skip


class Maker:
    """Makes the source of one program; the seed decides everything."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = {kind: names.split() for kind, names in NAMES.items()}

    def source(self) -> str:
        lines = [line for _ in range(self.random.randint(4, 16)) for line in self.statement(1)]
        results = ", ".join(
            self.filled("{" + kind + "}") for kind in self.random.choices("iltgs", k=3)
        )
        head = (
            "def f(n: int, xs: List[int], x: torch.Tensor, y: torch.Tensor, xss: List[List[int]], "
            "table: Dict[str, List[int]], ts: List[torch.Tensor]):"
        )
        return HEADER + "\n".join(
            [head, *(f"    {line}" for line in lines), f"    return {results}\n"]
        )

    def filled(self, template: str) -> str:
        """Put a variable for each `{kind}` of a template."""
        for kind, names in self.names.items():
            while "{" + kind + "}" in template:
                template = template.replace("{" + kind + "}", self.random.choice(names), 1)
        return template

    def statement(self, depth: int) -> list[str]:
        choice = self.random.random()
        if choice < 0.35:
            return [self.filled(self.random.choice(WRITES))]
        if choice < 0.45 and depth < 3:
            return [f"if {self.filled('{i}')} > 1:", *self.inner(depth)]
        if choice < 0.55 and depth < 3:
            return ["for q in range(2):", *self.inner(depth), *self.inner(depth)]
        kind, template = self.random.choice(VALUES)
        value = self.filled(template)
        if depth == 1 and choice < 0.9:
            self.names[kind].append(f"{kind}{len(self.names[kind])}")
            return [f"{self.names[kind][-1]} = {value}"]
        return [f"{self.random.choice(self.names[kind])} = {value}"]

    def inner(self, depth: int) -> list[str]:
        return [f"    {line}" for line in self.statement(depth + 1)]


def separate() -> tuple[Any, ...]:
    """Arguments that share nothing."""
    x = torch.tensor([1.0, 2.0])
    return 2, [4, 1], x, x.clone(), [[7], [8]], {"k": [5]}, [x + 1, torch.zeros(2)]


def shared() -> tuple[Any, ...]:
    """Arguments that are the same objects as far as their types let them be."""
    xs, x = [4, 1], torch.tensor([1.0, 2.0])
    return 1, xs, x, x, [xs, xs], {"k": xs}, [x, x]


def observed(graph: Graph, arguments: tuple[Any, ...]) -> Any:
    """What a call returns, what it does to its arguments, and which results are one object."""
    try:
        results = run(graph, *arguments)
    except RuntimeError:
        return "raises"
    seen = comparable([results, arguments])
    for value in results:
        if isinstance(value, list):
            value.append(value[0])
        elif isinstance(value, torch.Tensor):
            value.add_(5)
    return seen, comparable([results, arguments])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(100))
def test_passes_see_every_write(seed: int, tmp_path: Path) -> None:
    path = tmp_path / f"aliases_{seed}.py"
    path.write_text(Maker(seed).source())
    graph = minits.script(load(path).f).graph
    optimised = clone_graph(graph)
    with instrumented(PassPrinter(verify_each=True)):
        run_pipeline(optimised, "optimize")
    for arguments in (separate, shared, separate):  # a second call must not see the first
        assert observed(optimised, arguments()) == observed(graph, arguments())
