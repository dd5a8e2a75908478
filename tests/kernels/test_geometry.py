"""Geometries: which dimensions are merged, and that outputs have eager's shapes and strides."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from minits.ir.graph import Graph
from minits.kernels.ir.builder import Builder
from minits.kernels.ir.kernel import Level
from minits.kernels.launch.geometry import ShapeMismatch, geometry_of
from minits.kernels.lowering.result import Lowered, Source, View

B, S, H = 4, 5, 6


def sum_of(*tensors: Tensor, views: tuple[tuple[View, ...], ...] | None = None) -> Lowered:
    """The kernel that adds up tensors, each seen through its views."""
    k = Builder()
    total = None
    sources = []
    for index, tensor in enumerate(tensors):
        loaded = k.load(k.input(tensor.dtype))
        total = loaded if total is None else k("add", total, loaded)
        chain = views[index] if views else ()
        for view in chain:
            tensor = view(tensor)
        ones = tuple(size == 1 for size in tensor.shape)
        sources.append(Source(index, chain, Level.FULL, False, ones))
    assert total is not None
    k.output(total)
    rank = max(len(source.ones) for source in sources)
    return Lowered(k.finish(), sources, [], [0], Graph(), rank)


def row_sum(x: Tensor, keepdim: bool = False, reduced: int = 1) -> Lowered:
    k = Builder(reduced)
    k.output(k.reduce("sum", k.load(k.input(x.dtype))), keepdim)
    ones = tuple(size == 1 for size in x.shape)
    return Lowered(k.finish(), [Source(0, (), Level.FULL, False, ones)], [], [0], Graph(), x.dim())


def dense(*shape: int) -> Tensor:
    return torch.zeros(shape)


@pytest.mark.parametrize(
    ("tensors", "sizes", "layout"),
    [
        ([dense(B, S, H), dense(B, S, H)], (B * S * H,), "1+0(1,1)->(1)"),
        ([dense(B, S, H), dense(H)], (B * S, H), "2+0(s1,01)->(s1)"),
        ([dense(B, S, H), dense(S, 1)], (B, S, H), "3+0(ss1,0s0)->(ss1)"),
        ([dense(B, S, H), dense()], (B * S * H,), "1+0(1,0)->(1)"),
        ([dense(B, 1, H), dense(B, 1, H)], (B * H,), "1+0(1,1)->(1)"),
        ([dense(), dense()], (1,), "1+0(0,0)->(0)"),
        ([dense(1, 1)], (1,), "1+0(0)->(0)"),
        ([dense(S, B).t(), dense(S, B).t()], (B * S,), "1+0(1,1)->(1)"),
        ([dense(S, B).t(), dense(B, S)], (S, B), "2+0(s1,ss)->(s1)"),
        ([dense(B, 2 * H)[:, :H], dense(B, H)], (B, H), "2+0(s1,s1)->(s1)"),
        ([dense(B, 2 * H)[:, ::2]], (B * H,), "1+0(s)->(1)"),
    ],
)
def test_dimensions_are_merged(tensors: list[Tensor], sizes: tuple[int, ...], layout: str) -> None:
    geometry = geometry_of(sum_of(*tensors), tensors)
    assert geometry.sizes == sizes
    assert str(geometry.layout) == layout


@pytest.mark.parametrize("seed", range(60))
def test_outputs_have_the_strides_of_eager(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)

    def draw(limit: int) -> int:
        return int(torch.randint(limit, (), generator=generator))

    rank = 1 + draw(4)
    shape = [draw(4) + 2 for _ in range(rank)]
    tensors = []
    for _ in range(1 + draw(3)):
        order = torch.randperm(rank, generator=generator).tolist()
        x = torch.zeros([shape[dim] for dim in order]).permute(
            [order.index(dim) for dim in range(rank)]
        )
        if draw(3) == 0:
            x = x.narrow(draw(rank), 0, 1)
        tensors.append(x)
    expected = tensors[0] * 1.0
    for x in tensors[1:]:
        expected = expected + x
    # Eager decides operator by operator, a kernel once: they differ where a broadcast tensor
    # comes first. Both are the same elements in a dense tensor.
    geometry = geometry_of(sum_of(*tensors), tensors)
    assert geometry.output_shapes == (tuple(expected.shape),)
    if all(x.shape == tensors[0].shape for x in tensors):
        assert geometry.allocated_strides == (tuple(expected.stride()),)


@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("shape", [(B, S), (B, S, H), (1, S), (B, 1), (0, S), (S,)])
def test_rows(shape: tuple[int, ...], keepdim: bool) -> None:
    x = dense(*shape)
    geometry = geometry_of(row_sum(x, keepdim), [x])
    expected = x.sum(-1, keepdim=keepdim)
    assert geometry.output_shapes == (tuple(expected.shape),)
    assert geometry.layout.inner == 1
    assert geometry.sizes[-1] == shape[-1]
    made = torch.empty_strided(geometry.output_shapes[0], geometry.allocated_strides[0])
    assert made.is_contiguous()


def test_a_reduction_over_nothing_is_refused() -> None:
    with pytest.raises(ShapeMismatch, match="nothing to reduce over"):
        geometry_of(row_sum(dense(B, 0)), [dense(B, 0)])


def test_inner_dimensions_are_merged_apart_from_outer_ones() -> None:
    x = dense(B, S, H, 2)
    geometry = geometry_of(row_sum(x, reduced=2), [x])
    assert geometry.sizes == (B * S, H * 2)
    assert str(geometry.layout) == "1+1(s1)->(s0)"


def test_views_give_offsets() -> None:
    x = dense(B, 4 * H)
    gates = tuple((View("aten::narrow", (1, H * gate, H)),) for gate in (1, 3))
    lowered = sum_of(x, x, views=gates)
    lowered.sources[1] = Source(0, gates[1], Level.FULL, False, (False, False))
    geometry = geometry_of(lowered, [x])
    assert geometry.input_offsets == (H, 3 * H)
    assert geometry.numbers() == [B, H, *(4 * H, 1) * 2, H, 1, H, 3 * H]


def test_other_shapes_are_refused() -> None:
    lowered = sum_of(dense(B, H), dense(H))
    with pytest.raises(ShapeMismatch, match="must match the size"):
        geometry_of(lowered, [dense(B, H), dense(H + 1)])
    with pytest.raises(ShapeMismatch, match="other shapes"):
        geometry_of(lowered, [dense(B, H), dense(1)])


def test_a_view_that_copies_is_refused() -> None:
    x = dense(S, B).t()
    lowered = sum_of(x, views=((View("aten::reshape", ([B * S],)),),))
    with pytest.raises(ShapeMismatch, match="copy"):
        geometry_of(lowered, [x])
