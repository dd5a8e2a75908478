"""Scans along the last dimension become kernels that compute what eager does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.kernels.fused_kernel import FusedKernel
from minits.kernels.lowering import NotFusable
from tests.kernels.differentiated import Evaluated, leaves, use
from tests.kernels.differentiated import check as check_gradients
from tests.kernels.lowered import check, graph_of, lower_for, programs

EXPRESSIONS = [
    "x.cumsum(-1)", "x.cumsum(2)", "x.cumsum(-1, dtype=torch.float64)",
    "x.cumsum(-1, dtype=torch.int32)", "x.cumprod(-1)", "x.cumprod(-1, dtype=torch.float32)",
    "x.logcumsumexp(-1)", "x.cummax(-1)[0]", "x.cummin(-1).values",
    "(x * 2).cumsum(-1) + y", "x.cumsum(-1).cumsum(-1)", "x.cumsum(-1).softmax(-1)",
    "(x.cumsum(-1) * y).sum(-1)", "(x - x.amax(-1, keepdim=True)).cumsum(-1)",
    "(x.cumsum(-1), x.sum(-1), y * 2)", "w.expand_as(x).cumsum(-1) + x", "x[..., ::2].cumsum(-1)",
    "x[..., :1].expand_as(x).cumsum(-1) * x",
]  # fmt: skip
REFUSED = [
    "x.cummax(-1)",
    "x.cummin(-1)[1]",
    "x.cumsum(1)",
    "x.cumsum(0) + y",
    "x.cumsum(-1).transpose(1, 2) * 2",
]
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
SHAPES = [(3, 4, 1), (0, 4, 5), (20, 3, 70), (1, 1, 1)]
INF, NAN = float("inf"), float("nan")


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("scans")
    return programs(folder, "x: Tensor, y: Tensor, w: Tensor", [*EXPRESSIONS, *REFUSED])


def arguments(dtype: torch.dtype, shape: tuple[int, ...] = (3, 4, 5)) -> list[Tensor]:
    generator = torch.Generator().manual_seed(0)
    shapes = [shape, shape, shape[-1:]]
    return [torch.randn(each, generator=generator).to(dtype) for each in shapes]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_dtypes(functions: dict[str, Any], expression: str) -> None:
    for dtype in FLOATS:
        check(functions[expression], arguments(dtype))


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8, torch.bool])
def test_integers(functions: dict[str, Any], expression: str, dtype: torch.dtype) -> None:
    given = [(each * 3).abs().to(dtype) for each in arguments(torch.float32)]
    check(functions[expression], given, may_refuse=True)


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(functions: dict[str, Any], expression: str, shape: tuple[int, ...]) -> None:
    check(functions[expression], arguments(torch.float32, shape), may_refuse=True)


@pytest.mark.one_in(8, over="dtype")
@pytest.mark.parametrize("expression", EXPRESSIONS[:9])
@pytest.mark.parametrize("dtype", FLOATS)
def test_special_values(functions: dict[str, Any], expression: str, dtype: torch.dtype) -> None:
    x, y, w = arguments(dtype, (1, 7, 5))
    x[0, 0, 1], x[0, 1, 1], x[0, 2, 0], x[0, 3, :] = NAN, INF, -INF, -INF
    x[0, 4, 1], x[0, 4, 3], x[0, 5, 2], x[0, 6, :] = INF, -INF, 0.0, 0.0
    if "int32" in expression:
        x = x.nan_to_num(0, 0, 0)
    check(functions[expression], [x, y, w])
    (found, *_) = FusedKernel(lower_for(graph_of(functions[expression]), [x, y, w]))(x, y, w)
    expected = _several(functions[expression](x, y, w))[0]
    torch.testing.assert_close(found, expected, equal_nan=True)


@pytest.mark.one_in(11, over="shape")
@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("shape", [(3, 4, 5), (20, 3, 7), (2, 3, 200), (1, 2, 5000)])
def test_built_kernels(functions: dict[str, Any], expression: str, shape: tuple[int, ...]) -> None:
    """Rows side by side, rows in tiles, and one that does not fit onto the stack; as it lies."""
    x, y, w = arguments(torch.float64, shape)
    given = (x.transpose(0, 1).contiguous().transpose(0, 1), y, w)
    found = FusedKernel(lower_for(graph_of(functions[expression]), given))(*given)
    for mine, eager in zip(found, _several(functions[expression](*given)), strict=True):
        torch.testing.assert_close(mine, eager, rtol=1e-10, atol=1e-10)
        assert mine.stride() == eager.stride()


def _several(found: Any) -> tuple[Tensor, ...]:
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("expression", REFUSED)
def test_what_is_left_to_torch(functions: dict[str, Any], expression: str) -> None:
    with pytest.raises(NotFusable):
        lower_for(graph_of(functions[expression]), arguments(torch.float32))


def test_integers_wrap_around() -> None:
    def f(x: Tensor) -> Tensor:
        return torch.cumsum(x * 2, -1, dtype=torch.int32) + 1

    x = torch.full((3, 70), 2**30 - 1, dtype=torch.int32)
    assert torch.equal(minits.script(f)(x), f(x))


def test_half_types_are_accumulated_as_floats() -> None:
    def f(x: Tensor) -> Tensor:
        return (x * 1).cumsum(-1) * 1

    for dtype in (torch.float16, torch.bfloat16):
        for columns in (30, 3000):
            x = torch.rand(40, columns).to(dtype)
            assert torch.equal(minits.script(f)(x), f(x))


# ---- Gradients -----------------------------------------------------------------------------------


def sums(x: Tensor, y: Tensor) -> Tensor:
    return (x.sin().cumsum(-1) * y).exp()


def sums_of_sums(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    z = (x * y).cumsum(-1)
    return z.sin().cumsum(-1), z.sum(-1)


def products(x: Tensor, y: Tensor) -> Tensor:
    return (x * 2).cumprod(-1) * y


def logarithms(x: Tensor, y: Tensor) -> Tensor:
    return (x * 3).logcumsumexp(-1) * y


def of_rows(x: Tensor, y: Tensor) -> Tensor:
    return (x.sum(-1, keepdim=True) * y).cumsum(-1)


DIFFERENTIABLE = [sums, sums_of_sums, products, logarithms, of_rows]


@pytest.mark.parametrize("function", DIFFERENTIABLE)
def test_gradients(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Evaluated)
    fusion = check_gradients(function, *leaves((3, 4, 5), (5,)))
    assert not fusion.refusals


@pytest.mark.one_in(7, over="shape")
@pytest.mark.parametrize("function", DIFFERENTIABLE)
@pytest.mark.parametrize("shape", [(40, 7), (3, 5000)])
def test_built_gradients(function: Callable[..., Any], shape: tuple[int, ...]) -> None:
    x, y = [each.mul(0.1).detach().requires_grad_() for each in leaves(shape, shape)]
    results = [_several(each(x, y)) for each in (minits.script(function), function)]
    given = [torch.randn_like(result) for result in results[0]]
    found, expected = [torch.autograd.grad(each, (x, y), given) for each in results]
    torch.testing.assert_close(found, expected, rtol=1e-7, atol=1e-9)


def test_the_gradient_of_products_with_zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Evaluated)
    x, y = leaves((6, 5), (5,))
    with torch.no_grad():
        x[1, 2] = x[2, 0] = x[3, 4] = x[4, 1] = x[4, 3] = 0
        x[5] = 0
    check_gradients(products, x, y)


def test_the_gradient_of_an_infinite_logarithm(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Evaluated)
    x, y = leaves((3, 5), (5,))
    with torch.no_grad():
        x[0, :2], x[1, 3], x[2, 0] = -INF, -INF, 40.0
    check_gradients(logarithms, x, y, equal_nan=True)


def test_extremes_have_no_gradient_here() -> None:
    def f(x: Tensor) -> Tensor:
        return torch.cummax(x * 2, -1)[0] * 3

    x = torch.randn(4, 9, requires_grad=True)
    compiled = minits.script(f)
    torch.testing.assert_close(
        torch.autograd.grad(compiled(x).sum(), x), torch.autograd.grad(f(x).sum(), x)
    )
    assert "gradient" in {remark.code for remark in compiled.remarks(x)}
