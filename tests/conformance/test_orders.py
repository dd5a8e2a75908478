"""Programs compiled in random orders: what was found, and what must be found."""

from __future__ import annotations

from random import Random

import pytest

from conformance.case import find_cases
from conformance.foreign.check import check as check_foreign
from conformance.foreign.programs import Foreign
from conformance.foreign.sweep import listed, outcome
from conformance.orders import search
from conformance.orders.changes import bindings, changed
from conformance.orders.drawn import draw
from conformance.orders.steps import Change, Compile, History, Load, Restore
from conformance.upstream.forks import Message
from minits.frontend.python import currency

_OUT = "case torch_functions/out_argument"
_CLASS = "case classes/properties"
_KEPT: dict[str, History] = {
    "a name of torch's is bound to another of its functions": (
        Compile("case torch_functions/several_results"),
        Change(_OUT, 49994),
        Compile(_OUT),
    ),
    "loaded again": (Compile(_CLASS), Load(_CLASS), Compile(_CLASS), Compile(_CLASS, held=True)),
    "another dialect": (Compile(_CLASS, "extended"), Compile(_CLASS), Compile(_CLASS, "extended")),
    **{
        f"change {number}": (
            Compile(_CLASS),
            Change(_CLASS, number),
            Compile(_CLASS),
            Restore(),
            Compile(_CLASS),
        )
        for number in range(4)
    },
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", _KEPT)
def test_orders_that_differed_once(name: str) -> None:
    cases = {f"case {case.name}" for case in find_cases()}
    assert {step.program for step in _KEPT[name] if isinstance(step, Compile)} <= cases
    found = search.check(_KEPT[name])
    assert found.compilations >= 1
    assert not found.faults, found.faults[0]


@pytest.mark.slow
def test_drawn_orders_agree() -> None:
    programs = [str(each) for each in listed(["torch.nn.init", "torch.nn._reduction"])]
    for found in search.search([*programs, _CLASS, _OUT], 1, seed=5):
        assert found.compilations > 5
        assert not found.faults, found.faults[0]


@pytest.mark.slow
def test_what_is_compiled_once_and_for_all_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that does not ask whether a class is what it was is told from one that does."""
    histories = [_KEPT[f"change {number}"] for number in range(4)]
    monkeypatch.setattr(currency, "is_class_current", lambda *args: True)
    faults = [fault for each in histories for fault in search.check(each).faults]
    assert faults
    assert "Change" in faults[0]


def test_drawing_is_the_same_for_a_seed() -> None:
    body = [f"case {number}" for number in range(40)]
    assert draw(body, Random(1)) == draw(body, Random(1)) != draw(body, Random(2))


def _global(x: int) -> int:
    return x + 1


def _calls(x: int) -> int:
    return _global(x)


def test_a_change_is_undone() -> None:
    found = bindings(_calls)
    binding = next(each for each in found if each.name == "_global")
    undo = changed(binding, [], Random(0))
    assert undo is not None
    assert binding.read() is not _before
    undo()
    assert binding.read() is _before


_before = _global


def test_foreign_programs_are_accepted_alike() -> None:
    """Of a class that no other test compiles: names depend on what was compiled before."""
    messages: list[Message] = []
    program = Foreign("torch.nn.modules.padding", "ZeroPad3d")
    check_foreign(program, messages.append)
    assert outcome(program, messages).kind == "both accept", messages


def test_an_exception_of_minits_own_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import minits

    def failing(program: object) -> None:
        raise KeyError("raw")

    monkeypatch.setattr(minits, "script", failing)
    messages: list[Message] = []
    program = Foreign("torch.nn.functional", "gelu")
    check_foreign(Foreign("torch.nn.modules.padding", "ZeroPad3d"), messages.append)
    assert outcome(program, messages).kind == "raw exception"
