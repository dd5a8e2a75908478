"""Tensors that are changed in place between a call and its gradient: an error where eager has one.

Kernels are built. Each program is called with results of other operators, which autograd lets one
change, and each input and output in turn is changed.
"""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from conformance.fuzz.calls.tensors import Wrapper
from minits.kernels.gradients.eager_saves import eager_saves


def softmax(x: Tensor, y: Tensor) -> Tensor:
    return torch.softmax(x * 0.5 + y, dim=-1)


def exponential(x: Tensor, y: Tensor) -> Tensor:
    return torch.exp(x * 2.0) + 0.0 * y.detach().ceil()


def of_result(x: Tensor, y: Tensor) -> Tensor:
    return torch.tanh(x * y.detach())


def gelu(x: Tensor, y: Tensor) -> Tensor:
    return F.gelu(x + y)


def layer_norm(x: Tensor, y: Tensor) -> Tensor:
    return F.layer_norm(x + y, [4], y * 2.0)


def silu(x: Tensor, y: Tensor) -> Tensor:
    return F.silu(x) * y


def scaled(x: Tensor, y: Tensor) -> Tensor:
    return x * y * 2.0


def chosen(x: Tensor, y: Tensor) -> Tensor:
    return torch.where(x > 0.5, y * 1.5, x + 2.0)


def greatest(x: Tensor, y: Tensor) -> Tensor:
    return torch.amax(x * 2.0 + y, dim=-1) * 3.0


def apart(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return torch.exp(x * 2.0), torch.sigmoid(y * 3.0)


def gates(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    i, f = x.chunk(2, dim=-1)
    c = torch.sigmoid(i) * y[:2] + torch.tanh(f)
    return torch.tanh(c), c


def divided(x: Tensor, y: Tensor) -> Tensor:
    """The gradient reads the sum, or the quotient; both are not needed, and y is not."""
    return torch.tan((y + 2.0) / (x.abs() + 9.0))


def joined(x: Tensor, y: Tensor) -> Tensor:
    return torch.cat([torch.outer(y, x.detach()[0]), x.sin(), x * y.detach()], dim=0)


def scaled_rows(x: Tensor, y: Tensor) -> Tensor:
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * y


def factors(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Of each result the gradient by one input reads what another operator saves of the other."""
    return x.sin() * y * y.cos(), x * y.exp() * x.tan()


PROGRAMS = [
    softmax, exponential, of_result, gelu, layer_norm, silu, chosen, greatest, apart, gates,
    divided, joined, scaled_rows, factors,
]  # fmt: skip


def outcome(
    function: Callable[..., Any], changed: str, given: Sequence[int], asked: str = "xy"
) -> list[Tensor | None] | str:
    """Return the gradients of `asked` for the outputs `given`, or the error's first words."""
    torch.manual_seed(0)
    leaves = {"x": torch.randn(3, 4, requires_grad=True), "y": torch.randn(4, requires_grad=True)}
    tensors = {name: leaf * 1.0 for name, leaf in leaves.items()}
    made = function(*tensors.values())
    results = made if isinstance(made, tuple) else (made,)
    tensors |= {str(number): result for number, result in enumerate(results)}
    if changed in tensors:
        with torch.no_grad():
            tensors[changed].mul_(3.0)
    wanted = [results[number % len(results)].sin().sum() for number in given]
    try:
        of = [leaves[name] for name in asked]
        return list(torch.autograd.grad(sum(wanted), of, allow_unused=True))
    except RuntimeError as fault:
        return str(fault).split(":")[0]


@pytest.mark.one_in(77, over="asked given")
@pytest.mark.parametrize(
    ("given", "asked"),
    [((0,), "xy"), ((0, 1), "xy"), ((0, 1), "x"), ((0, 1), "y"), ((0,), "y"), ((1,), "x")],
)
@pytest.mark.parametrize("changed", ["none", "x", "y", "0", "1"])
@pytest.mark.parametrize("function", PROGRAMS)
def test_changes_are_errors_where_eager_has_them(
    function: Callable[..., Any], changed: str, given: tuple[int, ...], asked: str
) -> None:
    expected = outcome(function, changed, given, asked)
    script = minits.script(function)
    for _ in range(2):
        found = outcome(script, changed, given, asked)
        if isinstance(found, str) or isinstance(expected, str):
            assert found == expected
        else:
            torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)


def written(x: Tensor) -> Tensor:
    y = x.clone()
    y.tanh_()
    return y


@pytest.mark.parametrize("strides", [(2, 0), (0, 0), (7, 3), (1, 1)])
def test_a_result_that_was_written_is_saved_whatever_its_strides_along_one_element(
    strides: tuple[int, int],
) -> None:
    script = minits.script(written)
    for run in (written, script, script, script):
        x = torch.full((1, 1), 0.5).as_strided((1, 1), strides).requires_grad_()
        result = run(x)
        assert result.stride() == strides
        with torch.no_grad():
            result.add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            torch.autograd.grad(result.sum(), x)


def test_inference_tensors_that_eager_does_not_save() -> None:
    with torch.inference_mode():
        x = torch.randn(3, 4)
    y = torch.randn(4, requires_grad=True)
    (expected,) = torch.autograd.grad(chosen(x, y).sum(), y)
    (found,) = torch.autograd.grad(minits.script(chosen)(x, y).sum(), y)
    torch.testing.assert_close(found, expected)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved"):
        minits.script(scaled)(x, y)


def test_operators_warn_once_in_the_first_call() -> None:
    def spread(x: Tensor) -> Tensor:
        return torch.var(x * 2.0, dim=-1) + 1.0

    x = torch.randn(3, 1, requires_grad=True)
    with pytest.warns(UserWarning, match="degrees of freedom") as seen:
        minits.script(spread)(x)
    assert len(seen) == 1


def test_what_eager_copies_before_it_saves_it() -> None:
    """The input of group_norm is saved itself where it is contiguous, else a copy."""
    script = minits.script(squared_norm)
    for stride in (1, 2, 1):
        outcomes = []
        for program in (squared_norm, script):
            x = torch.randn(3, 8 * stride)[:, ::stride].requires_grad_()
            result = program(x)
            with torch.no_grad():
                x.add_(1)
            try:
                torch.autograd.grad(result.sum(), x)
                outcomes.append("gradients")
            except RuntimeError as fault:
                outcomes.append(str(fault).split(":")[0])
        assert outcomes[0] == outcomes[1]


def squared_norm(x: Tensor) -> Tensor:
    return torch.square(F.group_norm(x, 1))


def test_what_was_assigned_to_data() -> None:
    """Eager's gradient of a sum under `tanh` needs the result of `tanh` alone."""
    x, shift = torch.randn(3, 4), torch.randn(4, requires_grad=True)

    def shifted(x: Tensor, shift: Tensor) -> Tensor:
        return torch.tanh(x + shift) + 1.0

    (expected,) = torch.autograd.grad(shifted(x, shift).sum(), shift)
    result = minits.script(shifted)(x, shift)
    shift.data.mul_(2.0)
    torch.testing.assert_close(torch.autograd.grad(result.sum(), shift)[0], expected)


def test_what_no_gradient_reaches_does_not_run() -> None:
    """What made the condition reads its indices in eager, if gradients are asked of it."""

    def compared(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        greatest, places = torch.max(x, dim=0)
        return (greatest * 1.0 > 0.5) * y * 2.0, places

    x, y = torch.randn(3, 4, requires_grad=True), torch.randn(4, requires_grad=True)
    result, places = minits.script(compared)(x, y)
    places.add_(1)
    found = torch.autograd.grad(result.sum(), [x, y], allow_unused=True)
    assert found[0] is None
    torch.testing.assert_close(found[1], (x.amax(0) > 0.5) * 2.0)


def test_only_nodes_that_run_read_what_they_saved() -> None:
    saves = eager_saves(apart, [torch.ones(3, 4), torch.ones(4)], frozenset([0, 1]))
    both = frozenset([0, 1])
    assert saves.outputs(both, frozenset([0])) == {0}
    assert saves.outputs(frozenset([1]), both) == {1}
    assert saves.inputs(both, both) == frozenset()


def test_an_operand_that_requires_gradients_later() -> None:
    """`a` is kept for gradients of gradients alone, and is no leaf any more when they are asked."""

    def grown(a: Tensor, b: Tensor) -> Tensor:
        v = a * 0.5
        v.add_(b)
        a.add_(b)
        return torch.atan(v * 2.0) * -1.5

    script = minits.script(grown)
    b = torch.randn(4, requires_grad=True)
    for _ in range(2):
        first, second = [
            torch.autograd.grad(run(torch.ones(3, 4), b).sum(), b, create_graph=True)[0]
            for run in (grown, script)
        ]
        torch.testing.assert_close(second, first)


def test_gradients_after_one_that_is_an_error() -> None:
    def three(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return torch.exp(x * 2.0), torch.tanh(x * 3.0), x * 4.0

    x = torch.randn(3, 4, requires_grad=True)
    results = minits.script(three)(x)
    with torch.no_grad():
        results[0].add_(1.0)
        results[1].add_(1.0)
    for _ in range(2):
        for changed in results[:2]:
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                torch.autograd.grad(changed.sum(), x, retain_graph=True)
        (found,) = torch.autograd.grad(results[2].sum(), x, retain_graph=True)
        torch.testing.assert_close(found, torch.full((3, 4), 4.0))


def test_gradients_of_gradients_beside_a_result_that_was_changed() -> None:
    def both(x: Tensor) -> tuple[Tensor, Tensor]:
        y = torch.atan(torch.cos(x) * 2.0)
        return y, torch.softmax(y + 1.0, dim=-1)

    x = torch.randn(3, 4, requires_grad=True)
    found = []
    for run in (both, minits.script(both)):
        y, changed = run(x)
        with torch.no_grad():
            changed.mul_(0.5)
        (gradient,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        found.append(torch.autograd.grad(gradient.sum(), x)[0])
    torch.testing.assert_close(found[1], found[0])


def test_a_gradient_of_a_subclass_after_a_change_is_refused() -> None:
    """Numpy, which computes gradients after changes, cannot see the subclass's elements."""

    def halved(x: Tensor) -> Tensor:
        return torch.tanh(x) * 0.5

    script = minits.script(halved)
    for _ in range(3):
        x = torch.randn(2, 3, requires_grad=True)
        result = script(x)
        with torch.no_grad():
            x.mul_(2.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad(result, x, Wrapper(torch.ones(2, 3)))
