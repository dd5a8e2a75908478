"""Tensors as texts in C, as the operator table shows them and torch.jit does."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
import torch

import minits
from minits.native.hot import NativeRun
from minits.ops.implementations.text import format_value
from tests.ops.test_text import TENSORS
from tests.support.native_loops import compiled
from tests.support.needs import need_compiler

need_compiler()


def texts_of(x: torch.Tensor, n: int) -> tuple[str, str, str]:
    return str(x), f"{x}|{(x, n)}", "%s" % [x]


def expected(x: torch.Tensor) -> tuple[str, str, str]:
    text = format_value(x)
    return text, f"{text}|({text}, 3)", f"[{text}]"


@pytest.fixture
def shown(monkeypatch: Any) -> Any:
    function = compiled(texts_of, "whole", monkeypatch)
    for _ in range(2):
        function(torch.ones(2), 3)
    assert isinstance(function.plan_for(torch.ones(2), 3).native, NativeRun)
    return function


def drawn(draw: random.Random) -> torch.Tensor:
    """Return a tensor of any shape, whose numbers are of some magnitudes, in any order."""
    sizes = [draw.choice([1, 1, 2, 3, 30]) for _ in range(draw.randrange(4))]
    numbers = torch.tensor(
        [
            draw.choice([0.0, 1.0, math.nan, -math.inf, draw.gauss(0, 1)])
            * 10.0 ** draw.choice([0, 0, 1, draw.randrange(-12, 12)])
            for _ in range(math.prod(sizes))
        ],
        dtype=draw.choice([torch.float32, torch.float64, torch.bfloat16]),
    )
    if draw.randrange(3) == 0:
        numbers = numbers.nan_to_num(0, 1, -1).round().clamp(-1000, 1000).to(torch.int16)
    tensor = numbers.reshape(sizes)
    return tensor.transpose(0, -1) if sizes and draw.randrange(2) else tensor


def test_texts(shown: Any) -> None:
    draw = random.Random(11)
    others = [torch.ones(2, 0, 3), torch.ones(2).to(torch.uint16), -torch.tensor([math.nan, 0.5])]
    for x in [*TENSORS, *others, *[drawn(draw) for _ in range(150)]]:
        assert shown(x, 3) == expected(x)
        assert isinstance(shown.plan_for(x, 3).native, NativeRun)


def test_texts_that_python_writes(shown: Any) -> None:
    for x in (
        torch.ones(2, 2).to_sparse(),
        torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8),
    ):
        assert shown(x, 3) == torch.jit.script(texts_of)(x, 3)


def of_a_sparse_one(x: torch.Tensor) -> str:
    return str(x.to_sparse())


def test_a_program_that_makes_a_sparse_tensor(monkeypatch: Any) -> None:
    program = compiled(of_a_sparse_one, "whole", monkeypatch)
    wanted = torch.jit.script(of_a_sparse_one)(torch.eye(2))
    assert [program(torch.eye(2)) for _ in range(3)] == [wanted] * 3


def test_what_has_no_text(shown: Any) -> None:
    x = torch.ones(2, device="meta")
    with pytest.raises(RuntimeError) as wanted:
        minits.script(texts_of)(x, 3)
    with pytest.raises(type(wanted.value)) as caught:
        shown(x, 3)
    assert str(caught.value) == str(wanted.value)
