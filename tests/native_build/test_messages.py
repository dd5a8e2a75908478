"""The message of an operator that raises is found by asking it, but for a few that have several."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from minits.ir.graph import Graph
from minits.native.dict_operators import DICT_OPERATORS
from minits.native.list_operators import LIST_OPERATORS
from minits.native.scalar_operators import SCALAR_OPERATORS
from minits.native.sites import Site, told_values
from minits.native.text_operators import TEXT_OPERATORS
from minits.native_build.messages import Message, message_at
from minits.ops.registry import schemas_for
from minits.types import types as t
from tests.support.native_libraries import library
from tests.support.needs import need_compiler

need_compiler()

TABLES = SCALAR_OPERATORS | LIST_OPERATORS | TEXT_OPERATORS | DICT_OPERATORS
RAISING = [key for key, row in TABLES.items() if row.raises is not None]
OF_TWO_KINDS = (
    "aten::index.str",
    "aten::rindex",
    "aten::divmod.int_float",
    "aten::divmod.float_int",
)
"""They raise for a start beyond the end, and where nothing is found; for a divisor that is zero,
and for a quotient that no int holds."""


def message_of(key: str) -> Message:
    """Return the message of an operator of lists and dicts of ints, none of which is a constant."""
    name, _, overload = key.partition(".")
    (schema,) = [each for each in schemas_for(name) if each.overload == overload]
    graph = Graph()
    operands = [graph.add_input(f"x{i}", _of_ints(a.type)) for i, a in enumerate(schema.arguments)]
    results = [_of_ints(each.type) for each in schema.returns]
    node = graph.insert(graph.create(name, operands, results))
    told = told_values(node)
    return message_at(Site(node, told, [value.type for value in told]))


def _of_ints(type: t.Type) -> t.Type:
    match type:
        case t.VarType():
            return t.INT
        case t.ListType(element=element):
            return t.ListType(_of_ints(element))
        case t.DictType(key=key):
            return t.DictType(key, t.INT)
    return type


@pytest.mark.one_in(2)
@pytest.mark.parametrize("key", RAISING)
def test_an_operator_has_a_message(key: str) -> None:
    found = message_of(key)
    is_unknown = found.template == f"{key.partition('.')[0]} failed"
    assert is_unknown is (key in OF_TWO_KINDS)


def test_messages_show_operands() -> None:
    assert message_of("aten::__getitem__.Dict_str") == Message("KeyError", "KeyError: \x01s1")
    assert message_of("aten::floor.float").template == "Cannot convert float \x01f0 to integer"
    assert message_of("aten::ord").template == (
        "String for ord() must be 1 character, found \x01l0"
    )
    assert message_of("aten::pop.t") == Message(
        "IndexError", "\x020pop from empty list\x03list index out of range"
    )


def fail(x: Tensor, xs: list[Tensor], n: int) -> int:
    if n < 9 or n == 18:
        xs[n].add_(1)
    if n == 20:
        return len(x[0])
    if n == 21:
        return int(x)
    if n == 22:
        return x.size(n)
    if n == 23:
        return int((x > 0).sub(x > 1).sum())
    if n == 24:
        x.long().add_(0.5)
    if n == 25:
        return int((x.long() ** -1).sum())
    if n == 26:
        return int(x.sum() / 0)
    if n == 19:
        xs[n] = x
    if n == 27:
        raise ValueError("no")
    return int(torch.arange(0, n, -1).sum())


def test_no_message_is_that_of_an_error_before() -> None:
    model, script, x = library(fail), torch.jit.script(fail), torch.ones(2)
    found, expected = [], []
    for n in (0, *range(1, 3), *range(19, 29), *range(28, 18, -1)):
        for texts, function in ((found, model.fail), (expected, script)):
            try:
                texts.append(str(function(x, [torch.ones(1), torch.ones(2).bool()], n)))
            except Exception as error:
                texts.append(str(error).strip().splitlines()[-1].removeprefix("RuntimeError: "))
    assert len({*found}) > 9
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.splitlines()[0].strip() in theirs
