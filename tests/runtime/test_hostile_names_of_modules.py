"""Modules whose attributes have the names of what each compiled module has, or minits keeps."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.runtime.script_module import RecursiveScriptModule
from tests.support.archives import loaded

OF_COMPILED = sorted(set(dir(RecursiveScriptModule)) - set(dir(nn.Module)))
NAMES = [
    *[name for name in OF_COMPILED if name.isidentifier() and not name.startswith("__")],
    *"_minits get_slot set_slot _info _method_names slots state plans owner args kwargs".split(),
]
X = torch.arange(3.0)
FORMS = {
    "attribute": ("self.$ = 3", "x + self.$", ""),
    "list": ("self.$ = [3]", "x + self.$[0]", ""),
    "buffer": ("self.register_buffer('$', torch.ones(3))", "x + self.$", ""),
    "parameter": ("self.$ = nn.Parameter(torch.ones(3))", "x + self.$", ""),
    "submodule": ("self.$ = nn.Softmax(0)", "self.$(x)", ""),
    "constant": ("self.$ = 2", "x * self.$", "__constants__ = ['$']"),
    "method": ("pass", "self.$(x)", "def $(self, x: Tensor) -> Tensor: return x + 1"),
    "property": ("pass", "x * self.$", "@property\n    def $(self) -> int: return 3"),
    "assigned": ("self.$ = 3", "x * self.step()", "def step(self) -> int:\n"
                 "        self.$ += 1\n        return self.$"),
}  # fmt: skip
"""By form: what `__init__` does, what `forward` returns, and what else the class has."""
SOME = ("_minits", "code", "graph", "save", "compile_method")
CASES = [
    (form, name)
    for form in FORMS
    for name in (NAMES if form in ("attribute", "submodule") else SOME)
]
TEXT = """\
class M(nn.Module):
    {further}
    def __init__(self) -> None:
        super().__init__()
        {made}
    def forward(self, x: Tensor) -> Tensor:
        return {result}
"""


def module(form: str, name: str) -> nn.Module:
    made, result, further = FORMS[form]
    text = TEXT.format(made=made, result=result, further=further).replace("$", name)
    names: dict[str, Any] = {"torch": torch, "nn": nn, "Tensor": Tensor, "__name__": "hostile"}
    made_module: nn.Module = minits.exec_source(text, names)["M"]()
    return made_module


@pytest.mark.parametrize(("form", "name"), CASES)
def test_a_name_of_the_program_is_the_programs(name, form):
    original = module(form, name)
    expected = [copy.deepcopy(original)(X) for _ in range(2)]
    if form == "assigned":
        expected[1] = X * 5
    makers = (lambda x: x, loaded, copy.copy, copy.deepcopy)
    for make in (*makers, lambda x: minits.freeze(x.eval())) if form != "assigned" else makers:
        run = make(minits.script(copy.deepcopy(original)))
        for wanted in expected:
            torch.testing.assert_close(run(X), wanted)


@pytest.mark.parametrize("name", NAMES)
def test_python_sees_and_sets_the_attribute_of_the_program(name):
    compiled = minits.script(module("attribute", name))
    assert getattr(compiled, name) == 3
    setattr(compiled, name, 5)
    assert getattr(compiled, name) == 5
    assert torch.equal(compiled(X), X + 5)
    assert compiled.forward.graph.nodes


class Keeper:
    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._minits = 2

    def get_slot(self, name: str) -> int:
        return self.slots

    def set_slot(self, name: str, value: int) -> None:
        self.slots = value


@pytest.mark.parametrize("optimized", [True, False])
def test_an_object_may_have_methods_of_these_names(optimized):
    def program(x: int) -> int:
        keeper = Keeper(x)
        keeper.set_slot("a", keeper.get_slot("b") + 1)
        keeper.slots += keeper._minits
        return keeper.slots

    compiled = minits.script(program)
    with minits.optimized_execution(optimized):
        assert [compiled(3) for _ in range(2)] == [6, 6]


class Marked(RuntimeError):
    def __init__(self) -> None:
        super().__init__("marked")
        self._minits = 5


@torch.jit.ignore
def raising(x: Tensor) -> Tensor:
    raise Marked


def test_an_exception_keeps_its_own_attribute():
    def program(x: Tensor) -> Tensor:
        return raising(x)

    with pytest.raises(RuntimeError, match="marked") as caught:
        minits.script(program)(X)
    error: Any = caught.value
    found = error if isinstance(error, Marked) else error.__cause__
    assert found._minits == 5
