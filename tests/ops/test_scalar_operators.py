"""Every scalar operator that is implemented in Python, against torch's own on hard operands."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
import torch

from minits.ops.evaluate import evaluator_for, is_python
from minits.ops.properties import key_of
from minits.ops.registry import schemas_for
from minits.ops.schema import Schema
from minits.types import types as t
from tests.support.agreement import has_both_nan

INTS = [0, 1, -1, 2, 3, -3, 7, 63, 64, 70, -70, 2**31, 2**53 + 1, 2**63 - 1, -(2**63)]
FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -7.25, 1e-320, 1e10, 1e19, -1e19, 1e300,
    math.inf, -math.inf, math.nan, -math.nan,
]  # fmt: skip
STRINGS = [
    "", "a", "abc", "aXbXc", "  a  b ", "Hello World", "HELLO", "hello1", "x\ty", "l1\nl2\r\nl3",
    "12", " 12", "12 ", "-1.5e3", "é", "añb", "nan", "0x1F", "1_000", "a b\fc",
]  # fmt: skip
VALUES: dict[t.Type, list[Any]] = {
    t.INT: INTS,
    t.FLOAT: FLOATS,
    t.BOOL: [False, True],
    t.STR: STRINGS,
    t.ListType(t.INT): [[], [3, 1, 2], [1, 2], [2**62, 2**62], [0, 0]],
    t.ListType(t.FLOAT): [[], [3.0, 1.0, -0.0], [1.0, math.nan], [0.1] * 10],
    t.ListType(t.BOOL): [[], [True, False], [True, True]],
    t.ListType(t.STR): [[], ["b", "a"], ["", "x"]],
    t.OptionalType(t.STR): [None, "a", ",", "X"],
    t.OptionalType(t.INT): [None, 0, 1, -2, 5],
}
NAMESPACES = ("aten::", "prim::")
CRASHES = {
    "aten::remainder.int", "aten::__round_to_zero_floordiv.int", "aten::gcd.int",
    "aten::floordiv.int", "aten::divmod.int",
}  # fmt: skip
"""torch divides by 0, or the least integer by -1, without a test: the process ends."""

UNENDING = {"aten::count", "aten::replace", "aten::rsplit", "aten::rpartition"}
"""torch never returns for an empty part."""

LIBRARY = {
    "aten::factorial.int", "aten::hash.generic", "prim::id", "aten::warn", "aten::save",
    "prim::RaiseException", "aten::manual_seed", "aten::set_grad_enabled",
    "prim::ReductionSizes", "aten::format", "aten::percentFormat",
}  # fmt: skip
"""A factorial of 2**31 takes for ever; the others have no value that could be the same."""


def _is_scalar(schema: Schema) -> bool:
    return all(argument.type in VALUES for argument in schema.arguments)


def _is_plain(schema: Schema) -> bool:
    """Whether the operator is called with values, and writes to none of them."""
    return not any(argument.alias and argument.alias.is_write for argument in schema.arguments)


def _schemas() -> list[Schema]:
    names = dict.fromkeys(schema.name for schema in torch._C._jit_get_all_schemas())
    return [
        schema
        for name in names
        if name.startswith(NAMESPACES)
        for schema in schemas_for(name)
        if is_python(schema)
        and schema.arguments
        and _is_scalar(schema)
        and _is_plain(schema)
        and key_of(schema) not in LIBRARY
    ]


def _outcome(function: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return _comparable(function(*arguments))
    except UnicodeDecodeError:
        return "no text"
    except (RuntimeError, IndexError, ValueError):
        return "raises"


def _comparable(value: Any) -> Any:
    """NaN equal to NaN of its sign, which texts show, 0.0 not to -0.0, and 1 not to True or 1.0."""
    if isinstance(value, complex):
        return (_comparable(value.real), _comparable(value.imag))
    if isinstance(value, (list, tuple)):
        texts = [_comparable(item) for item in value]
        return "no text" if "no text" in texts else (type(value).__name__, *texts)
    if isinstance(value, float) and math.isnan(value):
        return "-nan" if math.copysign(1.0, value) < 0 else "nan"
    if isinstance(value, float):
        return f"{value!r} within {_rounded(value)}"
    if isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value):
        return "no text"
    return (type(value).__name__, value)


def _rounded(value: float) -> str:
    return f"{value:.12g}"


def _same(mine: Any, theirs: Any) -> bool:
    if mine == theirs:
        return True
    if isinstance(mine, str) and isinstance(theirs, str) and "within" in mine + theirs:
        return mine.partition("within")[2] == theirs.partition("within")[2]
    return False


def _arguments(schema: Schema) -> list[tuple[Any, ...]]:
    lists = [VALUES[argument.type] for argument in schema.arguments]
    if len(lists) > 2:
        lists = [values if values is INTS else values[:8] for values in lists]
    combinations = list(itertools.product(*lists))
    combinations = [c for c in combinations if not has_both_nan(c)]
    key = key_of(schema)
    if key in CRASHES:
        combinations = [c for c in combinations if c[1] not in (0, -1) and -(2**63) not in c]
    if key in ("aten::ceil.int", "aten::floor.int"):
        combinations = [c for c in combinations if float(c[0]) == c[0] and abs(c[0]) < 2**63]
    if schema.name in UNENDING:
        combinations = [c for c in combinations if c[1] != ""]
    if key in ("aten::center", "aten::ljust", "aten::rjust", "aten::zfill"):
        combinations = [c for c in combinations if 0 <= c[1] < 100]
    if key in ("aten::expandtabs", "prim::rangelist"):
        combinations = [c for c in combinations if abs(c[-1]) < 100]
    return combinations


@pytest.mark.one_in(4)
@pytest.mark.parametrize("schema", _schemas(), ids=key_of)
def test_agrees_with_torch(schema: Schema) -> None:
    theirs = torch._C._get_operation_overload(schema.name, schema.overload)[0]
    mine = evaluator_for(schema)
    wrong = []
    for arguments in _arguments(schema):
        expected = _outcome(theirs, arguments)
        found = _outcome(mine, arguments)
        if not _same(found, expected):
            wrong.append((arguments, found, expected))
    assert not wrong[:8]


@pytest.mark.parametrize("key", sorted(CRASHES))
def test_operands_that_end_the_process_of_torch_give_an_integer_or_an_error(key: str) -> None:
    name, _, overload = key.partition(".")
    schema = next(each for each in schemas_for(name) if each.overload == overload)
    operation = evaluator_for(schema)
    for arguments in itertools.product(INTS, INTS):
        found = _outcome(operation, arguments)
        results = found[1:] if found[0] == "tuple" else (found,)
        assert found == "raises" or all(-(2**63) <= result[1] < 2**63 for result in results)
