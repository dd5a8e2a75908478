"""A cause is told once, in the words of the program, and not again for what follows from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import minits
from minits.ir.in_words import in_words
from minits.passes.remarks import Remark, told_once

X = torch.rand(4, 4)
NUMBERED = re.compile(r"%[\w.]+")


def chain(x: Tensor, dtype: int):
    y = x.to(dtype)
    z = (y * 2 + 1).relu()
    w = z.sigmoid() - z
    return w * w + torch.exp(w)


def two_chains(x: Tensor, dtype: int):
    y = x.to(dtype) * 2
    z = (x * 2).to(dtype) + 1
    return y + 1, z * 2


def unnamed(x: Tensor, dtype: int):
    return (x.to(dtype) * 2 + 1).sigmoid()


def through_a_loop(x: Tensor, n: int):
    y = x
    for _ in range(n):
        y = (y.unsqueeze(0) * 2 + 1).relu()
    return y * 2 + 1


def through_branches(x: Tensor, n: int):
    y = x.double() if n > 2 else x
    return (y * 2 + 1).relu().sigmoid()


def of_complex(x: Tensor):
    y = x * 2
    z = y + 1
    return z * z - y


def one_line(x: Tensor, y: Tensor):
    return torch.mm(x * 2, y) * 3 + torch.mm(y * 2, x) * 3


def of_torch(x: Tensor):
    y = F.multi_head_attention_forward(
        x[None], x[None], x[None], 4, 2, torch.ones(12, 4), None, None, None, False, 0.0,
        torch.ones(4, 4), None,
    )[0]  # fmt: skip
    return F.normalize(y) * 2


PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (chain, (X, 6)),
    (two_chains, (X, 6)),
    (unnamed, (X, 6)),
    (through_a_loop, (X, 3)),
    (through_branches, (X, 3)),
    (of_complex, (X.to(torch.complex64),)),
    (one_line, (X, X)),
    (of_torch, (X,)),
    (nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2), nn.Sigmoid()), (X,)),
    (nn.TransformerEncoderLayer(4, 2, 8).eval(), (X[None],)),
    (nn.GRUCell(4, 4), (X, X)),
    (nn.BatchNorm1d(4), (X,)),
    (nn.MultiheadAttention(4, 2), (X, X, X)),
    (nn.CrossEntropyLoss(), (X, X.argmax(1))),
    (nn.Dropout(0.5), (X,)),
]


def remarks_of(program: Any, arguments: tuple[Any, ...]) -> list[Remark]:
    return minits.script(program).remarks(*arguments)


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS)
def test_remarks_name_no_values_of_the_graph(program: Any, arguments: Any) -> None:
    for remark in remarks_of(program, arguments):
        assert not NUMBERED.search(f"{remark} {remark.fix}"), remark.message


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS)
def test_a_cause_has_one_remark_on_a_line(program: Any, arguments: Any) -> None:
    missed = [each for each in remarks_of(program, arguments) if each.kind == "missed"]
    told = Counter(
        (each.code, each.cause or each.blocked_by or each.operator, each.place) for each in missed
    )
    assert all(count == 1 for count in told.values()), told


COUNTS: list[tuple[Callable[..., Any], tuple[Any, ...], str, list[int]]] = [
    (chain, (X, 6), "unknown-type", [7]),
    (two_chains, (X, 6), "unknown-type", [1, 1]),
    (unnamed, (X, 6), "unknown-type", [2]),
    (through_a_loop, (X, 3), "unknown-type", [2, 1]),
    (through_branches, (X, 3), "unknown-type", [3]),
    (of_complex, (X.to(torch.complex64),), "dtype", [3]),
    (one_line, (X, X), "not-elementwise", [1]),
    (one_line, (X, X), "cut-off-by(aten::mm)", [1]),
]


@pytest.mark.parametrize(("program", "arguments", "code", "more"), COUNTS)
def test_what_follows_is_counted(program: Any, arguments: Any, code: str, more: list[int]) -> None:
    found = [each for each in remarks_of(program, arguments) if each.code == code]
    assert [each.more for each in found] == more
    for remark, count in zip(found, more, strict=True):
        assert f"; {count} more operator" in remark.message
    plan = minits.script(program).plan_for(*arguments)
    operators = [each for each in plan.remarks_on_operators if each.code == code]
    assert len(operators) == len(found) + sum(more)
    assert told_once(operators) == found


def test_the_cause_is_named_as_in_the_program() -> None:
    (remark,) = [each for each in remarks_of(chain, (X, 6)) if each.code == "unknown-type"]
    assert remark.message.startswith("nothing is known of `y`, neither its dtype nor")
    assert remark.blocked_by == "aten::to"
    (remark,) = [each for each in remarks_of(unnamed, (X, 6)) if each.code == "unknown-type"]
    assert remark.message.startswith("nothing is known of `x.to(...)`, neither")


def test_values_in_words() -> None:
    graph = minits.script(chain).graph
    words = [in_words(value) for node in graph.nodes for value in node.outputs]
    assert "`z`" in words
    assert not [each for each in words if "%" in each]
    assert in_words(graph.inputs[0]) == "`x`"
