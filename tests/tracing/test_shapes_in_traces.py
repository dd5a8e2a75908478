"""Shapes that a traced program computes with keep the sizes of the argument."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, distributions

import minits


def added(x: Tensor) -> Tensor:
    loc = x.sum(-1)
    return loc.expand(torch.Size([5]) + loc.shape)


def made_of_slice(x: Tensor) -> Tensor:
    return torch.zeros(torch.Size(x.shape[:1])) + 1.0


def made_of_list(x: Tensor) -> Tensor:
    return x.new_ones(torch.Size([x.size(0), 3]))


def made_of_tuple(x: Tensor) -> Tensor:
    return x.reshape(torch.Size((x.shape[0] * x.shape[1],)))


def count_of_size(x: Tensor) -> Tensor:
    return x * torch.Size(x.shape).numel()


def count_of_shape(x: Tensor) -> Tensor:
    return x * x.shape.numel()


def count_by_function(x: Tensor) -> Tensor:
    return x.sum() / torch.numel(x)


def product(x: Tensor) -> Tensor:
    return x.reshape(math.prod(x.shape))


def as_tuple(x: Tensor) -> Tensor:
    return torch.ones(tuple(x.shape))


def as_list(x: Tensor) -> Tensor:
    return torch.ones(list(x.shape))


def last_replaced(x: Tensor) -> Tensor:
    return torch.ones((*x.shape[:-1], 4)) + torch.ones(x.shape[:-1] + (4,))  # noqa: RUF005


def first_replaced(x: Tensor) -> Tensor:
    return torch.ones((1,) + x.shape[1:])  # noqa: RUF005


def spread(x: Tensor) -> Tensor:
    return torch.ones(*x.shape)


def expanded_distribution(x: Tensor) -> Tensor:
    loc = x.sum(-1)
    return distributions.Normal(loc, torch.ones_like(loc)).expand(loc.shape).mean


def sampled(x: Tensor) -> Tensor:
    return torch.zeros_like(distributions.Normal(0.0, 1.0).expand(x.shape[:1]).sample())


PROGRAMS = (
    added, made_of_slice, made_of_list, made_of_tuple, count_of_size, count_of_shape,
    count_by_function, product, as_tuple, as_list, last_replaced, first_replaced, spread,
    expanded_distribution, sampled,
)  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_sizes_stay_those_of_the_argument(program: Callable[[Tensor], Tensor]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", minits.TracerWarning)
        traced = minits.trace(program, torch.rand(2, 3), check_trace=False)
    x = torch.rand(7, 5)
    for _ in range(2):
        torch.testing.assert_close(traced(x[:, :3]), program(x[:, :3]))


def test_sizes_are_torchs_after_a_trace() -> None:
    original = torch.Size
    minits.trace(added, torch.rand(2, 3))
    assert torch.Size is original
    assert isinstance(torch.Size([2]), original)


def test_classes_of_shapes_are_recognised_in_a_trace() -> None:
    def program(x: Tensor) -> Tensor:
        assert isinstance(x.shape, torch.Size)
        assert isinstance(torch.Size([2]), torch.Size)
        assert issubclass(torch.Size, tuple)
        assert not isinstance((2,), torch.Size)
        return x * 2

    minits.trace(program, torch.rand(2))


def checked(x: Tensor) -> Tensor:
    torch._check(x.shape[0] == 4, lambda: "four rows")
    torch._check_value(x.size(0) > 0)
    return x * 2


def test_checks_of_sizes_are_made_of_the_example() -> None:
    with pytest.warns(minits.TracerWarning, match=r"a condition of torch\._check"):
        traced = minits.trace(checked, torch.rand(4))
    assert traced(torch.ones(4)).tolist() == [2.0] * 4


@pytest.mark.filterwarnings("ignore::minits.TracerWarning")
def test_checks_that_fail_stop_a_trace() -> None:
    with pytest.raises(RuntimeError, match="four rows"):
        minits.trace(checked, torch.rand(3))


@pytest.mark.parametrize("dimensions", (1, 2, 3))
def test_unpooling(dimensions: int) -> None:
    pool = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[dimensions - 1]
    unpool = (F.max_unpool1d, F.max_unpool2d, F.max_unpool3d)[dimensions - 1]

    def program(x: Tensor) -> Tensor:
        y, indices = pool(x, 2, return_indices=True)
        return unpool(y, indices, 2)

    x = torch.rand(1, 1, *[4] * dimensions)
    assert torch.equal(minits.trace(program, x)(x), program(x))


def stretched(x: Tensor, n: int) -> Tensor:
    return F.interpolate(x.t().unsqueeze(0), size=n, mode="linear")[0].t()


def test_what_a_trace_has_replaced_is_compiled_as_torchs() -> None:
    # interpolate asks torch._C._get_tracing_state, which is a function of minits meanwhile
    function = minits.script_if_tracing(stretched)
    x = torch.rand(3, 4)
    traced = minits.trace(lambda x: function(x, 5) * 2, x)
    torch.testing.assert_close(traced(x), stretched(x, 5) * 2)
