"""What Python asks of compiled modules: length, items, membership."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits

BOTH = pytest.mark.parametrize("jit", [torch.jit, minits], ids=["torch", "minits"])


class Plain(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)


class Special(nn.Module):
    @torch.jit.export
    def __len__(self) -> int:
        return 4

    @torch.jit.export
    def __getitem__(self, n: int) -> int:
        return n + 3

    @torch.jit.export
    def __contains__(self, n: int) -> bool:
        return n == 3


@BOTH
def test_containers_answer(jit: Any) -> None:
    layers = jit.script(nn.Sequential(nn.ReLU(), nn.Tanh()))
    assert len(layers) == 2 and len(list(layers)) == 2 and len(layers[1:]) == 1
    assert layers[-1](torch.zeros(1)).item() == 0
    named = jit.script(nn.ModuleDict({"a": nn.ReLU()}))
    assert list(named) == ["a"] and "a" in named and 3 not in named and named["a"] is not None
    with pytest.raises(KeyError):
        named[0]


@BOTH
def test_other_modules_answer_by_their_own_methods(jit: Any) -> None:
    special = jit.script(Special())
    assert (len(special), special[4], 3 in special, 4 in special) == (4, 7, True, False)


ASKED = {
    "iter": iter,
    "len": len,
    "item": lambda module: module[0],
    "name": lambda module: module["layer"],
    "in": lambda module: 0 in module,
}


@BOTH
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_a_module_that_is_none_refuses(jit: Any, ask: Any) -> None:
    with pytest.raises(NotImplementedError):
        ask(jit.script(Plain()))
    assert bool(jit.script(Plain()))


@BOTH
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_classes_of_compiled_modules_have_what_they_define(jit: Any, ask: Any) -> None:
    class Own(jit.ScriptModule):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.ReLU()

    with pytest.raises(TypeError, match=r"is not|no len"):
        ask(Own())
    assert len(type("Counted", (Own,), {"__len__": lambda self: 7})()) == 7


def test_the_refusal_tells_the_cure() -> None:
    with pytest.raises(NotImplementedError, match=r"Plain is no container.*'__len__'.*export"):
        len(minits.script(Plain()))


class OfLengthTen(nn.Sequential):
    @torch.jit.export
    def __len__(self) -> int:
        return 10


def test_a_container_with_a_length_of_its_own_has_that() -> None:
    assert len(torch.jit.script(OfLengthTen(nn.ReLU()))) == 10
    compiled = minits.script(OfLengthTen(nn.ReLU()))
    assert len(compiled) == 10 and len(list(compiled)) == 1
