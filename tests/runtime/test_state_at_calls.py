"""The state of the process that eager reads at a call decides that call, whichever it is.

Each state is entered for some of the first calls of a program and not for others: the call that
runs as it was written, the one that is planned and bound, and those that are repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

import minits


class Changed(TorchFunctionMode):
    """Takes nothing but numbers as results."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        is_number = isinstance(result, Tensor) and result.is_floating_point()
        return result.nan_to_num(nan=7.0) if is_number else result


class Dispatched(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        return result + 1 if func is torch.ops.aten.log.default else result


class Marked(Tensor):
    """A subclass whose results are of the subclass."""


@contextmanager
def default_dtype() -> Iterator[None]:
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(torch.float32)


@contextmanager
def deterministic() -> Iterator[None]:
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(False)


@contextmanager
def lower_precision() -> Iterator[None]:
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def saved_hooks() -> AbstractContextManager[Any]:
    return torch.autograd.graph.saved_tensors_hooks(lambda x: x * 2, lambda x: x)


STATES: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "function mode": Changed,
    "dispatch mode": Dispatched,
    "default dtype": default_dtype,
    "default device": lambda: torch.device("meta"),
    "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16),
    "no_grad": torch.no_grad,
    "inference mode": torch.inference_mode,
    "deterministic": deterministic,
    "anomaly": torch.autograd.detect_anomaly,
    "saved-tensor hooks": saved_hooks,
    "forward mode": forward_ad.dual_level,
    "precision": lower_precision,
}


def elements(x: Tensor) -> Tensor:
    return torch.log(x) * 2 + 1


def made(x: Tensor) -> Tensor:
    return torch.sqrt(x) * 2 + torch.zeros([3]).to(x.device).sum() + 1.5


def multiplied(x: Tensor) -> Tensor:
    return torch.relu(torch.mm(x, x) * 2 - 1)


def summed(x: Tensor) -> Tensor:
    total = torch.zeros([], device="cpu")
    for i in range(3):
        total = total + torch.exp(x[i]).sum()
    return total


PROGRAMS = [elements, made, multiplied, summed]
ORDERS = [order for order in product((False, True), repeat=3) if any(order)]


def seen(function: Callable[[Tensor], Tensor], x: Tensor) -> Any:
    """Return the properties of a result, and the gradients through it; the error of the call."""
    try:
        y = function(x)
    except Exception as error:
        return [type(error).__name__]
    found: list[Any] = [str(y.dtype), str(y.device), y.requires_grad, y.is_inference(), type(y)]
    if y.device.type == "cpu":
        found.append(y.detach().double().tolist())
    if y.requires_grad and y.device.type == "cpu":
        try:
            found.append(torch.autograd.grad(y.sum(), x)[0].double().tolist())
        except RuntimeError:  # anomaly detection has found a nan
            found.append("raises")
    return found


def equal(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, list) and isinstance(found, list):
        return len(found) == len(wanted) and all(map(equal, found, wanted))
    if isinstance(wanted, float):
        close = torch.isclose(torch.tensor(found), torch.tensor(wanted), 1e-4, equal_nan=True)
        return bool(close)
    return bool(found == wanted)


@pytest.mark.one_in(12, over="function")
@pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled")
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("state", STATES)
def test_each_call_obeys_its_state(state: str, function: Callable[[Tensor], Tensor]) -> None:
    x = torch.tensor([[-1.0, 1.0, 2.0], [0.5, 3.0, 0.0], [1.0, 1.0, 4.0]], requires_grad=True)
    for order in ORDERS:
        compiled = minits.script(function)
        for number, is_on in enumerate((*order, False, True)):
            with STATES[state]() if is_on else nullcontext():
                found, wanted = seen(compiled, x), seen(function, x)
            assert equal(found, wanted), (order, number, found, wanted)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_each_call_obeys_its_tensors(function: Callable[[Tensor], Tensor]) -> None:
    x = torch.tensor([[1.0, 1.0, 2.0], [0.5, 3.0, 1.0], [1.0, 1.0, 4.0]])
    special: dict[str, Callable[[Any], Any]] = {
        "subclass": lambda called: seen(called, x.as_subclass(Marked)),
        "vmap": lambda called: torch.vmap(called)(torch.stack([x, x * 2])).double().tolist(),
        "grad": lambda called: torch.func.grad(lambda y: called(y).sum())(x).double().tolist(),
    }
    for call in special.values():
        for order in ORDERS:
            compiled = minits.script(function)
            for number, is_special in enumerate((*order, False, True)):
                ask = call if is_special else lambda called: seen(called, x)
                assert equal(ask(compiled), ask(function)), (order, number)
