"""Activations of torch.nn as libraries: one call each where torch's own is one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from tests.support.native_libraries import library, write
from tests.support.needs import need_compiler

need_compiler()

_KINDS: dict[str, Callable[[], nn.Module]] = {
    "celu": lambda: nn.CELU(0.7),
    "elu": nn.ELU,
    "elu_alpha": lambda: nn.ELU(0.7),
    "gelu": nn.GELU,
    "gelu_tanh": lambda: nn.GELU("tanh"),
    "glu": nn.GLU,
    "hardshrink": nn.Hardshrink,
    "hardsigmoid": nn.Hardsigmoid,
    "hardswish": nn.Hardswish,
    "hardtanh": nn.Hardtanh,
    "leaky_relu": nn.LeakyReLU,
    "log_sigmoid": nn.LogSigmoid,
    "log_softmax": lambda: nn.LogSoftmax(-1),
    "mish": nn.Mish,
    "prelu": nn.PReLU,
    "relu": nn.ReLU,
    "relu6": nn.ReLU6,
    "rrelu": nn.RReLU,
    "selu": nn.SELU,
    "sigmoid": nn.Sigmoid,
    "silu": nn.SiLU,
    "softmax": lambda: nn.Softmax(-1),
    "softplus": nn.Softplus,
    "softplus_beta": lambda: nn.Softplus(2.0, 3.0),
    "softshrink": nn.Softshrink,
    "tanh": nn.Tanh,
    "threshold": lambda: nn.Threshold(0.1, 20.0),
}
"""Those of one operator. `nn.RReLU` is one in evaluation, where its elements lie row by row."""
_IN_PLACE: dict[str, Callable[[], nn.Module]] = {
    "celu": lambda: nn.CELU(inplace=True),
    "elu": lambda: nn.ELU(inplace=True),
    "hardtanh": lambda: nn.Hardtanh(inplace=True),
    "leaky_relu": lambda: nn.LeakyReLU(inplace=True),
    "relu6": lambda: nn.ReLU6(inplace=True),
    "threshold": lambda: nn.Threshold(0.1, 20.0, inplace=True),
}
_SPECIAL = torch.tensor([[0.0, -0.0, 1.0, -1.0], [0.5, 6.0, -torch.inf, torch.inf]])


@pytest.mark.parametrize("name", sorted(_KINDS))
def test_an_activation_is_one_call(name: str, tmp_path: Path) -> None:
    write(nn.Sequential(_KINDS[name]()).eval(), tmp_path)
    _, _, own = (tmp_path / "model.c").read_text().rpartition("\nstatic int32_t forward(")
    own, _, _ = own.partition("\n}\n")
    calls = len(re.findall(r"uint64_t call\w*\[", own))
    assert calls == (2 if name == "rrelu" else 1), own


@pytest.mark.slow
@pytest.mark.parametrize("is_in_place", [False, True])
def test_activations_in_a_library(is_in_place: bool) -> None:
    """Of small and other tensors, by C and by torch's operators."""

    class All(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            made = _IN_PLACE if is_in_place else _KINDS
            self.parts = nn.ModuleList([each() for each in made.values()])

        def forward(self, x: Tensor) -> list[Tensor]:
            found: list[Tensor] = []
            for part in self.parts:
                found.append(part(x.clone()))
            return found

    module = All().eval()
    model, script = library(module), torch.jit.script(module)
    drawn = 5 * torch.randn(60, 60)
    for x in (_SPECIAL, drawn, drawn[:6], drawn[:6].t(), drawn[0].double(), drawn[0].bfloat16()):
        if x.dtype != torch.float32:
            module, script = module.to(x.dtype), script.to(x.dtype)
            model = library(module)
        with torch.no_grad():
            torch.testing.assert_close(model(x), script(x), equal_nan=True)
        torch.testing.assert_close(model(x), script(x), equal_nan=True)


def test_the_makefile_has_one_variable_of_this_machine(tmp_path: Path) -> None:
    write(nn.Sequential(nn.ELU()).eval(), tmp_path)
    folder = str(Path(torch.__file__).parent / "lib")
    lines = [x for x in (tmp_path / "Makefile").read_text().splitlines() if folder in x]
    assert lines == [f"TORCH = {folder}"]
    for each in ("CMakeLists.txt", "model.c", "model.h"):
        assert folder not in (tmp_path / each).read_text()
