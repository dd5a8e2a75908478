"""Lists and dicts that are taken as they are, against the same ones looked at item by item."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from minits.ops.from_python import convert_value
from minits.types import types as t

BIG = 1 << 63


class Index(int):
    """An int of a class of its own."""


@pytest.mark.parametrize(
    ("element", "values"),
    [
        (t.INT, [1, -BIG, BIG - 1]),
        (t.INT, [2**31 - 1, -(2**31)]),
        (t.INT, [1, 2**31, 3]),
        (t.INT, [1, -(2**31) - 1]),
        (t.INT, [1, True]),
        (t.INT, [True] * 5),
        (t.INT, [1, Index(3)]),
        (t.INT, []),
        (t.INT, [1, True, Index(3), np.int64(4), torch.tensor(5)]),
        (t.FLOAT, [1.5, 2, np.float32(0.5)]),
        (t.FLOAT, [1.5, float("inf")]),
        (t.BOOL, [True, False]),
        (t.STR, ["a", "b"]),
    ],
)
def test_lists_are_copied_and_their_items_made_plain(element: t.Type, values: list[Any]) -> None:
    made = convert_value(t.ListType(element), values)
    assert made is not values
    one_by_one = [convert_value(element, value) for value in values]
    assert [(type(v), v) for v in made] == [(type(v), v) for v in one_by_one]


@pytest.mark.parametrize("number", [BIG, -BIG - 1])
def test_numbers_of_more_than_64_bits_are_refused(number: int) -> None:
    with pytest.raises(TypeError, match=f"{number} has more than 64 bits"):
        convert_value(t.ListType(t.INT), [1, number])
    with pytest.raises(TypeError, match="more than 64 bits"):
        convert_value(t.DictType(t.STR, t.INT), {"a": 1, "b": number})
    with pytest.raises(TypeError, match="more than 64 bits"):
        convert_value(t.DictType(t.INT, t.STR), {number: "a"})


def test_dicts_are_copied() -> None:
    x = torch.ones(2)
    given = {"a": x, "b": x}
    made = convert_value(t.DictType(t.STR, t.TENSOR), given)
    assert made is not given
    assert list(made) == ["a", "b"] and made["a"] is x
    assert convert_value(t.DictType(t.STR, t.FLOAT), {"a": 1}) == {"a": 1.0}


def test_what_is_no_number_is_refused() -> None:
    for values in ([1, "2"], [1, 2.5], [1, None]):
        with pytest.raises(TypeError):
            convert_value(t.ListType(t.INT), values)
