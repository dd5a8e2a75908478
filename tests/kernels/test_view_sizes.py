"""Views whose arguments are sizes: `x.view(b, -1)`, `x[..., : x.size(-1) // 2]`."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.ir.graph import Node
from minits.kernels.launch.geometry import ShapeMismatch, geometry_of
from minits.kernels.lowering import NotFusable
from minits.kernels.lowering.result import View
from minits.kernels.lowering.sizes import Size, evaluate, inputs_of
from tests.kernels.lowered import check, graph_of, lower_for
from tests.passes.test_fuse import fused, groups, kinds


def unpacked(x: Tensor, w: Tensor) -> Tensor:
    b, s, d = x.shape
    return x.view(b, s, d // 2, 2) * w[0, 0] + 1


def rows(x: Tensor, w: Tensor) -> Tensor:
    return (x.reshape(x.size(0), -1) * 2).relu()


def halves(x: Tensor, w: Tensor) -> Tensor:
    h = x.size(-1) // 2
    return x[..., :h] * torch.sigmoid(x[..., h:])


def narrowed(x: Tensor, w: Tensor) -> Tensor:
    n = x.size(1)
    return x.narrow(1, 1, n - 1) * x.narrow(1, 0, n - 1) + x.select(1, n - 1).unsqueeze(1)


def expanded(x: Tensor, w: Tensor) -> Tensor:
    return w[None].expand(x.size(0), x.size(1), -(-x.size(2)) // 2) * 2 + x[:, :, :1]


def unread(x: Tensor, w: Tensor) -> Tensor:
    return (w.view(1, -1).expand(x.size(0), w.size(0) * w.size(1)) * 2).exp()


def split(x: Tensor, w: Tensor) -> Tensor:
    first, second = x.split([x.size(2) - 3, 3], 2)
    return x.unflatten(2, [2, x.size(2) // 2]).select(2, 0) * first[..., :1] + second[..., 1:2]


def of_a_view(x: Tensor, w: Tensor) -> Tensor:
    q = torch.matmul(w, x).view(x.size(0), x.size(1), 2, -1).transpose(1, 2)
    h = q.shape[-1] // 2
    return (q[..., h:] * q.size(1)) * torch.sigmoid(q[..., :h])


def rotate_half(x: Tensor, w: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    return x * 2 + torch.cat((-x[..., half:], x[..., :half]), dim=-1) * w[:1, :1]


PROGRAMS = [unpacked, rows, halves, narrowed, expanded, unread, split, of_a_view, rotate_half]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("program", PROGRAMS)
def test_against_eager(program: Any) -> None:
    scripted = minits.script(program)
    for n in (4, 6, 4, 10, 8):
        x = torch.randn(3, n, 2 * n, dtype=torch.float64, requires_grad=True)
        w = torch.randn(n, n, dtype=torch.float64, requires_grad=True)
        eager = program(x, w)
        mine = scripted(x, w)
        torch.testing.assert_close(mine, eager)
        assert mine.stride() == eager.stride()
        given = torch.randn_like(eager)
        torch.testing.assert_close(
            torch.autograd.grad(mine, (x, w), given, allow_unused=True),
            torch.autograd.grad(eager, (x, w), given, allow_unused=True),
        )
    missed = {remark.operator for remark in scripted.remarks(x, w) if remark.kind == "missed"}
    assert missed <= {"aten::matmul"}


def graph(program: Any, *arguments: Any) -> tuple[list[Node], list[str]]:
    made, _, _ = fused(program, *arguments)
    return groups(made), kinds(made)


@pytest.mark.parametrize(
    "program", [unpacked, rows, halves, narrowed, expanded, unread, split, rotate_half]
)
def test_one_kernel_and_nothing_left(program: Any) -> None:
    found, left = graph(program, torch.randn(3, 4, 8), torch.randn(4, 4))
    assert (len(found), left) == (1, [])


def test_numbers_that_are_no_sizes_are_left(tmp_path: Any) -> None:
    def program(x: Tensor, n: int) -> Tensor:
        return (x.view(n, -1) * 2).exp()

    found, left = graph(program, torch.randn(4, 6), 3)
    assert (len(found), left) == (1, ["view"])
    with pytest.raises(NotFusable, match="size of aten::view is not a constant"):
        lower_for(graph_of(program), [torch.randn(4, 6), 3])


def test_a_size_that_is_an_operand_too() -> None:
    def program(x: Tensor) -> Tensor:
        n = x.size(0)
        return x.view(n, -1).exp() * n + 1

    x = torch.randn(3, 2, 4)
    torch.testing.assert_close(minits.script(program)(x), program(x))


def test_lowered_for_other_shapes() -> None:
    lowered = lower_for(graph_of(halves), [torch.randn(3, 4, 8), torch.randn(4, 4)])
    assert lowered.seen == [0]
    (view,) = lowered.sources[0].views
    assert view.arguments[2] == Size(4, ("aten::floordiv", ("size", 0, -1), 2))
    other = lowered.given([(3, 4, 20)])
    assert [source.views[0].arguments[1:3] for source in other.sources] == [(None, 10), (10, None)]
    check(halves, [torch.randn(2, 3, 6), torch.randn(4, 4)])


def test_halves_by_slices_and_by_chunks_are_one_source() -> None:
    arguments = [torch.randn(3, 4, 8), torch.randn(4, 4)]
    lowered = lower_for(graph_of(rotate_half), arguments)
    assert [source.index for source in lowered.sources] == [0, 0, 1]
    kinds_of = [[v.kind for v in (*s.views, *s.also[0])] for s in lowered.sources[:2]]
    assert kinds_of == [["aten::chunk", "aten::slice"]] * 2
    assert geometry_of(lowered, [torch.randn(3, 4, 6), arguments[1]]).output_shapes == ((3, 4, 6),)
    with pytest.raises(ShapeMismatch, match=r"no longer of the same elements"):
        geometry_of(lowered, [torch.randn(3, 4, 7), arguments[1]])


def test_formulas() -> None:
    size = Size(5, ("aten::sub", ("size", 2, 0), 1))
    assert size == Size(5, ("aten::sub", ("size", 2, 0), 1)) and size != 5
    assert hash(size) == hash(Size(5, size.formula))
    assert list(inputs_of((1, (size,)))) == [2]
    assert evaluate((size, 3), [None, None, torch.empty(9, 2)]) == (8, 3)
    assert View("aten::slice", (0, 0, size, 1)) != View("aten::slice", (0, 0, 5, 1))
    with pytest.raises(RuntimeError, match="division"):
        evaluate(Size(1, ("aten::floordiv", 3, ("size", 0, 0))), [(0,)])
