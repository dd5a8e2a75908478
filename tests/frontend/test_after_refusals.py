"""A program that is refused leaves nothing behind: what is compiled afterwards is as if alone.

Each program of the suite that must be refused is followed by the functions, classes and modules of
its file, of which some have parts in common with it.
"""

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from conformance.case import Case, find_scripted
from minits.compilation_state import STATE
from minits.users_objects import known_info

CHAPTERS = sorted({case.chapter for case in find_scripted()})
QUICK = {"classes"}
"""Of the default run."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "chapter",
    [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in CHAPTERS],
)
def test_what_follows_a_refusal_is_compiled_as_if_alone(chapter: str) -> None:
    for case in find_scripted():
        if case.error_line:
            for name in sorted(_siblings(case)):
                alone, after = _compiled(case, name, False), _compiled(case, name, True)
                assert after == alone, f"{case.name}: {name}"


def _siblings(case: Case) -> Iterator[str]:
    """Yield the names of what a file defines beside its program."""
    module = case.load().module
    for name, value in vars(module).items():
        is_own = getattr(value, "__module__", None) == module.__name__
        if is_own and (inspect.isfunction(value) or inspect.isclass(value)):
            yield name


def _compiled(case: Case, name: str, is_after: bool) -> str:
    """Return what a part of a file is compiled to, or its faults, after the program or alone."""
    STATE.clear()
    program = case.load()
    if is_after:
        with pytest.raises(Exception):  # also of what makes the program
            minits.script(program.make())
    part = getattr(program.module, name)
    if inspect.isclass(part) and issubclass(part, nn.Module):
        try:
            part = part()
        except TypeError:
            return "needs arguments"
    try:
        made = minits.script(part)
    except minits.CompileError as fault:
        return str(fault)
    return "\n".join(_texts(made, part))


def _texts(made: Any, part: Any) -> Iterator[str]:
    if isinstance(made, nn.Module):
        for module in made.modules():
            yield from _of_type(known_info(module).type)
    elif inspect.isclass(made):
        type = STATE.types.get(made)
        yield from _of_type(type) if hasattr(type, "methods") else [repr(type)]
    else:
        yield str(getattr(made, "graph", made))


def _of_type(type: Any) -> Iterator[str]:
    yield type.name
    for name, method in type.methods.items():
        yield f"{name}: {getattr(method, 'graph', method.schema)}"


# ---- What a program shares with another ---------------------------------------------------------


class Part(nn.Module):
    def __init__(self, n: int) -> None:
        super().__init__()
        self.n = n

    def forward(self, x: Tensor) -> Tensor:
        return x * self.n

    def extra(self, x: Tensor) -> Tensor:
        return super().extra(x)  # type: ignore[misc, no-any-return]

    @property
    def twice(self) -> int:
        return self.n * 2


class Calls(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = Part(3)

    def forward(self, x: Tensor) -> Tensor:
        return self.part.extra(self.part(x))


class Spares(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = Part(3)

    def forward(self, x: Tensor) -> Tensor:
        return self.part(x) * self.part.twice  # type: ignore[no-any-return]


@pytest.mark.parametrize("known", [False, True], ids=["unknown", "compiled_before"])
def test_a_method_that_cannot_be_compiled_goes_from_a_type_that_others_have(known: bool) -> None:
    STATE.clear()
    if known:
        minits.script(Spares())
    for _ in range(2):
        with pytest.raises(minits.CompileError, match="super"):
            minits.script(Calls())
        compiled = minits.script(Spares())
        assert compiled(torch.ones(2)).tolist() == [18.0, 18.0]
        assert "extra" not in known_info(compiled.part).type.methods
        assert known_info(compiled.part).type.name.endswith("test_after_refusals.Part")
