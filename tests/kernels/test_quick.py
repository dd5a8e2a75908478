"""Quick functions of a GPU: where they are selected, and that the oracle knows what they mean."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from minits.kernels.cuda.quick_functions import quick_functions
from minits.kernels.ir.builder import Builder
from minits.kernels.ir.evaluate import evaluate
from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.schedule.cuda import Form, schedule_for_cuda
from minits.kernels.schedule.quick import QUICK_FUNCTIONS, quick_calls
from tests.support.kernel_samples import Sample
from tests.support.loops import run_loops

F16, BF16, F32, F64 = torch.float16, torch.bfloat16, torch.float32, torch.float64
ONE = {  # of float16, and what bfloat16 has instead
    "exp": "quick_exp",
    "exp2": "quick_exp2",
    "log1p": "quick_log1p",
    "log_sigmoid": "quick_log_sigmoid",
    "sigmoid": "quick_sigmoid",
    "silu": "quick_silu",
    "gelu_tanh": "quick_gelu_tanh",
    "sqrt": "quick_sqrt",
    "reciprocal": "quick_reciprocal",
}
OTHERS = {"reciprocal": "wide_reciprocal", "tanh": "quick_tanh"}


def kernel_of(
    make: Callable[[Builder, Scalar], Scalar], dtype: torch.dtype, reduced: int = 0
) -> Kernel:
    k = Builder(reduced)
    k.output(make(k, k.load(k.input(dtype))))
    return k.finish()


def selected(
    make: Callable[[Builder, Scalar], Scalar], dtype: torch.dtype, reduced: int = 0
) -> list[str]:
    return [call.function for call in quick_calls(kernel_of(make, dtype, reduced)).values()]


@pytest.mark.parametrize("name", [*ONE, "tanh"])
def test_what_is_rounded_to_a_half(name: str) -> None:
    def make(k: Builder, x: Scalar) -> Scalar:
        return k(name, x)

    assert selected(make, F16) == ([ONE[name]] if name in ONE else [])
    assert selected(make, BF16) == [OTHERS.get(name, ONE.get(name))]
    assert selected(make, F32) == selected(make, F64) == []


def softmax(k: Builder, x: Scalar, result: torch.dtype | None = F16) -> Scalar:
    wide = k.cast(x, F32)
    power = k("exp", k("sub", wide, k.reduce("max", wide)))
    quotient = k("div", power, k.reduce("sum", power))
    return quotient if result is None else k.cast(quotient, result)


def test_float32_on_the_way_to_a_half() -> None:
    assert selected(softmax, F16, 1) == ["quick_exp", "quick_over"]
    assert selected(lambda k, x: softmax(k, x, BF16), F16, 1) == ["quick_exp", "wide_over"]
    assert selected(lambda k, x: softmax(k, x, None), F16, 1) == []


def test_float32_of_which_something_else_is_made() -> None:
    """A logarithm of a number near one, a comparison, and a result of float32."""

    def logarithm(k: Builder, x: Scalar) -> Scalar:
        return k.cast(k("log", k("exp", k.cast(x, F32))), F16)

    def compared(k: Builder, x: Scalar) -> Scalar:
        power = k("exp", k.cast(x, F32))
        return k.cast(k("where", k("lt", power, k.constant(1.0, F32)), power, power), F16)

    def returned(k: Builder, x: Scalar) -> Scalar:
        power = k("exp", k.cast(x, F32))
        k.output(power)
        return k.cast(power, F16)

    assert selected(logarithm, F16) == selected(compared, F16) == selected(returned, F16) == []


@pytest.mark.parametrize("dtype", [F16, BF16, F32, F64])
def test_powers_by_a_number(dtype: torch.dtype) -> None:
    def by_parameter(k: Builder, x: Scalar) -> Scalar:
        return k("pow", x, k.cast(k.parameter(F64), x.dtype))

    assert selected(by_parameter, dtype) == ["pow_by_number"]
    assert selected(lambda k, x: k("pow", x, x), dtype) == []


def test_all_have_a_text_and_a_meaning() -> None:
    assert {*ONE.values(), *OTHERS.values(), "quick_over", "wide_over", "pow_by_number"} == {
        *QUICK_FUNCTIONS
    }
    for name in QUICK_FUNCTIONS:
        assert name in quick_functions(f"{name}(x, y)")[-1]


@pytest.mark.parametrize("result", [F16, BF16])
def test_schedules_are_evaluated_with_them(result: torch.dtype) -> None:
    x = torch.randn(3, 8, generator=torch.Generator().manual_seed(1)).to(F16)
    kernel = kernel_of(lambda k, x: softmax(k, x, result), F16, 1)
    sample = Sample("softmax", kernel, [x], [], [])
    (found,) = run_loops(
        sample.lowered, [x], lambda *given: schedule_for_cuda(*given, Form(threads=4, steps=1))
    )
    (wanted,) = evaluate(kernel, [x], [], (3, 8))
    torch.testing.assert_close(found.float(), torch.as_tensor(wanted).float(), rtol=2e-3, atol=0)
