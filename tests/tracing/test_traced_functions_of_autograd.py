"""Calls of a `torch.autograd.Function` in traces: graphs, gradients, archives, refusals."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

import minits
from conformance.torch_implementation import without_tracers_lines
from minits.ir.canonical import canonicalize
from minits.ir.printer import print_graph
from minits.name_mangling import demangled


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, by: float, y: torch.Tensor) -> Any:
        return x * by, y.exp() + x.shape[0]

    @staticmethod
    def backward(ctx: Any, dx: torch.Tensor, dy: torch.Tensor) -> Any:
        return dx * 100, None, dy * 1000


class Swapped(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, y: torch.Tensor) -> Any:
        return y, x

    @staticmethod
    def backward(ctx: Any, dx: torch.Tensor, dy: torch.Tensor) -> Any:
        return dy, dx


class InPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.mark_dirty(x)
        return x.add_(1)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad


class OfModule(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, module: nn.Linear) -> torch.Tensor:
        return x * module.weight

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return grad * 100, None


def scaled(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    a, b = Scaled.apply(x * 2, 2.5, y)
    return a + b


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return scaled(self.linear(x), x).relu()


class CallsModule(Net):
    def forward(self, x: torch.Tensor) -> Any:
        return OfModule.apply(x, self.linear)


class Checkpointed(Net):
    def forward(self, x: torch.Tensor) -> Any:
        return checkpoint(self.linear, x, use_reentrant=True)


X = torch.ones(3)
PYTHON = "prim::PythonOp"


def torchs(graph: Any) -> str:
    text = without_tracers_lines(str(torch._C._jit_pass_canonicalize(graph, True)))
    return demangled(text)


def printed(graph: Any) -> str:
    return demangled(print_graph(canonicalize(graph)))


@pytest.mark.parametrize("program", [scaled, lambda x, y: Swapped.apply(x, y), Net()])
def test_graphs_are_those_of_torch(program: Any) -> None:
    inputs = (X,) if isinstance(program, nn.Module) else (X, torch.zeros(1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = torch.jit.trace(program, inputs, check_trace=False)
    ours = minits.trace(program, inputs)
    assert printed(ours.graph) == torchs(theirs.graph)
    bodies = [printed(node["Subgraph"]) for node in ours.graph.nodes if node.kind == PYTHON]
    calls = [node for node in theirs.graph.nodes() if node.kind() == PYTHON]
    assert bodies == [torchs(node.g("Subgraph")) for node in calls] != []


def gradients(program: Callable[..., Any], *inputs: torch.Tensor) -> Any:
    wanted = [each.clone().requires_grad_() for each in inputs]
    return torch.autograd.grad(program(*wanted).sum(), wanted)


def test_gradients_are_those_of_backward() -> None:
    traced = minits.trace(scaled, (X, X))
    for _ in range(3):
        assert torch.equal(traced(X * 3, X), scaled(X * 3, X))
        assert [grad[0].item() for grad in gradients(traced, X, X)] == [200, 1000]


def test_archives_have_the_operators() -> None:
    net, buffer = Net(), io.BytesIO()
    traced = minits.trace(net, X)
    with pytest.warns(UserWarning, match=r"operators of Scaled\.forward, and not its backward"):
        minits.save(traced, buffer)
    for load in (minits.load, torch.jit.load):
        loaded = load(io.BytesIO(buffer.getvalue()))
        torch.testing.assert_close(loaded(X * 2), net(X * 2))
    assert "^Scaled(2.5)" in traced.code
    assert torch.equal(minits.freeze(traced.eval())(X * 2), traced(X * 2))


class Weighted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.full((3,), 2.0))

    def forward(self, x: torch.Tensor) -> Any:
        return Swapped.apply(x, self.weight)[0] * x


def test_a_parameter_that_is_given_to_one_is_a_constant_when_frozen() -> None:
    theirs = torch.jit.freeze(torch.jit.trace(Weighted().eval(), X, check_trace=False))
    ours = minits.freeze(minits.trace(Weighted().eval(), X))
    assert printed(ours.graph) == torchs(theirs.graph)
    assert "GetAttr" not in printed(ours.graph)
    assert ours(X * 3).tolist() == [6.0, 6.0, 6.0]


def test_a_function_that_writes_is_not_called() -> None:
    traced = minits.trace(lambda x: InPlace.apply(x * 2), X, check_trace=False)
    with pytest.raises(RuntimeError, match="inplace InPlace not supported in the JIT"):
        traced(X)


@pytest.mark.filterwarnings("ignore:None of the inputs have requires_grad")
@pytest.mark.parametrize("make", [CallsModule, Checkpointed])
def test_what_uses_other_tensors_is_recorded_in_place(make: Any) -> None:
    net = make()
    with pytest.warns(minits.TracerWarning, match="not its backward") as told:
        traced = minits.trace(net, X)
    assert [each.filename for each in told if each.category is minits.TracerWarning] == [__file__]
    assert "^" not in str(traced.graph)
    assert torch.equal(traced(X * 2), net(X * 2))


def test_a_function_that_raises_leaves_the_trace() -> None:
    def program(x: torch.Tensor) -> torch.Tensor:
        try:
            Scaled.apply(x, "two", x)
        except TypeError:
            return x + 1
        raise AssertionError

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        traced = minits.trace(program, X)
    assert "^" not in str(traced.graph)
