"""What is given for a parameter that is Any: its type is told by the value, as in torch.jit."""

from typing import Any, NamedTuple

import pytest
import torch

import minits
from minits.runtime.argument_faults import ArgumentError


class Point(NamedTuple):
    x: int
    y: int


def handed_back(value: Any) -> Any:
    return value


_BAD = [[], {}, ([],), [1, "a"], [1, 1.0], {"a": 1, "b": "c"}, [[1], []], {1}, len, int, {(1,): 2}]


@pytest.mark.parametrize("value", _BAD, ids=repr)
def test_a_value_whose_type_cannot_be_told_is_refused(value: Any) -> None:
    with pytest.raises(RuntimeError):
        torch.jit.script(handed_back)(value)
    with pytest.raises(ArgumentError, match="value"):
        minits.script(handed_back)(value)


def test_compiled_modules_are_told_by_their_class() -> None:
    module = minits.script(torch.nn.Linear(2, 2))
    assert minits.script(handed_back)(module) is module
    for script in (torch.jit.script, minits.script):
        with pytest.raises(RuntimeError, match="infer"):
            script(handed_back)([script(torch.nn.Linear(2, 2))])


def test_names_of_a_tuple_are_not_seen() -> None:
    for script in (torch.jit.script, minits.script):
        found = script(handed_back)(Point(1, 2))
        assert found == (1, 2)
        assert type(found) is tuple
