"""Numbers that are read from texts, and lists that are sorted, as torch.jit does."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import pytest
import torch

import minits

TEXTS = [
    "0.5", " \t-.5e3", "+1.", "7 ", "1e", "0x", "0X.8p3", "0x1p-1074", "0x1.8p-1074", "0x1p-1075",
    "0x1p1024", "1e999", "-1e400", "5e-324", "1e-400", "0e-999", "2.2250738585072014e-308",
    "2.2250738585072011e-308", "2.22507385850720125e-308", "2.2250738585072013e-308",
    "1.797693134862315807e308", "1.797693134862315809e308", "inf", "-INFINITY", "infi", "nan",
    "NaN(a_1)", "nan(", "1_0", ".", "--1", "ınf",
]  # fmt: skip


def number(text: str) -> float:
    return float(text)


def outcome(function: Any, text: str) -> str:
    try:
        return str(function(text))
    except RuntimeError as error:
        return str(re.search(r"stod|could not convert.*", str(error)))


def test_numbers_from_texts() -> None:
    ours, theirs = minits.script(number), torch.jit.script(number)
    assert [outcome(ours, text)[-40:] for text in TEXTS] == [
        outcome(theirs, text)[-40:] for text in TEXTS
    ]


def ordered(
    xs: list[float], pairs: list[tuple[float, int]]
) -> tuple[list[float], list[tuple[float, int]], list[tuple[float, int]]]:
    copy = sorted(pairs)
    pairs.sort(reverse=True)
    return sorted(xs), copy, pairs


@pytest.mark.parametrize("numbers", [[math.nan, 1.0, 2.0, 3.0, -4.0], [math.nan], [2.0, 5.0]])
def test_lists_with_nan_are_sorted(numbers: list[float]) -> None:
    ours, theirs, draw = minits.script(ordered), torch.jit.script(ordered), random.Random(7)
    for length in [*range(17)] * 10:
        xs = [draw.choice(numbers) for _ in range(length)]
        pairs = [(draw.choice(numbers), draw.randrange(3)) for _ in range(length)]
        assert repr(ours(xs, [*pairs])) == repr(theirs(xs, [*pairs]))
