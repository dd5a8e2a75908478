"""Schemas of torch, of which a part is read when they are asked for."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

import minits
from minits.ops.registry import RegisteredSchema, schema_of_torch
from tests.support.schemas import find_schema

FIELDS = (
    "name", "overload", "arguments", "returns", "is_vararg", "is_varret", "has_alias_annotations",
    "is_mutable", "first_name", "first_type",
)  # fmt: skip


@pytest.mark.slow
def test_each_is_what_reading_all_of_it_gives() -> None:
    for registered in torch._C._jit_get_all_schemas():
        for field in FIELDS:  # each of a schema that nothing else was asked of
            late, whole = RegisteredSchema(registered), schema_of_torch(registered)
            assert getattr(late, field) == getattr(whole, field), (registered, field)
        assert str(RegisteredSchema(registered)) == str(schema_of_torch(registered))


def test_what_tells_overloads_apart_is_read_at_once() -> None:
    schema = RegisteredSchema(torch._C._jit_get_schemas_for_operator("aten::add")[0])
    assert (schema.first_name, schema.is_mutable) == ("self", False)
    with pytest.raises(AttributeError):
        object.__getattribute__(schema, "arguments")
    assert [argument.name for argument in schema.arguments] == ["self", "other", "alpha"]
    with pytest.raises(AttributeError, match="no_such_field"):
        _ = schema.no_such_field


def test_equal_ones_are_equal() -> None:
    again = RegisteredSchema(torch._C._jit_get_schemas_for_operator("aten::relu")[0])
    assert again == find_schema("aten::relu")
    assert hash(again) == hash(find_schema("aten::relu"))


INFINITY = float("inf")


def with_floats(
    a: float = INFINITY, b: float = -INFINITY, c: float = INFINITY - INFINITY, d: float = -0.0,
    e: float = 1234567.0, f: float = 9999999999.0, g: float = 1e10, h: float = 1e300,
    i: float = 5e-324, j: float = 0.1, k: float = -3.0,
) -> float:  # fmt: skip
    return a + b + c + d + e + f + g + h + i + j + k


def test_floats_are_written_as_by_torch() -> None:
    ours, torchs = minits.script(with_floats).schema, torch.jit.script(with_floats).schema
    assert str(ours) == str(torchs)


def symbolic(x: Tensor):
    return x.sym_is_contiguous(), [x.sym_is_contiguous(), True]


def as_a_test(x: Tensor) -> int:
    if x.sym_is_contiguous():
        return 1
    return 2


def as_a_result(x: Tensor) -> bool:
    return x.sym_is_contiguous()


def is_it_a_bool(x: Tensor) -> bool:
    return isinstance(x.sym_is_contiguous(), bool)


@pytest.mark.skipif(not hasattr(torch.ops.aten, "sym_is_contiguous"), reason="torch has none")
def test_a_symbolic_bool_is_no_bool() -> None:
    """It is written as one in code, but is neither a condition nor an int of 0 or 1."""
    for program in (symbolic, is_it_a_bool):
        ours, torchs = minits.script(program), torch.jit.script(program)
        assert str(ours.graph) == str(torchs.graph)
        assert ours.code == torchs.code
        for x in (torch.ones(2, 3), torch.ones(2, 3).t()):
            assert ours(x) == ours(x) == torchs(x)
    for program in (as_a_test, as_a_result):
        for script in (minits.script, torch.jit.script):
            with pytest.raises(RuntimeError, match="type bool"):
                script(program)
