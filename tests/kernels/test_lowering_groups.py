"""What a group is made of: domains, sources, parameters, outputs; and what can be in none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from minits.ir.graph import Graph, Node
from minits.kernels.ir.kernel import Level
from minits.kernels.lowering import LOWERINGS, NotFusable, can_fuse
from minits.types.tensor_meta import TensorMeta, meta_of
from tests.kernels.lowered import check, graph_of, lower_for, programs, run

SIGNATURE = "x: Tensor, y: Tensor, s: float, n: int, flag: bool"


def graph(folder: Path, expression: str) -> Graph:
    return graph_of(programs(folder, SIGNATURE, [expression])[expression])


def arguments(x: Tensor | None = None, y: Tensor | None = None) -> list[Any]:
    x = torch.randn(3, 4) if x is None else x
    return [x, torch.randn(x.shape) if y is None else y, 0.5, 3, True]


# ---- Numbers -------------------------------------------------------------------------------------


def test_numbers_are_parameters(tmp_path: Path) -> None:
    given = arguments()
    lowered = lower_for(graph(tmp_path, "x * s + n"), given)
    assert lowered.parameters == [2, 3]
    assert lowered.kernel.parameters == [torch.float64, torch.int64]
    for s, n in [(0.25, 7), (-3.0, 0)]:
        torch.testing.assert_close(run(lowered, [given[0], None, s, n, False])[0], given[0] * s + n)


def test_a_number_that_is_used_twice_is_one_parameter(tmp_path: Path) -> None:
    lowered = lower_for(graph(tmp_path, "(x * s + y) / s"), arguments())
    assert lowered.parameters == [2]


def test_a_group_that_nobody_reads_is_no_kernel(tmp_path: Path) -> None:
    made = graph(tmp_path, "x * s")
    made.block.end.remove_input(0)
    with pytest.raises(NotFusable, match="nobody reads"):
        lower_for(made, arguments())


# ---- Sources -------------------------------------------------------------------------------------


def test_a_tensor_that_is_read_twice_is_one_source(tmp_path: Path) -> None:
    lowered = lower_for(graph(tmp_path, "x * y + x"), arguments())
    assert [source.index for source in lowered.sources] == [0, 1]


def test_what_is_constant_along_rows_is_read_once_a_row(tmp_path: Path) -> None:
    lowered = lower_for(graph(tmp_path, "(x + y).softmax(-1)"), arguments(y=torch.randn(3, 1)))
    assert [source.level for source in lowered.sources] == [Level.FULL, Level.ROW]
    assert not lowered.sources[1].row_aligned


def test_what_meets_a_reduction_lies_along_the_rows(tmp_path: Path) -> None:
    given = arguments(y=torch.randn(3))
    lowered = lower_for(graph(tmp_path, "x.sum(-1) + y"), given)
    assert lowered.sources[1].row_aligned
    torch.testing.assert_close(run(lowered, given)[0], given[0].sum(-1) + given[1])


def test_a_kernel_does_not_fit_what_broadcasts_otherwise(tmp_path: Path) -> None:
    lowered = lower_for(graph(tmp_path, "x * y"), arguments(y=torch.randn(4)))
    with pytest.raises(RuntimeError):
        run(lowered, arguments(y=torch.randn(1)))
    other = arguments(torch.randn(7, 2), torch.randn(2))
    torch.testing.assert_close(run(lowered, other)[0], other[0] * other[1])


# ---- Outputs -------------------------------------------------------------------------------------

SEVERAL = [
    "(x + y, (x + y) * 2, x + y)",
    "(x.sum(-1), x.sum(-1, keepdim=True), x * 2)",
    "(x.to(torch.float32).mul(2), x.softmax(-1))",
    "(x > 0, torch.where(x > 0, x, y), x.argmax(-1))",
]


@pytest.mark.parametrize("expression", SEVERAL)
def test_several_outputs(tmp_path: Path, expression: str) -> None:
    check(programs(tmp_path, SIGNATURE, [expression])[expression], arguments())


OUTPUTS = {
    "x.to(torch.float32)": "view",
    "(x * 2, x.to(torch.float32))": "view",
    "(x + y).transpose(0, 1)": "view",
    "(x * 2).detach()": "view",
    "(x * y, x[0] * 2)": "shape",
    "torch.zeros_like(x)": "shape",
    "x.sum(-1, keepdim=True).expand_as(x)": "view",
}


@pytest.mark.parametrize("expression", OUTPUTS)
def test_outputs_that_are_refused(tmp_path: Path, expression: str) -> None:
    with pytest.raises(NotFusable) as refusal:
        lower_for(graph(tmp_path, expression), arguments())
    assert refusal.value.code == OUTPUTS[expression]


def test_what_eager_does_not_copy_is_one_output(tmp_path: Path) -> None:
    """The second is the very tensor that the first is."""
    lowered = lower_for(graph(tmp_path, "((x + y), (x + y).to(torch.float32))"), arguments())
    assert len(set(lowered.outputs)) == len(lowered.kernel.outputs)


def test_a_copy_is_an_output_of_its_own(tmp_path: Path) -> None:
    lowered = lower_for(graph(tmp_path, "(x + y, (x + y).clone())"), arguments())
    assert lowered.outputs == [0, 1]


# ---- Single operators ----------------------------------------------------------------------------

REFUSED = {
    "torch.mm(x, y)": "not-elementwise",
    "x.cumsum(0)": "reduction",
    "torch.rand_like(x)": "not-elementwise",
    "F.dropout(x, 0.5, True)": "random",
    "F.dropout(x, 0.5, flag)": "random",
    "x.sum(n)": "not-constant",
    "x.select(0, n)": "not-constant",
    "x.sum(0)": "reduction",
    "x.to('cuda')": "multi-device",
    "x.contiguous(memory_format=torch.channels_last)": "view",
    "x.to(torch.complex64)": "dtype",
    "x.bitwise_and(y)": "dtype",
    "x.view(2, 6)": None,
    "x.unsqueeze(0)": None,
    "x.chunk(2, 1)[0]": None,
    "x.softmax(-1)": None,
    "x * s": None,
}


def refusal_of(node: Node, metas: dict[Any, TensorMeta]) -> str | None:
    refusal = can_fuse(node, metas.get)
    assert refusal is None or refusal.node is not None
    return None if refusal is None else refusal.code


@pytest.mark.parametrize("expression", REFUSED)
def test_single_operators(tmp_path: Path, expression: str) -> None:
    made = graph(tmp_path, expression)
    tensors = dict(zip(made.inputs, arguments(), strict=True))
    metas = {value: meta_of(each) for value, each in tensors.items() if isinstance(each, Tensor)}
    *_, node = [node for node in made.nodes if node.kind != "prim::Constant"]
    assert refusal_of(node, metas) == REFUSED[expression]


def test_nothing_is_known(tmp_path: Path) -> None:
    (node,) = [node for node in graph(tmp_path, "x * y").nodes if node.kind == "aten::mul"]
    assert refusal_of(node, {}) == "unknown-type"


def test_several_devices(tmp_path: Path) -> None:
    made = graph(tmp_path, "x * y")
    (node,) = [node for node in made.nodes if node.kind == "aten::mul"]
    here = meta_of(torch.randn(3))
    there = TensorMeta(here.dtype, torch.device("cuda"), here.shape, here.strides)
    metas = dict(zip(made.inputs, (here, there), strict=False))
    assert refusal_of(node, metas) == "multi-device"
    meta = TensorMeta(here.dtype, torch.device("meta"), here.shape, here.strides)
    assert refusal_of(node, dict.fromkeys(made.inputs, meta)) == "device"


def test_rows_of_the_table() -> None:
    assert len(LOWERINGS) >= 200
    for kind, row in LOWERINGS.items():
        is_made = row.emit is not None or row.views is not None
        assert is_made or kind == "prim::ListConstruct"
