"""Overloaded methods in libraries, methods that are left out, and lists of weights."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.cli.main import main
from minits.native.c_types import NotNative
from minits.native_build.building import build_model
from minits.native_build.programs import exported
from tests.support.native_libraries import library
from tests.support.needs import need_compiler

need_compiler()


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(4, 8, num_layers=2, batch_first=True)
        self.out = nn.Linear(8, 2)

    def forward(self, x: Tensor) -> Tensor:
        y, _ = self.lstm(x)
        return self.out(y[:, -1])


def equal(found: Any, expected: Any) -> bool:
    if isinstance(expected, tuple):
        return all(map(equal, found, expected))
    if expected is None:
        return found is None
    return torch.allclose(found, expected, atol=1e-6)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU])
def test_modules_of_torch_with_an_overloaded_forward(kind: Any) -> None:
    """Of a PackedSequence, which is a NamedTuple, the result is one with its fields."""
    net, said = kind(4, 8).eval(), []
    methods = [*exported(minits.script(net), "net", said.append)]
    model = build_model(methods, said.append)
    with torch.no_grad():
        for x in (torch.randn(5, 2, 4), torch.randn(5, 4)):
            y, state = net(x)
            assert equal(model(x), (y, state))
            assert equal(model(x, state), net(x, state))
        packed = nn.utils.rnn.pack_sequence([torch.randn(3, 4), torch.randn(2, 4)])
        (found, state), (expected, other) = model(packed), net(packed)
    assert equal((*found, state), (*expected, other))
    assert (type(found).__name__, found._fields) == ("PackedSequence", expected._fields)
    assert said == []


@pytest.mark.slow
def test_a_net_with_recurrent_layers_and_its_archive(tmp_path: Path) -> None:
    net, x = Net().eval(), torch.randn(3, 5, 4)
    torch.jit.script(net).save(str(tmp_path / "net.pt"))
    assert main(["build", str(tmp_path / "net.pt"), "-o", str(tmp_path)]) == 0
    content = (tmp_path / "model.safetensors").read_bytes()
    assert content.count(b'"shape":[32,8]') == 3  # each weight once
    with torch.no_grad():
        assert equal(minits.load_native(tmp_path)(x), net(x))
        assert equal(library(net)(x), net(x))


class Overloaded(nn.Module):
    @torch.jit._overload_method
    def forward(self, x: int) -> str:
        pass

    @torch.jit._overload_method
    def forward(self, x: str) -> str:  # noqa: F811
        pass

    @torch.jit._overload_method
    def forward(self, x: Tensor, y: Tensor) -> str:  # noqa: F811
        pass

    def forward(self, x, y=None):  # noqa: F811
        if isinstance(x, int):
            return str(10 // x)
        if isinstance(x, str):
            return "<" + x + ">"
        return str(x.dim())


def test_the_first_overload_that_the_arguments_fit_is_called() -> None:
    model = library(Overloaded())
    assert [model(5), model("a"), model(torch.ones(1, 2), torch.ones(1))] == ["2", "<a>", "2"]
    with pytest.raises(TypeError, match=r"missing value for argument 'y'"):
        model(torch.ones(1))
    with pytest.raises(RuntimeError, match="division by 0"):
        model(0)


class Helped(nn.Module):
    def forward(self, n: int) -> int:
        return n + 1

    @torch.jit.export
    def helper(self, text: str) -> str:
        return text.format(1)


class Helpless(nn.Module):
    def forward(self, text: str) -> str:
        return text.format(1)

    @torch.jit.export
    def helper(self, n: int) -> int:
        return n + 1


HELPERS = """
import torch
from torch import nn
class Helped(nn.Module):
    def forward(self, n: int) -> int:
        return n + 1
    @torch.jit.export
    def helper(self, text: str) -> str:
        return text.format(1)
"""


def test_what_is_left_out_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "helped.py").write_text(HELPERS)
    assert main(["build", f"{tmp_path}/helped.py:Helped", "-o", str(tmp_path)]) == 0
    note = "note: helper(str text) -> str is left out: aten::format is not native\n"
    assert capsys.readouterr().err == note
    model = minits.load_native(tmp_path)
    assert (model(1), hasattr(model, "helper")) == (2, False)
    with pytest.raises(NotNative, match="aten::format"):
        library(Helpless())


class Weights(nn.Module):
    def __init__(self, grows: bool) -> None:
        super().__init__()
        self.grows = grows
        self.parts = [torch.ones(2), torch.arange(2.0)]

    def forward(self, x: Tensor) -> Tensor:
        if self.grows:
            self.parts.append(x)
        return torch.cat(self.parts) * x


def test_lists_of_weights_are_read_only() -> None:
    x = torch.tensor(3.0)
    assert equal(library(Weights(False))(x), Weights(False)(x))
    with pytest.raises(NotNative, match="the attribute parts"):
        library(Weights(True))
