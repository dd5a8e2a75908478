"""Fused graphs compute what the program computes, and have the groups that they should have."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node, Value
from minits.ir.verifier import verify
from minits.kernels.lowering import lower
from minits.passes.fusion import fuse as fusion
from minits.passes.fusion import grouping
from minits.passes.remarks import Remark
from minits.passes.shape_propagation.propagate import infer_metadata
from minits.passes.specialization.specialize import specialize
from minits.runtime import interpreter
from minits.types.tensor_meta import TensorMeta
from tests.support.control_flow import HEADER, load
from tests.support.fusing import fuse, optimize


def fused(program: Any, *arguments: Any) -> tuple[Graph, dict[Value, TensorMeta], list[Remark]]:
    """The graph of a program, specialised on these arguments, optimised and fused."""
    script = minits.script(program)
    inputs = [script, *arguments] if isinstance(program, torch.nn.Module) else [*arguments]
    none = {
        index: inputs[index] is None
        for index, value in enumerate(script.graph.inputs)
        if str(value.type).startswith("Optional") or str(value.type).endswith("?")
    }
    graph = clone_graph(script.graph)
    specialize(graph, none)
    optimize(graph)
    metas = infer_metadata(graph, inputs)
    remarks: list[Remark] = []
    fuse(graph, metas, remarks)
    verify(graph)
    for group in groups(graph):
        verify(group["Subgraph"])
        lower(group["Subgraph"], [metas.get(value) for value in group.inputs])
    return graph, metas, remarks


def groups(graph: Graph) -> list[Node]:
    return [node for node in graph.all_nodes() if node.kind == fusion.KIND]


def kinds(graph: Graph) -> list[str]:
    """The operators of a graph, without their namespace."""
    return [
        node.kind.split("::")[1] for node in graph.all_nodes() if node.kind.startswith("aten::")
    ]


def inside(group: Node) -> list[str]:
    return kinds(group["Subgraph"])


def run(graph: Graph, *inputs: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a graph whose groups are run by the interpreter, too."""
    original = interpreter._apply

    def apply(node: Node, values: list[Any], steps: interpreter.Steps | None) -> Any:
        if node.kind == fusion.KIND:
            return interpreter.run(node["Subgraph"], *values)
        return original(node, values, steps)

    monkeypatch.setattr(interpreter, "_apply", apply)
    return interpreter.run(graph, *inputs)


def rand(*shape: int) -> Tensor:
    return torch.rand(shape)


# ---- Programs, what they are called with, and the groups that they should have -----------------


def chain(x: Tensor, y: Tensor, s: float):
    a = x * y + s
    return -a * a - y


def several_outputs(x: Tensor, y: Tensor):
    a = x + y
    b = a * x
    return a, b - 1, b


def siblings(x: Tensor, y: Tensor):
    return x * y - 1, x * 2 + y


def unrelated(x: Tensor, y: Tensor):
    return x * 2 - 1, y * 3 + 1


def around_a_product(x: Tensor, y: Tensor):
    a = x * 2 + 1
    b = torch.mm(a, y)
    return b * a - x


def beside_a_product(x: Tensor, y: Tensor):
    a = x * 2
    b = torch.mm(a, y)
    return b, a + 1


def checked(x: Tensor, y: Tensor):
    a = x * 2
    assert y.dim() == 2
    if x.size(0) != y.size(0):
        raise ValueError("sizes")
    return a + y


def printed(x: Tensor):
    a = x * 2
    print("a")
    return a + 1


def branches(x: Tensor, n: int):
    if n > 2:
        y = x * 2 + 1
    else:
        y = x - 1
    return y * x - n


def loop(x: Tensor, n: int):
    for i in range(n):
        x = x * 2 + i
    return x


def numbers(x: Tensor, n: int):
    scale = n * 2 + x.size(0)
    return x * scale + n - float(scale)


def views_outside(x: Tensor, y: Tensor):
    a = x * y
    b = a.t()
    return b, b + 1, a - 1


def scalar_chain(x: Tensor):
    y = torch.det(x)
    return y * 2 + 1


def one_operator(x: Tensor, y: Tensor):
    return torch.mm(x * 2, y)


def one_tensor_twice(x: Tensor, y: Tensor):
    a = x + y
    return a * a + a, a


def mutation_between(x: Tensor, y: Tensor):
    a = x * 2
    x.add_(1)
    return a + x, y


def mutation_of_the_result(x: Tensor, y: Tensor):
    a = x * y + 1
    a[0] = 3.0
    return a * 2 - y


def mutation_of_a_view(x: Tensor, y: Tensor):
    a = x * 2
    b = y[0]
    b.mul_(3)
    c = y + a
    return c * 2


def no_grad_between(x: Tensor, y: Tensor):
    a = x * 2 + 1
    with torch.no_grad():
        b = a * y + 1
        c = b - 1
    return a + c - y


def a_list(x: Tensor, y: Tensor):
    parts = [x * 2 + 1]
    parts.append(parts[0] - y + 1)
    return torch.stack(parts)


def called_helper(x: Tensor, y: Tensor):
    return chain(chain(x, y, 2.0), y, 1.5)


def one_row_of_a_reduction(x: Tensor):
    a = x * 2
    sums = a.sum(-1, keepdim=True)
    return a * sums[0] - sums


CASES: list[tuple[Any, tuple[Any, ...], list[str]]] = [
    (chain, (rand(3, 4), rand(4), 1.5), ["mul add neg mul sub"]),
    (several_outputs, (rand(3, 4), rand(3, 4)), ["add mul sub"]),
    (siblings, (rand(3, 4), rand(3, 4)), ["mul sub mul add"]),
    (unrelated, (rand(3, 4), rand(3, 4)), ["mul sub", "mul add"]),
    (around_a_product, (rand(3, 3), rand(3, 3)), ["mul add", "mul sub"]),
    (beside_a_product, (rand(3, 3), rand(3, 3)), ["mul add"]),
    (checked, (rand(3, 4), rand(3, 4)), ["mul add"]),
    (printed, (rand(3, 4),), ["mul add"]),
    (branches, (rand(3, 4), 3), ["mul add", "mul sub"]),
    (loop, (rand(3, 4), 3), ["mul add"]),
    (numbers, (rand(3, 4), 3), ["mul add sub"]),
    (scalar_chain, (rand(3, 3),), ["mul add"]),
    (one_row_of_a_reduction, (rand(3, 4),), ["mul sum", "select mul sub"]),
    (one_operator, (rand(3, 3), rand(3, 3)), []),
    (one_tensor_twice, (rand(3, 4), rand(3, 4)), ["add mul add"]),
    (mutation_between, (rand(3, 4), rand(3, 4)), []),
    (mutation_of_the_result, (rand(3, 4), rand(3, 4)), ["mul add", "mul sub"]),
    (mutation_of_a_view, (rand(3, 4), rand(3, 4)), ["add mul"]),
    (no_grad_between, (rand(3, 4), rand(3, 4)), ["mul add", "mul add sub", "add sub"]),
    (a_list, (rand(3, 4), rand(3, 4)), ["mul add"]),
    (called_helper, (rand(3, 4), rand(4)), ["mul add neg mul sub mul add neg mul sub"]),
]


@pytest.mark.parametrize(("program", "arguments", "expected"), CASES)
def test_groups(
    program: Any, arguments: Any, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, _, _ = fused(program, *arguments)
    assert [" ".join(inside(group)) for group in groups(graph)] == expected
    wanted = program(*_copied(arguments))
    torch.testing.assert_close(run(graph, *_copied(arguments), monkeypatch=monkeypatch), wanted)


def _copied(arguments: tuple[Any, ...]) -> list[Any]:
    return [each.clone() if isinstance(each, Tensor) else each for each in arguments]


def of_source(path: Path, body: str, *arguments: Any) -> Graph:
    """The fused graph of a function of x and y that is given as text."""
    path.write_text(f"{HEADER}def f(x: torch.Tensor, y: torch.Tensor):\n{body}    return x\n")
    return fused(load(path).f, *arguments)[0]


def test_a_long_chain_is_cut(tmp_path: Path) -> None:
    graph = of_source(tmp_path / "long.py", "    x = x * 2\n" * 106, rand(2), rand(2))
    assert [len(inside(group)) for group in groups(graph)] == [10, grouping.LARGEST]


def test_operators_of_a_long_list_are_joined_without_lowering_each_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered: list[int] = []
    lower_group = grouping.StraightLineRegion.lower

    def counted(region: Any, members: Any) -> Any:
        lowered.append(len(members))
        return lower_group(region, members)

    monkeypatch.setattr(grouping.StraightLineRegion, "lower", counted)
    items = ", ".join(f"x + {n}" for n in range(200))
    graph = of_source(tmp_path / "list.py", f"    x = torch.stack([{items}])\n", rand(2), rand(2))
    assert sum(len(inside(group)) for group in groups(graph)) == 200
    assert max(len(inside(group)) for group in groups(graph)) == grouping.LARGEST
    assert sum(lowered) < 3 * 200


def test_views_of_views_do_not_multiply(tmp_path: Path) -> None:
    lines = "".join(f"    x = x + x.t() * {n}\n" for n in range(2, 30))
    started = time.perf_counter()
    graph = of_source(tmp_path / "views.py", lines, rand(3, 3), rand(3, 3))
    assert time.perf_counter() - started < 5
    assert 5 < len(groups(graph)) <= 28


def test_costly_values_of_small_tensors_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def program(x: Tensor, y: Tensor):
        return x * -(y * 2 + 1)

    monkeypatch.setattr(grouping, "COSTLY", frozenset(["aten::neg"]))
    small, _, _ = fused(program, rand(4, 8), rand(8))
    large, _, _ = fused(program, rand(4096, 64), rand(64))
    assert [inside(group) for group in groups(small)] == [["mul", "add", "neg", "mul"]]
    assert [inside(group) for group in groups(large)] == [["mul", "add", "neg"]]


def test_sizes_are_asked_of_inputs() -> None:
    def program(x: Tensor, y: Tensor):
        a = x * y + 1
        return a * a.size(0) - a.numel() * a.dim()

    graph, _, _ = fused(program, rand(3, 4), rand(4))
    assert [inside(group) for group in groups(graph)] == [["mul", "add", "mul", "sub"]]
    asked = [node for node in graph.nodes if node.kind in ("aten::size", "aten::numel")]
    assert {node.inputs[0] for node in asked} == {graph.inputs[0]}


def test_sizes_of_views_that_only_a_group_reads_are_asked_of_what_it_gives() -> None:
    def cut(x: Tensor):
        y = torch.relu(x[1:]) * 2 - 0.5
        return y, y.size(0)

    def read(x: Tensor):
        part = x[1:]
        y = torch.relu(part) * 2 - 0.5
        return y, y.size(0), part

    for program, source in ((cut, "prim::FusionGroup"), (read, "aten::slice")):
        graph, _, _ = fused(program, rand(3, 4))
        (asked,) = [node for node in graph.nodes if node.kind == "aten::size"]
        assert asked.inputs[0].node.kind == source
        kinds = [node.kind for node in graph.nodes]
        assert kinds.count("aten::slice") == (program is read)


def test_checks_stay_in_front(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, _, _ = fused(checked, rand(3, 4), rand(3, 4))
    last = [node.kind for node in graph.nodes if node.kind.startswith("prim::")][-2:]
    assert last == ["prim::If", "prim::FusionGroup"]
    with pytest.raises(RuntimeError, match="sizes"):
        run(graph, rand(3, 4), rand(2, 5), monkeypatch=monkeypatch)


def test_a_group_knows_its_place() -> None:
    graph, metas, _ = fused(several_outputs, rand(3, 4), rand(3, 4))
    (group,) = groups(graph)
    assert group.range is not None
    assert group.range.text == "b - 1"
    assert all(node.range is not None for node in group["Subgraph"].nodes if node.inputs)
    assert [metas[value].shape for value in group.outputs] == [(3, 4)] * 3
    assert [str(value.type) for value in group.outputs] == ["Tensor"] * 3


def test_fusing_twice_changes_nothing() -> None:
    graph, metas, _ = fused(around_a_product, rand(3, 3), rand(3, 3))
    before = str(graph)
    fuse(graph, metas, [])
    assert str(graph) == before
