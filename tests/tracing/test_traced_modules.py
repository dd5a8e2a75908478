"""Traced modules: what they share, how they are saved, and calls of scripts in them."""

from __future__ import annotations

import copy
import io

import pytest
import torch
from torch import nn

import minits


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU())
        self.head = nn.Linear(2, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.features(x).mean((2, 3))
        return self.head(x) + self.head(x.relu())


EXAMPLE = torch.linspace(-1, 1, 72).view(2, 1, 6, 6)
OTHER = torch.linspace(-2, 1, 100).view(1, 1, 10, 10)


def archive(module: minits.ScriptModule) -> io.BytesIO:
    buffer = io.BytesIO()
    minits.save(module, buffer)
    buffer.seek(0)
    return buffer


def test_a_traced_module_is_the_module() -> None:
    net = Net().eval()
    traced = minits.trace(net, EXAMPLE)
    assert traced.head.weight is net.head.weight
    assert sorted(traced.state_dict()) == sorted(net.state_dict())
    assert traced.head.method_names() == ["forward", "forward1"]
    assert traced.original_name == "Net"
    for _ in range(3):
        torch.testing.assert_close(traced(OTHER), net(OTHER))
    with torch.no_grad():
        net.head.bias += 1  # the parameters are shared
    torch.testing.assert_close(traced(OTHER), net(OTHER))


def test_torch_loads_what_is_saved() -> None:
    net = Net().eval()
    traced = minits.trace(net, EXAMPLE)
    loaded = torch.jit.load(archive(traced))
    torch.testing.assert_close(loaded(OTHER), net(OTHER))
    again = minits.load(archive(traced))
    torch.testing.assert_close(again(OTHER), net(OTHER))
    assert again.head.method_names() == ["forward", "forward1"]


def test_a_trace_of_torch_is_loaded() -> None:
    net = Net().eval()
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.trace(net, EXAMPLE), buffer)
    buffer.seek(0)
    torch.testing.assert_close(minits.load(buffer)(OTHER), net(OTHER))


class Gate(nn.Module):
    def forward(self, x):
        if bool(x.sum() > 0):
            return x
        return -x


class Gated(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate = minits.script(Gate())
        self.linear = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.gate(self.linear(x))


def test_a_scripted_submodule_is_called() -> None:
    gated = Gated()
    traced = minits.trace(gated, torch.ones(1, 2))
    assert traced.gate is gated.gate
    for x in (torch.ones(1, 2) * 5, torch.ones(1, 2) * -5):
        torch.testing.assert_close(traced(x), gated(x))
        torch.testing.assert_close(torch.jit.load(archive(traced))(x), gated(x))


def test_a_traced_submodule_of_a_scripted_module() -> None:
    class Outer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = minits.trace(Net().eval(), EXAMPLE)

        def forward(self, x):
            return self.net(x) * 2 if x.dim() == 4 else x

    outer = Outer()
    script = minits.script(outer)
    torch.testing.assert_close(script(OTHER), outer(OTHER))
    torch.testing.assert_close(torch.jit.load(archive(script))(OTHER), outer(OTHER))


def test_a_bound_forward_is_its_module() -> None:
    net = Net().eval()
    assert isinstance(minits.trace(net.forward, EXAMPLE), minits.ScriptModule)
    with pytest.raises(AttributeError, match="trace_module"):
        minits.trace(net.extra_repr, EXAMPLE)


def test_a_module_without_submodules_that_are_called() -> None:
    net = nn.ModuleDict({"a": nn.Linear(2, 2)})
    with pytest.raises(AttributeError, match="expected an nn"):
        minits.trace_module(torch.relu, {"forward": torch.ones(2)})  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError):
        minits.trace(net, torch.ones(2))


class Exporting(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.most = 3

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)

    @torch.jit.export
    def clipped(self, x, n: int):
        if n > self.most:
            return self.halved(x)
        return x

    def halved(self, x):
        return x / 2


def test_exported_methods_are_compiled() -> None:
    traced = minits.trace(nn.Sequential(Exporting()), torch.ones(1, 2))
    inner = getattr(traced, "0")
    assert inner.clipped(torch.ones(2), 4).tolist() == [0.5, 0.5]
    assert inner.clipped(torch.ones(2), 1).tolist() == [1.0, 1.0]
    assert "prim::If" in str(inner.clipped.graph)
    expected = torch.jit.trace(nn.Sequential(Exporting()), torch.ones(1, 2))
    assert sorted(getattr(expected, "0")._c._method_names()) == sorted(inner.method_names())


def test_copies_and_states() -> None:
    net = Net().eval()
    traced = minits.trace(net, EXAMPLE)
    twin = copy.deepcopy(traced)
    assert twin.head.weight is not traced.head.weight
    torch.testing.assert_close(twin(OTHER), net(OTHER))
    other = Net().eval()
    twin.load_state_dict(other.state_dict())
    torch.testing.assert_close(twin(OTHER), other(OTHER))
    torch.testing.assert_close(traced(OTHER), net(OTHER))
    assert twin.double()(OTHER.double()).dtype == torch.float64


def test_the_mode_of_the_moment_is_kept() -> None:
    traced = minits.trace(nn.Sequential(nn.Dropout(0.5)).eval(), torch.ones(50))
    assert torch.equal(traced.train()(torch.ones(50)), torch.ones(50))


def test_a_call_in_another_trace_is_a_call() -> None:
    inner = minits.trace(Net().eval(), EXAMPLE)

    class Outer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = inner

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.inner(x) + 1

    traced = minits.trace(Outer(), EXAMPLE)
    assert traced.inner is inner
    assert inner.method_names() == ["forward"]
    torch.testing.assert_close(traced(OTHER), inner(OTHER) + 1)
    torch.testing.assert_close(torch.jit.load(archive(traced))(OTHER), inner(OTHER) + 1)


@minits.interface
class Lower(nn.Module):
    def forward(self, input: torch.Tensor) -> torch.Tensor:
        pass


class Middle(nn.Module):
    lower: Lower

    def __init__(self) -> None:
        super().__init__()
        self.lower = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.lower.forward(x)


class Twice(nn.Module):
    """Has a scripted module with an interface, by two names."""

    def __init__(self) -> None:
        super().__init__()
        self.first = minits.script(Middle())
        self.second = nn.Sequential(self.first)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.first(x) + self.second(x)


def test_what_is_behind_an_interface_is_not_read() -> None:
    net, x = Twice(), torch.rand(3, 2)
    torch.testing.assert_close(minits.trace(net, torch.rand(1, 2))(x), net(x))


def test_a_script_does_not_trace() -> None:
    def program(x: torch.Tensor) -> torch.Tensor:
        return x + 1 if minits.is_tracing() else x - 1

    assert minits.script(program)(torch.ones(1)) == 0
    assert minits.trace(program, torch.ones(1), check_trace=False)(torch.ones(1)) == 2


class Encoder(nn.Module):
    def __init__(self, child: nn.Module) -> None:
        super().__init__()
        self.child = child

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.child(x)[0]

    @torch.jit.export
    def encode(self, x: torch.Tensor) -> torch.Tensor:
        return self.child(x)[0] + 1


class Recursive(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @torch.jit.export
    def twice(self, x: torch.Tensor) -> torch.Tensor:
        return self(self(x))


def test_exported_methods_call_overloads_of_submodules() -> None:
    net, x = Encoder(nn.LSTM(2, 2)), torch.ones(3, 1, 2)
    traced = minits.trace(net, x)
    torch.testing.assert_close(traced.encode(x), net.encode(x))
    torch.testing.assert_close(traced(x), net(x))


def test_a_method_is_not_both_compiled_and_recorded() -> None:
    with pytest.raises(minits.CompileError, match=r"Recursive\.forward is compiled already"):
        minits.trace(Recursive(), torch.ones(2))
    net = Encoder(nn.Identity())
    with pytest.raises(minits.CompileError, match=r"Encoder\.encode is compiled already"):
        minits.trace_module(net, {"encode": torch.ones(2)})
    with pytest.raises(minits.CompileError, match=r"Linear\.forward is compiled already"):
        minits.trace_module(minits.script(nn.Linear(2, 2)), {"forward": torch.ones(2)})


def test_exported_methods_call_no_submodules_with_hooks() -> None:
    net = Encoder(nn.Identity())
    net.child.register_forward_hook(lambda module, given, result: result * 2)
    with pytest.raises(minits.CompileError, match="cannot be compiled"):
        minits.trace(net, torch.ones(2))
    inner = Encoder(nn.Identity())
    inner.register_forward_hook(lambda module, given, result: result * 2)
    with pytest.raises(minits.CompileError, match="Encoder has forward hooks"):
        minits.trace(Encoder(inner), torch.ones(2, 2))
