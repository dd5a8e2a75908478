"""The error of an argument names the part of it that does not fit, and what it is."""

from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor

import minits


class Named(NamedTuple):
    value: list[str]
    n: int


def named(x: Named) -> int:
    return x.n


def ints(x: list[int]) -> int:
    return len(x)


def tensors(x: dict[str, Tensor]) -> int:
    return len(x)


def nested(x: dict[str, list[tuple[int, float]]]) -> int:
    return len(x)


def pair(x: tuple[Tensor, int]) -> int:
    return x[1]


def perhaps(x: list[Tensor] | None) -> int:
    return 0 if x is None else len(x)


ONE = torch.ones(1)
CASES: list[tuple[Any, Any, str]] = [
    (named, Named([None], 1), "x.value[0] is of type 'NoneType', expected 'str'"),  # type: ignore[list-item]
    (named, Named(["a"], 1.5), "x.n is of type 'float', expected 'int'"),  # type: ignore[arg-type]
    (ints, [1, "a"], "x[1] is of type 'str', expected 'int'"),
    (ints, [1, 2.0], "x[1] is of type 'float', expected 'int'"),
    (tensors, {"a": ONE, 2: ONE}, "the key 2 of x is of type 'int', expected 'str'"),
    (tensors, {"a": 3}, "x['a'] is of type 'int', expected 'Tensor'"),
    (nested, {"a": [(1, 2.0), (1, "x")]}, "x['a'][1][1] is of type 'str', expected 'float'"),
    (pair, (ONE, 2.0), "x[1] is of type 'float', expected 'int'"),
    (pair, (ONE, 2, 3), "2 elements are expected, 3 were found"),
    (perhaps, [ONE, None], "x[1] is of type 'NoneType', expected 'Tensor'"),
]


def _id(value: Any) -> str:
    return getattr(value, "__name__", str(value))


@pytest.mark.parametrize(("function", "argument", "text"), CASES, ids=_id)
def test_the_part_is_named(function: Any, argument: Any, text: str) -> None:
    compiled = minits.script(function)
    for call in (lambda: compiled(argument), lambda: compiled(x=argument)):
        with pytest.raises(RuntimeError) as raised:
            call()
        assert str(raised.value).endswith(f"Cast error details: {text}")


def test_an_argument_that_is_wrong_as_a_whole_has_no_details() -> None:
    with pytest.raises(RuntimeError) as raised:
        minits.script(ints)("a")
    assert "details" not in str(raised.value)
