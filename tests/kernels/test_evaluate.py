"""`evaluate` against torch: what is not a row of the table."""

import numpy as np
import pytest
import torch

from minits.kernels.ir.builder import Builder
from minits.kernels.ir.evaluate import evaluate
from minits.kernels.ir.kernel import Level

INF, NAN = float("inf"), float("nan")
FLOATS = (torch.float64, torch.float32, torch.float16, torch.bfloat16)
ALL = (*FLOATS, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool)


def reduced(op: str, tensor: torch.Tensor, count: int = 1) -> np.ndarray:
    k = Builder(reduced=count)
    k.output(k.reduce(op, k.load(k.input(tensor.dtype))))
    [array] = evaluate(k.finish(), [tensor], (), tuple(tensor.shape))
    return array


def test_softmax_of_rows() -> None:
    k = Builder(reduced=1)
    x = k.load(k.input(torch.float32))
    scale = k.cast(k.parameter(torch.float64), torch.float32)
    scaled = k("div", x, scale)
    e = k("exp", k("sub", scaled, k.reduce("max", scaled)))
    k.output(k("div", e, k.reduce("sum", e)))
    x = torch.randn(3, 4, 5)
    [found] = evaluate(k.finish(), [x], (1.5,), (3, 4, 5))
    torch.testing.assert_close(torch.from_numpy(found), torch.softmax(x / 1.5, -1))


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("op", ["sum", "prod", "max", "min"])
def test_reductions_of_floats(op: str, dtype: torch.dtype) -> None:
    x = (
        torch.randn(5, 17, dtype=torch.float64, generator=torch.Generator().manual_seed(3)) + 1
    ).to(dtype)
    x[1, 3], x[2, 0], x[3, 5] = NAN, INF, -INF
    wanted = getattr(torch, {"max": "amax", "min": "amin"}.get(op, op))(x.double(), dim=-1)
    found = torch.from_numpy(reduced(op, x)).to(dtype)
    tolerance = torch.finfo(dtype).eps
    torch.testing.assert_close(
        found, wanted.to(dtype), rtol=tolerance, atol=tolerance, equal_nan=True
    )


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.int16, torch.uint8], ids=str)
def test_integer_sums_and_products_wrap_around(dtype: torch.dtype) -> None:
    x = torch.tensor([[torch.iinfo(dtype).max, 2, 3], [1, 4, 9]], dtype=dtype)
    for op in ("sum", "prod"):
        found = reduced(op, x)
        wanted = getattr(torch, op)(x, dim=-1, dtype=dtype)
        assert found.dtype == wanted.numpy().dtype
        assert (found == wanted.numpy()).all()


@pytest.mark.parametrize("op", ["argmax", "argmin"])
def test_arg_reductions_give_the_first_index_and_nan_wins(op: str) -> None:
    x = torch.tensor([[1.0, 3, 3], [0, 0, 2], [1, NAN, NAN], [5, INF, -INF]])
    found = reduced(op, x)
    assert found.dtype == np.int64
    assert found.tolist() == getattr(torch, op)(x, dim=-1).tolist()
    flat = reduced(op, x[:2].contiguous(), 2)
    assert flat.tolist() == getattr(torch, op)(x[:2]).tolist()


def test_any_and_all() -> None:
    x = torch.tensor([[True, False], [True, True], [False, False]])
    assert reduced("any", x).tolist() == [True, True, False]
    assert reduced("all", x).tolist() == [False, True, False]


def test_reductions_of_nothing() -> None:
    empty = torch.empty(2, 0)
    assert reduced("sum", empty).tolist() == [0, 0]
    assert reduced("prod", empty).tolist() == [1, 1]
    assert reduced("any", empty.bool()).tolist() == [False, False]
    assert reduced("all", empty.bool()).tolist() == [True, True]
    assert reduced("sum", torch.empty(0, 3)).shape == (0,)
    with pytest.raises(ValueError):
        reduced("max", empty)


def test_row_values_inputs_and_outputs() -> None:
    k = Builder(reduced=1)
    x = k.load(k.input(torch.float64))
    bias = k.load(k.input(torch.float64, Level.ROW))
    total = k.reduce("sum", k("add", x, bias))
    k.output(total)
    k.output(total, keepdim=True)
    k.output(k("mul", x, total))
    k.output(k.reduce("sum", bias))  # counted as often as it stands in the row
    k.output(k("div", total, k.count(torch.float64)))
    x, bias = torch.randn(2, 3, 4, dtype=torch.float64), torch.randn(3, dtype=torch.float64)
    found = evaluate(k.finish(), [x, bias], (), (2, 3, 4))
    added = x + bias[:, None]
    wanted = [
        added.sum(-1), added.sum(-1, keepdim=True), x * added.sum(-1, keepdim=True),
        (4 * bias).expand(2, 3), added.mean(-1),
    ]  # fmt: skip
    for ours, theirs in zip(found, wanted, strict=True):
        torch.testing.assert_close(torch.from_numpy(ours), theirs)


def test_inputs_broadcast_to_the_domain() -> None:
    k = Builder()
    k.output(k("add", k.load(k.input(torch.int64)), k.load(k.input(torch.int64))))
    a, b = torch.arange(3).reshape(3, 1), torch.arange(4)
    [found] = evaluate(k.finish(), [a.numpy(), b], (), (2, 3, 4))
    assert found.shape == (2, 3, 4)
    assert (found == (a + b).numpy()).all()
    with pytest.raises(ValueError):
        evaluate(k.finish(), [torch.arange(5), b], (), (2, 3, 4))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_halves_are_rounded_after_each_operation(dtype: torch.dtype) -> None:
    k = Builder()
    x = k.load(k.input(dtype))
    k.output(k("sub", k("add", x, k.constant(0.1, dtype)), x))
    x = torch.linspace(1, 300, 77).to(dtype)
    [found] = evaluate(k.finish(), [x], (), (77,))
    assert found.dtype == (np.float16 if dtype == torch.float16 else np.float32)
    tenth = torch.tensor(0.1, dtype=dtype)
    assert torch.equal(torch.from_numpy(found).to(dtype), (x + tenth) - x)


@pytest.mark.parametrize("wanted", ALL, ids=str)
@pytest.mark.parametrize("given", ALL, ids=str)
def test_casts_are_torchs(given: torch.dtype, wanted: torch.dtype) -> None:
    numbers = [0.0, 1.0, 2.7, 100.0, 3.49] + ([-1.9, -0.3] if given.is_signed else [])
    if given.is_floating_point and wanted.is_floating_point:
        numbers += [NAN, INF, 70000.0, 1e-7, 1.0009765625001]
    x = torch.tensor(numbers, dtype=torch.float64).to(given)
    k = Builder()
    k.output(k.cast(k.load(k.input(given)), wanted))
    [found] = evaluate(k.finish(), [x], (), tuple(x.shape))
    torch.testing.assert_close(
        torch.from_numpy(found).to(wanted), x.to(wanted), rtol=0, atol=0, equal_nan=True
    )


def test_constants_are_exact_in_float64() -> None:
    k = Builder()
    k.output(k("mul", k.load(k.input(torch.float64)), k.constant(0.1, torch.float64)))
    [found] = evaluate(k.finish(), [torch.ones(2, dtype=torch.float64)], (), (2,))
    assert found.tolist() == [0.1, 0.1]


def test_what_is_made_of_numbers_alone_fills_its_shape() -> None:
    k = Builder(reduced=1)
    k.output(k.parameter(torch.int64))
    [found] = evaluate(k.finish(), [], (7,), (2, 3))
    assert found.tolist() == [7, 7]


def test_an_index_counts_through_all_dimensions_reduced_over() -> None:
    k = Builder(reduced=2)
    x = k.load(k.input(torch.int64))
    k.output(k("add", x, k.index()))
    k.output(k.reduce("max", k.index()))
    given = torch.tensor([100, 200])[:, None, None]
    shifted, last = evaluate(k.finish(), [given], (), (2, 2, 3))
    assert shifted[1].tolist() == [[200, 201, 202], [203, 204, 205]]
    assert last.tolist() == [5, 5]
