"""Which Python objects are taken for parameters of a type, and what is made of them."""

from collections import OrderedDict, UserDict, deque
from collections.abc import Callable
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor

import minits
from minits.runtime.argument_faults import ArgumentError


class Whole(int):
    """A number with a class of its own."""


class Word(str):
    """A text with a class of its own."""


class Indexed:
    def __index__(self) -> int:
        return 3


class Floating:
    def __float__(self) -> float:
        return 3.5


class Letters:
    def __iter__(self) -> Any:
        return iter("ab")


class Numbered:
    """Has items by the protocol that is older than `__iter__`."""

    def __getitem__(self, index: int) -> int:
        return [0, 1][index]

    def __len__(self) -> int:
        return 2


class Pair(NamedTuple):
    first: int
    second: int


class Level(IntEnum):
    LOW = 1


class Name(str, Enum):
    A = "a"


VALUES: dict[str, Callable[[], Any]] = {
    "too large": lambda: 2**63,
    "too small": lambda: -(2**63) - 1,
    "largest": lambda: 2**63 - 1,
    "smallest": lambda: -(2**63),
    "int": lambda: 3,
    "bool": lambda: True,
    "float": lambda: 1.5,
    "complex": lambda: 1j,
    "str": lambda: "ab",
    "bytes": lambda: b"ab",
    "None": lambda: None,
    "np.float32": lambda: np.float32(2.5),
    "np.float64": lambda: np.float64(2.5),
    "np.int64": lambda: np.int64(3),
    "np.uint8": lambda: np.uint8(3),
    "np.bool_": lambda: np.bool_(True),
    "np.str_": lambda: np.str_("a"),
    "array": lambda: np.array([1, 2]),
    "number in an array": lambda: np.array(3.5),
    "Fraction": lambda: Fraction(7, 2),
    "Decimal": lambda: Decimal(2),
    "Whole": lambda: Whole(3),
    "Word": lambda: Word("a"),
    "Indexed": Indexed,
    "Floating": Floating,
    "IntEnum": lambda: Level.LOW,
    "str and Enum": lambda: Name.A,
    "dtype": lambda: torch.float32,
    "layout": lambda: torch.strided,
    "device": lambda: torch.device("cpu"),
    "class": lambda: int,
    "tensor of an int": lambda: torch.tensor(3),
    "tensor of a float": lambda: torch.tensor(3.5),
    "tensor of two": lambda: torch.tensor([1, 2]),
    "[]": list,
    "()": tuple,
    "{}": dict,
    "[1, 2]": lambda: [1, 2],
    "[1.0]": lambda: [1.0],
    "[True]": lambda: [True],
    "['a']": lambda: ["a"],
    "[None]": lambda: [None],
    "[np.int64]": lambda: [np.int64(1)],
    "[too large]": lambda: [2**70],
    "[tensor]": lambda: [torch.ones(1)],
    "(1, 2)": lambda: (1, 2),
    "(1, 'a')": lambda: (1, "a"),
    "(None, 1)": lambda: (None, 1),
    "Pair": lambda: Pair(1, 2),
    "Size": lambda: torch.Size([1, 2]),
    "range": lambda: range(2),
    "set": lambda: {1},
    "deque": lambda: deque([1, 2]),
    "generator": lambda: (n for n in [1, 2]),
    "map": lambda: map(str, [1, 2]),
    "zip": lambda: zip([1], [2], strict=True),
    "enumerate": lambda: enumerate([1]),
    "iterator": lambda: iter(["a"]),
    "reversed": lambda: reversed([1, 2]),
    "Letters": Letters,
    "Numbered": Numbered,
    "bytearray": lambda: bytearray(b"ab"),
    "dict": lambda: {"a": 1},
    "dict of None": lambda: {"a": None},
    "dict of tensors": lambda: {"a": torch.ones(1)},
    "OrderedDict": lambda: OrderedDict(a=1),
    "UserDict": lambda: UserDict(a=1),
    "keys": lambda: {"a": 1}.keys(),
    "items": lambda: {"a": 1}.items(),
    "pairs": lambda: [("a", 1), ["b", 2]],
}

TYPES: list[Any] = [
    int, float, bool, complex, str, Tensor, torch.device, Any,
    list[int], list[float], list[bool], list[str], list[Tensor], list[Any], list[list[int]],
    list[int | None], dict[str, int], dict[str, Any], dict[str, Tensor], tuple[int, int],
    tuple[Tensor, int], int | None, list[int] | None, Tensor | None, int | str, int | list[int],
    list[int] | list[str], float | str, list[float] | str, dict[str, int] | str,
    tuple[int, int] | int, int | float | complex, tuple[int | None, int] | str, list[int | str],
    int | float | None,
]  # fmt: skip

NOT_THE_SAME = {
    ("int | float | complex", "too large"),  # torch takes it for a number without a sign
    ("tuple[Tensor, int]", "(None, 1)"),  # torch compiles, and then asks None for its strides
}


Given: Any = int
"""The annotation under test: both compilers look its name up among the globals."""


def handed_back_as(annotation: Any) -> Any:
    global Given
    Given = annotation

    def handed_back(value: Given):
        return value

    return handed_back


def outcomes(script: Any, function: Any, *refusals: type[Exception]) -> dict[str, str]:
    """What the calls give: the value with its class, or that the call is refused."""
    compiled = script(function)
    found = {}
    for name, make in VALUES.items():
        try:
            value = compiled(make())
            found[name] = f"{type(value).__name__} {repr(value).partition(' at 0x')[0]}"
        except refusals:
            found[name] = "refused"
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("annotation", TYPES, ids=str)
def test_what_is_taken_and_what_is_made_of_it(annotation: Any) -> None:
    function = handed_back_as(annotation)
    found = outcomes(minits.script, function, ArgumentError)
    refusals = (RuntimeError, TypeError, OverflowError)
    expected = outcomes(torch.jit.script, function, *refusals)
    label = str(annotation).replace("torch.", "")
    unlike = {(label, name) for name in VALUES if found[name] != expected[name]}
    assert unlike == {pair for pair in NOT_THE_SAME if pair[0] == label}


def test_an_iterator_that_does_not_fit_is_not_taken_for_empty() -> None:
    """The refusal names the argument without converting it a second time."""
    function = minits.script(handed_back_as(list[str]))
    numbers = iter([1, 2])
    with pytest.raises(ArgumentError, match="argument 'value'"):
        function(numbers)


class Textless:
    def __repr__(self) -> str:
        raise NotImplementedError("no text")


def test_a_value_that_has_no_text_is_named_by_its_class() -> None:
    def second(pair: tuple[Tensor, Tensor]) -> Tensor:
        return pair[1]

    with pytest.raises(ArgumentError, match=r"Value: <.*Textless object at"):
        minits.script(second)(Textless())
