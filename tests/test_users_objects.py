"""Objects of users get one attribute, which their objects, subclasses and wrappers do not share."""

from __future__ import annotations

import copy
import functools
import pickle
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

import minits
from minits import kept
from minits.frontend.values.function import compiled_of
from minits.runtime.script import ScriptFunction
from minits.users_objects import ATTRIBUTE, known_info, module_state


class Pair(NamedTuple):
    a: Tensor
    b: int


class Box:
    def __init__(self, x: Tensor) -> None:
        self.x = x

    def get(self) -> Tensor:
        return self.x * 2


class BiggerBox(Box):
    pass


def function(x: Tensor) -> Tensor:
    return Box(x).get() + Pair(x, 1).b


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x: Tensor) -> Tensor:
        return function(self.inner(x))


class Chosen(minits.ScriptModule):
    def __init__(self) -> None:
        super().__init__()
        self.scale = torch.jit.Attribute(2, int)
        self.define("def twice(self, x): return x + x")

    @minits.script_method
    def forward(self, x: Tensor) -> Tensor:
        return self.twice(x) * self.scale


class MoreChosen(Chosen):
    @minits.script_method
    def thrice(self, x: Tensor) -> Tensor:
        return self.forward(x) * 3


def fails(x: Tensor) -> Tensor:
    return x.reshape(7, 7)


def raised() -> Exception:
    with pytest.raises(RuntimeError) as caught:
        minits.script(fails)(torch.ones(2))
    return caught.value


def objects() -> Iterator[Any]:
    """Everything that minits sets attributes on, and what is beside it."""
    compiled, net, chosen = minits.script(function), minits.script(Net()), MoreChosen()
    net(torch.ones(2, 2))
    chosen.thrice(torch.ones(2))
    yield from (function, Box, BiggerBox, Pair, Net, Chosen, MoreChosen, nn.Linear)
    yield from (compiled, net, net.inner, chosen, Box(torch.ones(2)), raised(), type(net))
    yield from (copy.copy(net), copy.deepcopy(net), copy.deepcopy(chosen), Net())


def test_there_are_two_attributes_that_no_program_can_name() -> None:
    users = [each for each in objects() if not isinstance(each, ScriptFunction)]
    names = [name for each in users for name in vars(each) if "minits" in name.lower()]
    assert set(names) == {ATTRIBUTE, kept.ATTRIBUTE}
    assert not any(map(str.isidentifier, names))
    assert len(names) > 10


def test_what_is_not_compiled_has_no_state() -> None:
    net = Net()
    compiled = minits.script(net)
    assert known_info(compiled) is vars(compiled)[ATTRIBUTE].info
    others = [net, net.inner, Net, type(compiled), Box(torch.ones(2)), function, 3, None]
    assert [known_info(each) for each in others] == [None] * len(others)
    assert [module_state(each) for each in others] == [None] * len(others)


def test_what_is_not_compiled_has_no_function() -> None:
    compiled = minits.script(function)
    assert compiled_of(compiled) is not None
    others = [function, Box, BiggerBox, Box(torch.ones(2)), Net(), minits.script(Net()), len]
    assert [compiled_of(each) for each in others] == [None] * len(others)


def test_a_wrapper_of_a_compiled_function_is_one() -> None:
    compiled = minits.script(function)

    @functools.wraps(compiled)
    def wrapper(x: Tensor) -> Tensor:
        return compiled(x)

    assert compiled_of(wrapper) is compiled_of(compiled)


@pytest.mark.parametrize("make", [lambda: minits.script(Net()), Chosen, MoreChosen])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_have_methods_of_their_own(make: Any, copied: Any) -> None:
    module, x = make(), torch.ones(2, 2)
    before = module.forward
    again = copied(module)
    assert known_info(again) is known_info(module)
    assert module_state(again).methods == {}
    assert again.forward is not before
    assert again(x).equal(module(x))


def test_the_state_is_not_deep_copied_with_what_holds_it() -> None:
    held = [minits.script(Net()), minits.script(function), Box]
    again = copy.deepcopy(held)
    assert known_info(again[0]) is known_info(held[0])
    assert again[1:] == held[1:]


def test_what_is_kept_leaves_pickles_alone() -> None:
    minits.script(Net())
    net = pickle.loads(pickle.dumps(Net()))
    assert known_info(net) is None
    assert minits.script(net)(torch.ones(2, 2)).shape == (2, 2)


def test_methods_that_a_module_is_given_while_it_is_made() -> None:
    chosen = Chosen()
    assert (module_state(chosen).defined, module_state(chosen).declared) == ({}, {})
    assert known_info(chosen).type.attributes["scale"].type.annotation == "int"
    assert chosen(torch.ones(2)).tolist() == [4.0, 4.0]


class Early(minits.ScriptModule):
    """Asks for its compiled method before it is compiled."""

    def __init__(self) -> None:
        super().__init__()
        self.found = hasattr(self, "forward")

    @minits.script_method
    def forward(self, x: Tensor) -> Tensor:
        return x + 1


def test_a_module_has_no_compiled_methods_until_it_is_made() -> None:
    module = Early()
    assert not module.found
    assert hasattr(module, "forward")
