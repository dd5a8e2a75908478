"""Inputs that a group does not keep for its gradients, as eager keeps none of them."""

import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.checkpoint import checkpoint

import minits
from minits.kernels.gradients import dropped_inputs
from minits.kernels.gradients.operator_saves import operator_saves
from tests.kernels.differentiated import (
    Evaluated,
    check_gradients_of_gradients,
    fuse,
    layer_norm,
    leaves,
    lstm,
    masked_softmax,
)
from tests.kernels.differentiated import use as use_kernels
from tests.kernels.lowered import graph_of
from tests.kernels.test_gradients_of_gradients import ALL, SECOND, check_outcome, outcome


@pytest.fixture(autouse=True)
def _drop_small_ones(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(dropped_inputs, "LEAST_BYTES", 0)
    yield


@pytest.fixture
def _evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    use_kernels(monkeypatch, Evaluated)


def anew(function: Callable[..., Any]) -> Any:
    """A script of its own, which has bound nothing yet."""
    name, defaults = function.__name__, function.__defaults__
    copy = types.FunctionType(function.__code__, function.__globals__, name, defaults)
    return minits.script(copy)


def noisy(x: Tensor, noise: Tensor) -> Tensor:
    return torch.tanh(x - noise / 3.0)


def rectified(x: Tensor, y: Tensor) -> Tensor:
    return torch.relu(x + y) * 2.0


def curved(x: Tensor, bias: Tensor) -> Tensor:
    return F.gelu(x + bias)


def product(x: Tensor, y: Tensor) -> Tensor:
    return x * y * 2.0


def chosen(x: Tensor, y: Tensor) -> Tensor:
    """Where x is positive, which eager saves, is kept in a byte an element."""
    return torch.where(x > 0, x * 2.0, y * 3.0)


def gates(x: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
    """The halves of a result are kept as the result."""
    both = torch.sigmoid(x)
    r, z = both.chunk(2, 1)
    return both, torch.cat([r * h, z], 1)


def centred(x: Tensor, y: Tensor) -> Tensor:
    """The kernel's gradient may read `x + y` less its mean; layer norm reads `x + y`."""
    return F.layer_norm(x + y, [4])


def of_two_dtypes(x: Tensor, y: Tensor) -> Tensor:
    return torch.tanh(x + y.double())


KEPT = [
    (noisy, [(3, 4), (3, 4)], ["y"]),
    (rectified, [(3, 4), (3, 4)], []),
    (curved, [(3, 4), (4,)], []),
    (product, [(3, 4), (3, 4)], ["x0", "x1"]),
    (chosen, [(3, 4), (3, 4)], []),
    (masked_softmax, [(3, 4), (3, 4)], ["y"]),
    (centred, [(3, 4), (3, 4)], []),
    (gates, [(3, 8), (3, 4)], ["x1", "y", "y"]),
]


def kept_tensors(result: Tensor) -> list[Tensor]:
    return [x for x in result.grad_fn.saved_tensors if x.untyped_storage().nbytes() > 8]


@pytest.mark.usefixtures("_evaluated")
@pytest.mark.parametrize(("function", "shapes", "names"), KEPT)
def test_tensors_that_are_kept(
    function: Callable[..., Any], shapes: list[tuple[int, ...]], names: list[str]
) -> None:
    arguments = [x * 1.0 for x in leaves(*shapes)]
    if function is masked_softmax:
        arguments.insert(1, 0.5)
    results = fuse(function, *arguments)(*arguments)
    inputs = [x for x in arguments if isinstance(x, Tensor)]
    known = {x.data_ptr(): f"x{number}" for number, x in enumerate(inputs)}
    known[results[0].data_ptr()] = "y"
    kept = [known.get(x.data_ptr()) for x in kept_tensors(results[0])]
    assert [name for name in kept if name is not None] == names
    assert len([x for x in kept_tensors(results[0]) if x.dim() > 1]) <= max(1, len(names))
    rows = torch.autograd.grad(sum(y.sin().sum() for y in results), inputs)
    made = function(*arguments)
    made = made if isinstance(made, tuple) else (made,)
    expected = torch.autograd.grad(sum(y.sin().sum() for y in made), inputs)
    torch.testing.assert_close(rows, expected)


@pytest.mark.usefixtures("_evaluated")
@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (noisy, [(2, 3), (3,)]),
        (curved, [(2, 3), (3,)]),
        (gates, [(2, 4), (2, 2)]),
        (chosen, [(2, 3), (3,)]),
        (layer_norm, [(2, 5), (2, 5), (5,), (5,)]),
        (lstm, [(2, 8), (2, 2)]),
    ],
)
def test_gradients_of_gradients(
    function: Callable[..., Any], shapes: list[tuple[int, ...]]
) -> None:
    check_gradients_of_gradients(function, shapes)


@pytest.mark.one_in(61, over="")
@pytest.mark.parametrize("changed", ["none", "x", "y", "0", "1"])
@pytest.mark.parametrize("function", ALL)
def test_what_is_changed_between_gradients(function: Callable[..., Any], changed: str) -> None:
    script = anew(function)
    order = 2 if function in SECOND else 3
    for at in range(order):
        for recorded, linear in ((False, False), (True, False), (False, True)):
            what = changed, at, order, recorded, linear
            expected = outcome(function, *what)
            found = outcome(script, *what)
            check_outcome(found, expected, what)


def test_a_dropped_input_is_free_after_the_call() -> None:
    def of_a_product(x: Tensor, w: Tensor) -> Tensor:
        return torch.tanh(torch.mm(x, w) * 0.5)

    x, w = leaves((3, 4), (4, 5))
    script = minits.script(of_a_product)
    for _ in range(3):
        result = script(x, w)
    assert [tuple(each.shape) for each in kept_tensors(result)] == [(3, 5)]


def test_a_gradient_penalty_reaches_what_made_the_inputs() -> None:
    def penalty(function: Callable[..., Tensor]) -> list[Tensor]:
        x, w = leaves((3, 4), (4, 4))
        hidden = x @ w
        (gradient,) = torch.autograd.grad(function(hidden, x).sum(), hidden, create_graph=True)
        (gradient.square().sum() + function(hidden, x).sum()).backward()
        return [x.grad, w.grad]

    script = anew(noisy)
    for _ in range(3):
        torch.testing.assert_close(penalty(script), penalty(noisy))


def test_inputs_of_two_dtypes_have_two_stand_ins() -> None:
    script = anew(of_two_dtypes)

    def second(function: Callable[..., Tensor]) -> tuple[Tensor, ...]:
        (x,), (y,) = leaves((3, 4)), leaves((3, 4), dtype=torch.float32)
        first = torch.autograd.grad(function(x * 2.0, y * 2.0).sum(), [x, y], create_graph=True)
        total = torch.stack([each.sin().sum() for each in first]).sum()
        return tuple(torch.autograd.grad(total, [x, y]))

    for _ in range(3):
        torch.testing.assert_close(second(script), second(of_two_dtypes))


def test_batched_gradients() -> None:
    x, noise = leaves((3, 4), (4,))
    given = torch.randn(5, 3, 4, dtype=torch.float64)
    found = torch.autograd.grad(anew(noisy)(x, noise), [x, noise], given, is_grads_batched=True)
    expected = torch.autograd.grad(noisy(x, noise), [x, noise], given, is_grads_batched=True)
    torch.testing.assert_close(found, expected)


def test_gradients_by_operators_where_hooks_have_changed_a_dtype() -> None:
    def single(tensor: Tensor) -> Tensor:
        return tensor.float()

    x, noise = leaves((3, 4), (4,))
    script = anew(noisy)
    with saved_tensors_hooks(single, single):
        result = script(x, noise)
    found = torch.autograd.grad(result.sum(), [x, noise])
    expected = torch.autograd.grad(noisy(x, noise).sum(), [x, noise])
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)


def test_gradients_of_gradients_in_a_checkpoint() -> None:
    def force(function: Callable[..., Tensor], x: Tensor, noise: Tensor) -> Tensor:
        (gradient,) = torch.autograd.grad(function(x, noise).sum(), x, create_graph=True)
        return gradient.square()

    script = anew(noisy)
    x, noise = leaves((3, 4), (3, 4))
    for _ in range(3):
        result = checkpoint(force, script, x * 2.0, noise, use_reentrant=False)
        expected = force(noisy, x * 2.0, noise)
        torch.testing.assert_close(result, expected)
        torch.testing.assert_close(
            torch.autograd.grad(result.sum(), [x, noise]),
            torch.autograd.grad(expected.sum(), [x, noise]),
        )


def test_a_second_gradient_is_refused_as_in_eager() -> None:
    for function in (noisy, anew(noisy)):
        x, noise = leaves((3, 4), (3, 4))
        total = function(x, noise).sum()
        total.backward()
        with pytest.raises(RuntimeError, match="backward through the graph a second time"):
            total.backward()


def test_values_that_operators_save() -> None:
    graph = graph_of(noisy)
    saves = operator_saves(graph, leaves((3, 4), (3, 4)), {0, 1})
    assert saves is not None
    assert list(saves.read) == graph.outputs
    assert saves.inputs_behind(()) == set(graph.inputs)
    assert saves.inputs_behind(graph.outputs) == set()
