"""The properties of calls that are remembered: each row is told apart wherever something is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.overrides import BaseTorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

import minits
from minits.kernels.launch.call_key import KIND, TENSOR, key_of_tensors
from minits.kernels.launch.guards import match_for
from minits.kernels.launch.observers import is_observed, observer
from minits.kernels.launch.properties import STATE_PROPERTIES, TENSOR_PROPERTIES
from minits.runtime.direct_calls import matcher


class _Subclass(Tensor):
    pass


def _plain() -> Tensor:
    return torch.zeros(2, 3)


CHANGED: dict[str, Callable[[], Tensor]] = {
    "{0}.dtype": lambda: torch.zeros(2, 3, dtype=torch.float64),
    "{0}.device": lambda: torch.zeros(2, 3, device="meta"),
    "{0}.requires_grad": lambda: torch.zeros(2, 3, requires_grad=True),
    "type({0})": lambda: torch.zeros(2, 3).as_subclass(_Subclass),
    "{0}.shape": lambda: torch.zeros(1, 3),
    "{0}.stride()": lambda: torch.zeros(3, 2).t(),
    "keys({0})": lambda: torch._neg_view(torch.zeros(2, 3)),
}
"""For each property of tensors, one that differs from `_plain()` in it."""


@contextmanager
def _default_dtype() -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


class _Mode(TorchDispatchMode):
    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return function(*args, **(kwargs or {}))


@contextmanager
def _transform() -> Iterator[None]:
    level = torch._C._functorch._grad_increment_nesting()
    try:
        yield
    finally:
        assert torch._C._functorch._grad_decrement_nesting() == level


ENTERED: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "default_dtype()": _default_dtype,
    "function_modes() and default_device()": lambda: torch.device("meta"),
    "functorch_level()": _transform,
    "dispatch_modes()": _Mode,
    "(function_modes() and watching_modes())": BaseTorchFunctionMode,
    "is_autocast()": lambda: torch.autocast("cpu", torch.bfloat16),
    "forward_ad._current_level": forward_ad.dual_level,
}
"""For each part of the state, a manager that changes it."""


def test_every_property_is_tried() -> None:
    assert CHANGED.keys() == {each.text for each in TENSOR_PROPERTIES}
    assert ENTERED.keys() == {each.text for each in STATE_PROPERTIES}


@pytest.mark.parametrize("text", CHANGED)
def test_keys_and_guards_tell_a_property_of_tensors(text: str) -> None:
    x, other = _plain(), CHANGED[text]()
    for asked in (TENSOR, KIND):
        key_of = key_of_tensors([0], asked=asked)
        assert key_of([x]) == key_of([_plain()])
        assert key_of([x]) != key_of([other])
    for matches in (match_for([x]), lambda y: matcher([x])([y])):
        assert matches(_plain())
        assert not matches(other)


@pytest.mark.parametrize("text", ENTERED)
def test_keys_and_guards_tell_the_state(text: str) -> None:
    x = _plain()
    key_of, matches, direct = key_of_tensors([0]), match_for([x]), matcher([x])
    usual = key_of([x])
    row = next(each for each in STATE_PROPERTIES if each.text == text)
    with ENTERED[text]():
        assert key_of([x]) != usual
        assert not matches(x)
        assert not direct([x])
        assert is_observed() == (row.observer is not None)
        if row.observer is not None:
            assert observer() == row.observer
    assert key_of([x]) == usual
    assert matches(x)
    assert direct([x])
    assert not is_observed()


PROGRAM = """
import torch
from torch.autograd import forward_ad
forward_ad.marked = False
from minits.kernels.launch import call_key, guards
from minits.runtime.direct_calls import matcher

x, other = torch.zeros(2, 3), torch.zeros(2, 3)
key_of, kind_of = call_key.key_of_tensors([0]), call_key.key_of_tensors([0], asked=call_key.KIND)
remembered = key_of([x]), kind_of([x]), call_key.state_of_constants()
matches, direct = guards.match_for([x]), matcher([x], any_sizes=True)

def told():
    return (
        *[now != then for now, then in zip(
            (key_of([other]), kind_of([other]), call_key.state_of_constants()), remembered)],
        not matches(other), not direct([other]),
    )

assert told() == (False,) * 5, told()
other.mark = 1
assert told() == (True, True, False, True, True), told()
del other.mark
forward_ad.marked = True
assert told() == (True,) * 5, told()
"""


@pytest.mark.slow
def test_a_property_is_added_in_one_place(tmp_path: Path) -> None:
    """A row more in each table, of which torch's guard knows nothing, is told apart everywhere."""
    shutil.copytree(Path(minits.__file__).parent, tmp_path / "minits")
    table = tmp_path / "minits" / "kernels" / "launch" / "properties.py"
    mark = "getattr({0}, 'mark', None)"
    table.write_text(
        f"{table.read_text()}\n"
        f'TENSOR_PROPERTIES.append(TensorProperty("{mark}", "{mark}", True, is_guarded=False))\n'
        'STATE_PROPERTIES.append(State("forward_ad.marked", False))\n'
    )
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", ENTERED)
def test_guards_of_calls_without_tensors_tell_the_state(text: str) -> None:
    matches, direct = match_for([]), matcher([3])
    with ENTERED[text]():
        assert not matches()
        assert not direct([3])
    assert matches()
    assert direct([3])


def test_a_call_under_a_default_device_is_like_those_under_it() -> None:
    x = _plain()
    with torch.device("meta"):
        of_tensors, of_numbers = matcher([x]), matcher([3])
        assert of_tensors([x])
        assert of_numbers([4])
    assert not of_tensors([x])
    assert not of_numbers([4])
