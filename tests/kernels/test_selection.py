"""Selected functions: where they are selected, and that they compute what the operations do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from minits.kernels.ir.builder import Builder
from minits.kernels.ir.evaluate import evaluate
from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.schedule.cpu import schedule_for_cpu
from minits.kernels.schedule.selection import FUNCTIONS, selected_calls
from tests.support.kernel_samples import Sample
from tests.support.loops import run_loops

F32, F16 = torch.float32, torch.float16
Make = Callable[[Builder, Scalar], Scalar]


def gate(k: Builder, x: Scalar) -> Scalar:
    return k("mul", k("tanh", k("neg", x)), k("sigmoid", x))


def shared_gate(k: Builder, x: Scalar) -> Scalar:
    """The tanh is needed once more."""
    tanh = k("tanh", x)
    return k("add", k("mul", tanh, k("sigmoid", x)), tanh)


def softmax(k: Builder, x: Scalar) -> Scalar:
    power = k("exp", k("sub", x, k.reduce("max", x)))
    return k("div", power, k.reduce("sum", power))


def softmax_by_another(k: Builder, x: Scalar) -> Scalar:
    """What is subtracted is no maximum of the same values, and the sum is of others."""
    power = k("exp", k("sub", x, k.reduce("max", k("neg", x))))
    return k("div", power, k.reduce("sum", x))


def power(k: Builder, x: Scalar) -> Scalar:
    return k("pow", x, k.cast(k.parameter(torch.float64), x.dtype))


def square(k: Builder, x: Scalar) -> Scalar:
    return k("pow", x, k.constant(2.0, x.dtype))


SELECTED: dict[Make, list[str]] = {
    gate: ["sigmoid_tanh"],
    shared_gate: [],
    softmax: ["exp_of_negative", "share"],
    softmax_by_another: [],
    power: ["pow_by_number"],
    square: [],
}


def kernel_of(make: Make, dtype: torch.dtype = F32) -> Kernel:
    k = Builder(reduced=1)
    k.output(make(k, k.load(k.input(dtype))))
    return k.finish()


@pytest.mark.parametrize("make", SELECTED, ids=lambda make: make.__name__)
def test_functions_are_selected_where_their_operations_are(make: Make) -> None:
    calls = selected_calls(kernel_of(make))
    assert [call.function for call in calls.values()] == SELECTED[make]


def test_all_functions_are_selected_somewhere() -> None:
    assert {name for names in SELECTED.values() for name in names} == set(FUNCTIONS)


def test_powers_of_float16_have_no_function() -> None:
    assert selected_calls(kernel_of(power, F16)) == {}
    assert selected_calls(kernel_of(power, torch.bfloat16)) != {}


@pytest.mark.parametrize("make", [gate, softmax, power], ids=lambda make: make.__name__)
def test_functions_compute_what_their_operations_do(make: Make) -> None:
    kernel = kernel_of(make)
    x: Tensor = torch.linspace(0.1, 4, 30).reshape(3, 10)
    numbers = [1.7] * len(kernel.parameters)
    (wanted,) = evaluate(kernel, [x], numbers, (3, 10))
    sample = Sample("", kernel, [x], [], numbers)
    (found,) = run_loops(sample.lowered, [x, *numbers], schedule_for_cpu)
    torch.testing.assert_close(found, torch.as_tensor(wanted))
