"""What forward kernels save, so that gradients walk less often over a row. Kernels are built."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from minits.kernels.fused_kernel import FusedKernel
from minits.kernels.gradients.autograd import differentiable
from minits.kernels.gradients.gradient import backward, worth_saving
from minits.kernels.gradients.training_kernel import TrainingKernel
from minits.kernels.ir.kernel import stages
from tests.kernels.lowered import graph_of, lower_for


def softmax(x: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(x * 2.0 + mask, dim=-1)


def log_softmax(x: Tensor, mask: Tensor) -> Tensor:
    return torch.log_softmax(x * 2.0 + mask, dim=-1)


def layer_norm(x: Tensor, weight: Tensor) -> Tensor:
    return F.layer_norm(x * 1.5, [6], weight)


def greatest(x: Tensor, mask: Tensor) -> Tensor:
    return torch.amax(torch.exp(x) * mask, dim=-1) * 2.0


def sum_as_well(x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    total = torch.exp(x).sum(dim=-1, keepdim=True)
    return torch.exp(x) / total * mask, total


PROGRAMS = [softmax, log_softmax, layer_norm, greatest, sum_as_well]


def arguments() -> list[Tensor]:
    torch.manual_seed(0)
    return [torch.randn(4, 6, requires_grad=True), torch.randn(6, requires_grad=True)]


def fuse(function: Callable[..., Any], values: Sequence[Tensor]) -> Callable[..., tuple[Any, ...]]:
    def unfused(*values: Any) -> Sequence[Tensor]:
        results = function(*values)
        return results if isinstance(results, tuple) else (results,)

    return differentiable(FusedKernel(lower_for(graph_of(function), values)), unfused)


def walks(function: Callable[..., Any]) -> tuple[list[str], int]:
    """What is saved of the kernel, and how often the gradient walks over a row."""
    kernel = lower_for(graph_of(function), arguments()).kernel
    saved = worth_saving(kernel, [True, True])
    made = backward(kernel, [True, True], saved=saved).kernel
    return [value.op for value in saved], 1 + max(stages(made).values())


def test_gradients_walk_twice_over_a_row() -> None:
    assert walks(softmax) == (["div"], 2)
    assert walks(layer_norm) == (["sum", "sum"], 2)
    assert walks(log_softmax) == (["max", "sum"], 2)


def test_an_extremum_is_found_again_by_the_kernel_that_compares_with_it() -> None:
    saved, _ = walks(greatest)
    assert saved == []


def test_softmax_computes_no_exponential_for_its_gradient() -> None:
    kernel = lower_for(graph_of(softmax), arguments()).kernel
    made = backward(kernel, [True, True], saved=worth_saving(kernel, [True, True])).kernel
    assert {value.op for value in made.values} == {"load", "constant", "mul", "sum", "sub"}


@pytest.mark.one_in(5)
@pytest.mark.parametrize("function", PROGRAMS)
def test_gradients_are_eagers(function: Callable[..., Any]) -> None:
    values = arguments()
    run = fuse(function, values)
    for _ in range(2):
        found, expected = run(*values), function(*values)
        expected = expected if isinstance(expected, tuple) else (expected,)
        given = [torch.randn_like(result) for result in expected]
        torch.testing.assert_close(found, expected)
        torch.testing.assert_close(
            torch.autograd.grad(found, values, given),
            torch.autograd.grad(expected, values, given),
            rtol=1e-5, atol=1e-5,
        )  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("function", PROGRAMS)
def test_gradients_of_gradients(function: Callable[..., Any]) -> None:
    values = [value.detach().double().requires_grad_() for value in arguments()]
    assert torch.autograd.gradgradcheck(fuse(function, values), values)


def test_a_saved_result_must_not_be_changed() -> None:
    values = arguments()
    (result,) = fuse(softmax, values)(*values)
    with torch.no_grad():
        result.add_(1.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.sum().backward()


def test_results_that_eager_saves_must_not_be_changed() -> None:
    values = arguments()
    result, total = fuse(sum_as_well, values)(*values)
    with torch.no_grad():
        total.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad(result.sum(), values)


def test_hooks_may_give_saved_tensors_other_strides() -> None:
    values = arguments()
    run = fuse(layer_norm, values)
    given = torch.randn(4, 6)
    expected = torch.autograd.grad(layer_norm(*values), values, given)
    torch.testing.assert_close(torch.autograd.grad(run(*values), values, given), expected)
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x.t(), lambda x: x.contiguous().t()):
        result = run(*values)
    torch.testing.assert_close(torch.autograd.grad(result, values, given), expected)


def test_kernels_save_only_under_gradients() -> None:
    values = arguments()
    kernel = FusedKernel(lower_for(graph_of(layer_norm), values))
    training = TrainingKernel(kernel, frozenset([0, 1]))
    assert len(training.kernel.kernel.outputs) == 3 and len(kernel.kernel.outputs) == 1
    assert training.saved_positions == [1, 2]


def gates(x: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
    both = torch.sigmoid(x)
    r, z = both.chunk(2, 1)
    return both, torch.cat([r * h, z], 1)


def test_halves_of_a_result_are_kept_as_the_result() -> None:
    values = [torch.randn(4, 6, requires_grad=True), torch.randn(4, 3)]
    found = fuse(gates, values)(*values)
    kept = {x.data_ptr() for x in found[0].grad_fn.saved_tensors}
    assert kept == {x.data_ptr() for x in (found[0], *values)}
    totals = [(one * 2.0 + other.sin()).sum() for one, other in (found, gates(*values))]
    gradients = [torch.autograd.grad(total, values[:1])[0] for total in totals]
    torch.testing.assert_close(*gradients)
