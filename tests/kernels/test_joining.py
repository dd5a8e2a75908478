"""`torch.cat` and `torch.stack` inside kernels: what is joined is written part by part."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from examples.fused import rotary
from minits.kernels.launch.geometry import geometry_of
from minits.kernels.lowering import NotFusable
from tests.kernels.lowered import check, graph_of, lower_for, programs
from tests.support.cuda_emulator import compare_emulated

SIGNATURE = "x: Tensor, y: Tensor, v: Tensor, n: int"
"""Tensors of shapes [4, 6, 8], [4, 6, 8] and [8]."""

JOINED = [
    "torch.stack([x, y], 1).flatten(1, 2) * v", "torch.stack([x * 2, y], 2).flatten(1, 2) * v",
    "torch.stack([x, y, x], -1).flatten(2) + x[:, :, :1]",
    "torch.stack([x, y], 3).flatten(-2).exp()",
    "torch.cat([x * 2, y + v], 0)", "torch.cat([x * 2, y + v], -1)", "torch.cat((x, y), 1) * 2",
    "torch.cat([x, y, x + y], 2).exp()", "torch.stack([x * 2, y + v])",
    "torch.stack([x, y], -1).relu()", "torch.stack([x, y], 1) * v", "v * torch.cat([x, y])",
    "torch.cat([x, y.double()], 1) * 2", "torch.stack([x.half(), y], 1) * 2",
    "torch.cat([x * v, y], 1).chunk(2, 1)[1] + v", "torch.stack([x * v, y]).unbind(0)[0] + v",
    "torch.cat([x[:, :3] * v, y[:, 3:]], 1) * x",
    "torch.cat([x, torch.zeros_like(y)], 1) * x[:, :1]",
    "torch.cat([v * 2, v + 1]) * x[..., :1]", "torch.cat([v * 2, v + 1], 0) + x.flatten(1)[:, :16]",
    "torch.cat([v * 2, v + 1]).chunk(2)[1] * x", "torch.stack([v * 2, v + 1]) * x[:1, :2, :1]",
]  # fmt: skip
REFUSED = {
    "torch.cat([x, y[:, :2]], 1) * 2": "parts",
    "torch.cat([torch.cat([x, y], 1), torch.cat([y, x], 1)], 1) * 2": "view",
    "torch.cat([x, y], 1).flatten() * 2": "view",
    "torch.cat([x, y], 1).sum(-1) + torch.cat([y, x], 1).sum(-1)": "view",
    "torch.cat([x, y], 1)[:, 2:4] * 2": "view",
    "torch.cat([x, x, x, x, x, y, y, y, y], 1) * 2": "parts",
    "torch.cat([x, y], n) * 2": "not-constant",
    "torch.cat([x[:, :0], y[:, :0]], 1) * 2": "parts",
    "torch.stack([v.sum(), v.sum()]) * 2": "parts",
    "torch.cat([x, y], 1) * 2 + torch.stack([x, y], 2).flatten(1, 2)": "parts",
    "torch.stack([x, y], 1).flatten(0, 1) * 2 + torch.stack([x, y], 1).flatten(2)": "shape",
    "torch.cat([x, y], 1) * 2 + torch.cat([x.mT, y.mT], 2).mT": "view",
}
ARGUMENTS = (torch.randn(4, 6, 8), torch.randn(4, 6, 8), torch.randn(8), 3)


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return programs(tmp_path_factory.mktemp("joining"), SIGNATURE, [*JOINED, *REFUSED])


@pytest.mark.parametrize("expression", JOINED)
def test_joined(functions: dict[str, Any], expression: str) -> None:
    check(functions[expression], ARGUMENTS)


@pytest.mark.parametrize("expression", REFUSED)
def test_refused(functions: dict[str, Any], expression: str) -> None:
    with pytest.raises(NotFusable) as caught:
        lower_for(graph_of(functions[expression]), ARGUMENTS)
    assert caught.value.code == REFUSED[expression]


def test_parts_are_outputs_of_one_tensor(functions: dict[str, Any]) -> None:
    lowered = lower_for(graph_of(functions["torch.cat((x, y), 1) * 2"]), ARGUMENTS)
    geometry = geometry_of(lowered, [*ARGUMENTS[:2], None, None])
    assert geometry.output_shapes == ((4, 12, 8),)
    assert geometry.output_offsets == (0, 48)
    assert geometry.output_strides == ((96, 1), (96, 1))


# ---- Programs ------------------------------------------------------------------------------------


def half(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary embedding, as it is usually written."""
    x1, x2 = x.chunk(2, -1)
    return x * cos + torch.cat((-x2, x1), dim=-1) * sin


def gates(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    return torch.stack([x * cos, torch.tanh(x) * sin], 1)


def two(x: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    return torch.cat([x * cos, x.exp() * sin], 1).relu(), x * sin


def interleaved(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary embedding of pairs that lie side by side."""
    turned = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
    return x * cos + turned * sin


def name_of(each: Any) -> str:
    """The same in each process that collects the tests."""
    return str(getattr(each, "__name__", each))


PROGRAMS = [(half, 8), (interleaved, 8), (gates, 8), (two, 8), (rotary, 4)]
SHAPES = [(2, 3, 5, 8), (2, 6, 5, 8), (1, 3, 5, 8)]


def results_of(function: Any, inputs: list[Tensor]) -> tuple[Tensor, ...]:
    found = function(*inputs)
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.one_in(10, over="is_transposed width")
@pytest.mark.parametrize("is_transposed", [False, True])
@pytest.mark.parametrize(("program", "width"), PROGRAMS, ids=name_of)
def test_against_eager(program: Any, width: int, is_transposed: bool) -> None:
    scripted = minits.script(program)
    for shape in SHAPES:
        x = torch.randn(shape, dtype=torch.float64)
        if is_transposed:
            x = torch.randn(shape[0], shape[2], shape[1], shape[3]).double().transpose(1, 2)
        tables = [torch.randn(5, width, dtype=torch.float64) for _ in range(2)]
        inputs = [x.requires_grad_(), *[table.requires_grad_() for table in tables]]
        mine, eager = results_of(scripted, inputs), results_of(program, inputs)
        for one, other in zip(mine, eager, strict=True):
            torch.testing.assert_close(one, other)
            assert one.stride() == other.stride()
        given = [torch.randn_like(each) for each in eager]
        torch.testing.assert_close(
            torch.autograd.grad(mine, inputs, given), torch.autograd.grad(eager, inputs, given)
        )
        assert len(mine[0].grad_fn.next_functions) == 3  # one node, of the three inputs
        assert torch.autograd.gradcheck(scripted, inputs)
    assert not [each for each in scripted.remarks(*inputs) if each.kind == "missed"]


def rotate_half(x: Tensor) -> Tensor:
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def queries_and_keys(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    cos, sin = cos.unsqueeze(1), sin.unsqueeze(1)
    return (q * cos) + (rotate_half(q) * sin), (k * cos) + (rotate_half(k) * sin)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(("heads", "count"), [(4, 1), (2, 2)])
def test_queries_and_keys(dtype: torch.dtype, heads: int, count: int) -> None:
    """One kernel, or one for each of two shapes; to the bit and in the order that eager has."""
    q = torch.randn(2, 5, 4, 16, dtype=dtype).transpose(1, 2)
    k = torch.randn(2, 5, heads, 16, dtype=dtype).transpose(1, 2)
    cos, sin = torch.randn(2, 2, 5, 16, dtype=dtype)
    scripted = minits.script(queries_and_keys)
    for mine, eager in zip(scripted(q, k, cos, sin), queries_and_keys(q, k, cos, sin), strict=True):
        assert torch.equal(mine, eager)
        assert mine.stride() == eager.stride()
    remarks = scripted.remarks(q, k, cos, sin)
    assert {remark.kernel for remark in remarks} == set(range(count))


def test_other_sizes_run_unfused() -> None:
    def program(x: Tensor, y: Tensor) -> Tensor:
        return torch.cat([x * 2, y + 1], 0) * 3

    scripted = minits.script(program)
    for rows in (4, 5, 0, 1):
        x, y = torch.randn(4, 3), torch.randn(rows, 3)
        torch.testing.assert_close(scripted(x, y), program(x, y))


def test_what_lies_channels_last_stays_so() -> None:
    def program(x: Tensor) -> Tensor:
        return torch.cat([x * 2, x + 1], 1)

    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    scripted = minits.script(program)
    assert scripted(torch.randn(2, 3, 4, 5)).is_contiguous()
    assert scripted(x).stride() == program(x).stride() == (120, 1, 30, 6)
    made = geometry_of(lower_for(graph_of(program), [x]), [x])
    assert made.allocated_strides == ((120, 1, 30, 6),)


def test_stacks_keep_no_order_of_inputs() -> None:
    def program(x: Tensor, y: Tensor) -> Tensor:
        return torch.stack([x, x * 2]) + y

    x, y = torch.randn(5, 4).t(), torch.randn(5, 4).t()
    torch.testing.assert_close(minits.script(program)(x, y), program(x, y))
    assert minits.script(program)(x, y).stride() == program(x, y).stride()


@pytest.mark.one_in(3)
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
@pytest.mark.parametrize(("program", "width"), PROGRAMS, ids=name_of)
def test_for_a_gpu(
    program: Any, width: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    inputs = [torch.randn(*shape).requires_grad_() for shape in ((2, 3, 8), (3, width), (3, width))]
    compare_emulated(program, inputs, monkeypatch, tmp_path, 1e-5)
