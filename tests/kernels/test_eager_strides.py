"""The rules of eager's strides, against eager."""

from __future__ import annotations

from random import Random

import pytest
import torch
from torch import Tensor

from minits.ops.eager_strides import (
    NUMBER,
    Lying,
    contiguous_strides,
    elementwise,
    like,
    suggests_channels_last,
)
from tests.kernels.lying import any_shape, any_tensor, lying, part_of


@pytest.mark.one_in(8)
@pytest.mark.parametrize("seed", range(8))
def test_strides_of_loops_over_elements(seed: int) -> None:
    random = Random(seed)
    for _ in range(400):
        shape = any_shape(random)
        a, b, c = [any_tensor(random, part_of(random, shape)) for _ in range(3)]
        for result, operands in [
            (a.sin(), [lying(a)]),
            (a + b, [lying(a), lying(b)]),
            (a + 2, [lying(a), NUMBER]),
            (torch.addcmul(a, b, c), [lying(a), lying(b), lying(c)]),
        ]:
            assert elementwise(operands, tuple(result.shape)) == result.stride(), operands
        assert like(lying(a)) == torch.empty_like(a).stride(), a.stride()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_said_of_tensors(seed: int) -> None:
    random = Random(seed)
    for _ in range(800):
        x = any_tensor(random, any_shape(random))
        mine = lying(x)
        assert mine.is_contiguous == x.is_contiguous()
        assert mine.is_dense == torch.ops.aten.is_non_overlapping_and_dense(x)
        assert mine.is_canonical == (x.stride() == torch.empty(x.shape).stride())
        if x.dim() in (4, 5):
            assert mine.is_channels_last == x.is_contiguous(memory_format=_channels_last(x))
            assert suggests_channels_last(mine) == _suggests_channels_last(x)


def _channels_last(x: Tensor) -> torch.memory_format:
    return torch.channels_last if x.dim() == 4 else torch.channels_last_3d


def _suggests_channels_last(x: Tensor) -> bool:
    """Whether torch takes it for an image that lies so: group norm gives an image like it."""
    if 0 in x.shape:
        return False
    made = torch.group_norm(x, 1)
    return made.stride() != contiguous_strides(tuple(x.shape)) or (
        made.stride() == torch.empty(x.shape, memory_format=_channels_last(x)).stride()
        and suggests_channels_last(lying(x))
    )


def test_a_column_beside_a_number_is_another_column() -> None:
    column = Lying((3, 1), (1, 7))
    assert elementwise([column], (3, 1)) == (1, 1)
    assert elementwise([column, NUMBER], (3, 1)) == (1, 3)
