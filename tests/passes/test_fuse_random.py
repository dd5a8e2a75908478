"""Random programs of elementwise operators, views and writes: fusing them changes nothing.

What is returned is written to, so that a group that gives one tensor where there were two, or two
where there was one, changes a result.
"""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

import minits
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node, Value
from minits.ir.verifier import verify
from minits.kernels.lowering import lower
from minits.passes.fusion.fuse import KIND
from minits.passes.remove_mutation import remove_mutation
from minits.passes.shape_propagation.propagate import infer_metadata
from minits.runtime import interpreter
from minits.types.tensor_meta import TensorMeta
from tests.kernels.lowered import run as evaluated
from tests.support.agreement import comparable
from tests.support.control_flow import HEADER, load
from tests.support.fusing import fuse, optimize

VALUES = [
    "{t} + {t}", "{t} * {t}", "{t} - {n}", "-{t}", "{t} * 2", "{t} + 1", "{t} - {t}", "2 * {t}",
    "{t}.t()", "{t}.add({t}, alpha={n})", "{t}.transpose(0, 1)", "{t}.contiguous()", "{t}.detach()",
    "torch.mm({t}, {t})", "{t} * {t}.size(0)", "{t} + {row}", "{t} * {t}[0]", "{t}.sum()",
    "{t} + {t}.sum()", "{t}.clone()", "torch.rand_like({t}) * 0 + {t}",
    "torch.softmax({t}, -1)", "torch.tanh({t})", "{t} + {t}.sum(-1, keepdim=True)", "{t}.abs()",
    "torch.where({t} > {t}, {t}, row)", "{t}.chunk(3, 0)[1] + {t}", "{t}.view(-1).view(3, 3)",
    "{t}.unsqueeze(0).squeeze(0)", "{t}.to(torch.float64)", "{t}.reshape(9)[0:3] * {t}",
    "torch.cat([{t}, {t}], 0)[1:4]", "torch.stack([{t}, {t}])[0]", "{t}.amax(1) + {t}",
    "{t}.t().contiguous()", "torch.dropout({t}, 0.5, False)", "{t}.expand(2, 3, 3)[1]",
]  # fmt: skip
WRITES = [
    "{t}.add_({t})",
    "{t}.mul_({n})",
    "{t} += 1",
    "{t}[0] = 3.0",
    "{t}.t().neg_()",
    "print(0)",
]


class Maker:
    """Makes the source of one program; the seed decides everything."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.tensors = ["x", "y"]

    def source(self) -> str:
        lines = [line for _ in range(self.random.randint(3, 14)) for line in self.statement(1)]
        results = ", ".join(self.random.choices(self.tensors, k=3))
        head = "def f(x: torch.Tensor, y: torch.Tensor, row: torch.Tensor, n: int):"
        return HEADER + "\n".join(
            [head, *(f"    {line}" for line in lines), f"    return {results}\n"]
        )

    def filled(self, template: str) -> str:
        while "{t}" in template:
            template = template.replace("{t}", self.random.choice(self.tensors), 1)
        return template.replace("{n}", "n").replace("{row}", "row")

    def statement(self, depth: int) -> list[str]:
        choice = self.random.random()
        if choice < 0.12:
            return [self.filled(self.random.choice(WRITES))]
        if choice < 0.2 and depth < 3:
            return ["if n > 1:", *self.inner(depth), "else:", *self.inner(depth)]
        if choice < 0.25 and depth < 3:
            return ["for q in range(n):", *self.inner(depth), *self.inner(depth)]
        if choice < 0.28 and depth < 3:
            return ["with torch.no_grad():", *self.inner(depth), *self.inner(depth)]
        if choice < 0.31:
            return [f"if n == {self.random.randint(2, 9)}:", "    raise ValueError('n')"]
        value = self.filled(self.random.choice(VALUES))
        if "sum()" in value and "+" not in value:
            value = f"x * {value}"
        if depth == 1 and self.random.random() < 0.8:
            self.tensors.append(f"t{len(self.tensors)}")
            return [f"{self.tensors[-1]} = {value}"]
        return [f"{self.random.choice(self.tensors)} = {value}"]

    def inner(self, depth: int) -> list[str]:
        return [f"    {line}" for line in self.statement(depth + 1)]


def separate() -> tuple[Any, ...]:
    x = torch.arange(9.0, dtype=torch.float64).view(3, 3) / 10
    return x, x.t() + 1, torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64), 1


def shared() -> tuple[Any, ...]:
    x, _, row, _ = separate()
    return x, x, row, 2


def observed(graph: Graph, arguments: tuple[Any, ...]) -> Any:
    """What a call returns, what it does to its arguments, and which results are one object."""
    with torch.enable_grad():  # and put it back: a program may raise where it is off
        try:
            results = interpreter.run(graph, *arguments)
        except RuntimeError as error:
            return str(error).split("\n")[0]
    seen = comparable([results, arguments])
    for value in results:
        value.add_(5)
    return seen, comparable([results, arguments])


def run_group(group: Node, metas: dict[Value, TensorMeta], inputs: list[Any]) -> Any:
    """Run a group by the interpreter, and compare its kernel, as numpy evaluates it."""
    result = interpreter.run(group["Subgraph"], *inputs)
    lowered = lower(group["Subgraph"], [metas.get(value) for value in group.inputs])
    try:
        for source in lowered.sources:
            source.view(inputs[source.index])
    except RuntimeError:
        return result  # other strides than those that the plan was made for: it runs unfused
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # overflow
        kernel = evaluated(lowered, inputs)
    wanted = result if isinstance(result, tuple) else (result,)
    torch.testing.assert_close(tuple(kernel), wanted, equal_nan=True)
    return result


@pytest.mark.parametrize("part", range(10))
def test_fusing_changes_nothing(part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apply = interpreter._apply
    metas: dict[Value, TensorMeta] = {}

    def apply_with_groups(node: Node, inputs: list[Any], steps: interpreter.Steps | None) -> Any:
        return run_group(node, metas, inputs) if node.kind == KIND else apply(node, inputs, steps)

    monkeypatch.setattr(interpreter, "_apply", apply_with_groups)
    for seed in range(part * 20, part * 20 + 20):
        path = tmp_path / f"fused_{seed}.py"
        path.write_text(Maker(seed).source())
        graph = minits.script(load(path).f).graph
        fused = clone_graph(graph)
        optimize(fused)
        metas = infer_metadata(fused, separate())
        remove_mutation(fused, metas, [])
        fuse(fused, metas, [])
        verify(fused)
        for arguments in (separate, shared, separate):
            wanted = observed(graph, arguments())
            if isinstance(wanted, str) and ("unsupported operation" in wanted or "view" in wanted):
                continue  # what fails may be dead code, which is not run
            assert observed(fused, arguments()) == wanted, path.read_text()
