"""Turning compilation off, and the constants of printed code."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits


def doubled(x: Tensor) -> Tensor:
    return x * 2


def make_module() -> Any:
    class Marked(minits.ScriptModule):
        def __init__(self) -> None:
            super().__init__()
            self.scale = nn.Parameter(torch.ones(2) * 3)

        @minits.script_method
        def forward(self, x: Tensor) -> Tensor:
            return x * self.scale

    return Marked()


@pytest.mark.parametrize("name", ["MINITS_JIT", "PYTORCH_JIT"])
def test_programs_run_as_plain_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "0")
    linear = nn.Linear(2, 2)
    assert minits.script(doubled) is doubled
    assert minits.script(linear) is linear
    module = make_module()
    assert type(module).forward.__code__.co_name == "forward"
    assert module(torch.ones(2)).tolist() == [3.0, 3.0]
    assert [name for name, _ in module.named_parameters()] == ["scale"]
    with pytest.raises(RuntimeError, match="cannot run as plain Python"):
        module.define("def twice(self, x):\n    return x + x\n")


class Unmarked(minits.ScriptModule):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(2) * 3)

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda module: pickle.loads(pickle.dumps(module))]
)
def test_plain_modules_are_copied(copied: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_JIT", "0")
    module = Unmarked()
    again = copied(module)
    assert type(again) is Unmarked
    assert again(torch.ones(2)).tolist() == module(torch.ones(2)).tolist() == [3.0, 3.0]
    assert (again.scale is module.scale) == (copied is copy.copy)


def test_the_switch_of_minits_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTORCH_JIT", "0")
    monkeypatch.setenv("MINITS_JIT", "yes")
    assert isinstance(minits.script(doubled), minits.ScriptFunction)
    assert isinstance(make_module().forward, minits.ScriptFunction)
    monkeypatch.setenv("MINITS_JIT", "perhaps")
    with pytest.raises(ValueError, match="MINITS_JIT=perhaps: use one of"):
        minits.script(doubled)


class Unit(minits.ScriptModule):
    """A module that names a string without a literal of its own."""

    @minits.script_method
    def forward(self, x: str) -> str:
        return x + "π"


def test_constants_of_code() -> None:
    code, constants = minits.script(doubled).code_with_constants
    assert code == minits.script(doubled).code
    assert constants.const_mapping == {}
    code, constants = Unit().code_with_constants
    assert "CONSTANTS.c0" in code
    assert constants.c0 == "π"
    assert constants.const_mapping == {"c0": "π"}
    with pytest.raises(AttributeError, match="no constant 'c1'"):
        _ = constants.c1
