"""Operators of tensors that are no plain call of torch's dispatcher, compared with torch's own."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch

import minits
from minits.ir.parser import parse_graph
from minits.native.c_types import NotNative
from minits.native.function import NativeFunction
from minits.native.tensor_operators import SPELLINGS, SUMS
from minits.ops.registry import schemas_for
from minits.ops.schema import Schema
from minits.types import types as t

_DTYPES = (torch.bool, torch.uint8, torch.int32, torch.int64, torch.float32, torch.float64,
           torch.complex64)  # fmt: skip
_NUMBERS = (2, -3, 0.5, float("inf"))
_NAMES = {int: "int", float: "float"}


def _tensor(dtype: torch.dtype, *shape: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(5)
    numbers = torch.randint(0, 7, shape, generator=generator)
    return numbers.to(dtype) if dtype is torch.bool else (numbers - 3).to(dtype)


def _schema(key: str) -> Schema:
    name, _, overload = key.partition(".")
    return next(each for each in schemas_for(name) if each.overload == overload)


def _literal(value: Any) -> str:
    if value is None:
        return "NoneType = prim::Constant()"
    if isinstance(value, str):
        return f'str = prim::Constant[value="{value}"]()'
    return f"{_NAMES[type(value)]} = prim::Constant[value={int(value)}]()"


def _function(schema: Schema, types: list[str], fixed: dict[int, Any]) -> NativeFunction:
    """Return a function of the arguments that are not `fixed`, in their order."""
    places = [index for index in range(len(schema.arguments)) if index not in fixed]
    inputs = ", ".join([f"%a{index} : {type}" for index, type in zip(places, types, strict=True)])
    constants = [f"  %a{index} : {_literal(value)}" for index, value in fixed.items()]
    operands = ", ".join([f"%a{index}" for index in range(len(schema.arguments))])
    text = "\n".join([
        f"graph({inputs}):", *constants, f"  %r : Tensor = {schema.name}({operands})",
        "  return (%r)",
    ])  # fmt: skip
    return NativeFunction(parse_graph(text), "operator")


def _outcome(call: Any, arguments: list[Any]) -> Any:
    given = [each.clone() if isinstance(each, torch.Tensor) else each for each in arguments]
    try:
        return call(*given), given
    except (RuntimeError, IndexError) as error:
        return type(error), None


_POWERS = ("aten::pow.Tensor_Scalar", "aten::pow_.Scalar")
"""Operators whose exponent has to be known if it is a float (`test_decompositions.py`)."""


def _check(key: str, tensors: list[tuple[torch.Tensor, ...]], extra: tuple[Any, ...]) -> int:
    """Compare an overload for all tensors and numbers. Return how many calls were compared."""
    schema, compared = _schema(key), 0
    numbers = [i for i, each in enumerate(schema.arguments) if each.type in _OF_NUMBERS]
    own = [i for i, each in enumerate(schema.arguments) if each.type == t.TENSOR]
    fixed = {}
    rest = [i for i in range(len(schema.arguments)) if i not in numbers and i not in own]
    fixed.update(dict(zip(rest, extra, strict=True)))
    if key in SUMS:
        fixed[numbers.pop()] = 1
    function = getattr(torch.ops.aten, schema.name.removeprefix("aten::"))
    overload = getattr(function, schema.overload or "default")
    names = [each.name for each in schema.arguments]

    known = (int,) if key in _POWERS else (int, float)
    for kinds in product(known, repeat=len(numbers)):
        types = ["Tensor"] * len(own) + [_NAMES[kind] for kind in kinds]
        order = sorted([*own, *numbers])
        by_place = dict(zip([*own, *numbers], types, strict=True))
        native = _function(schema, [by_place[place] for place in order], fixed)
        choices = [[number for number in _NUMBERS if type(number) is kind] for kind in kinds]
        for each, chosen in product(tensors, product(*choices)):
            values = dict(zip([*own, *numbers], [*each[: len(own)], *chosen], strict=True))

            def eager(*arguments: Any) -> Any:
                every = {**fixed, **dict(zip(order, arguments, strict=True))}
                positional = [every[i] for i, a in enumerate(schema.arguments) if not a.kwarg_only]
                named = {names[i]: every[i] for i, a in enumerate(schema.arguments) if a.kwarg_only}
                return overload(*positional, **named)

            arguments = [values[place] for place in order]
            wanted, found = _outcome(eager, arguments), _outcome(native, arguments)
            told = (key, [str(x) for x in arguments], wanted, found)
            if isinstance(wanted[0], torch.Tensor):
                assert isinstance(found[0], torch.Tensor), told
                assert found[0].dtype == wanted[0].dtype, told
                torch.testing.assert_close(
                    found, wanted, equal_nan=True, msg=lambda m: f"{told}{m}"
                )
            else:
                assert not isinstance(found[0], torch.Tensor), told
            compared += 1
    return compared


_OF_NUMBERS = (t.NUMBER, t.OptionalType(t.NUMBER))
_PAIRS = [
    (_tensor(a, *shape), _tensor(b, *other))
    for a, b in product(_DTYPES, repeat=2)
    for shape, other in (((), ()), ((2, 3), (3,)), ((3,), ()))
]
_SINGLES = [(_tensor(dtype, *shape),) for dtype in _DTYPES for shape in ((), (5,), (2, 0))]


@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("key", sorted(SUMS))
def test_a_sum_is_that_of_torch(key: str) -> None:
    tensors = _PAIRS if key.endswith("Tensor") else _SINGLES
    assert _check(key, tensors, ()) > 20


def test_a_space_is_that_of_torch() -> None:
    def spaces(a: float, b: int, n: int) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.linspace(a, b, n), torch.logspace(a, b, n)

    native = NativeFunction(minits.script(spaces).graph, "spaces")
    torch.testing.assert_close(native(-1.5, 3, 7), spaces(-1.5, 3, 7))


@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("key", sorted({*SPELLINGS} - {"aten::linspace", "aten::logspace"}))
def test_an_operator_of_a_number_is_that_of_torch(key: str) -> None:
    schema = _schema(key)
    kinds = [each.type for each in schema.arguments if each.type not in _OF_NUMBERS]
    extra: tuple[Any, ...] = ()
    if t.OptionalType(t.STR) in kinds:
        extra = ("floor",)
    elif t.INT in kinds:
        extra = (0,)
    if key.startswith("aten::where"):
        tensors = [(_tensor(torch.bool, *x.shape), x) for (x,) in _SINGLES]
    elif key.startswith("aten::masked_fill"):
        tensors = [(x, _tensor(torch.bool, *x.shape)) for (x,) in _SINGLES]
    elif key.startswith("aten::index_fill"):
        tensors = [(x, torch.tensor([0])) for (x,) in _SINGLES if x.numel()]
    else:
        tensors = _SINGLES
    assert _check(key, tensors, extra) > 20


def test_a_factor_of_a_sum_has_to_be_known() -> None:
    with pytest.raises(NotNative, match="aten::add"):
        NativeFunction(
            parse_graph(
                "graph(%x : Tensor, %n : int):\n"
                "  %r : Tensor = aten::add(%x, %x, %n)\n"
                "  return (%r)"
            ),
            "operator",
        )


def numbers(x: torch.Tensor) -> tuple[float, int, bool]:
    return float(x), int(x), bool(x)


@pytest.mark.parametrize("value", [1.9, -0.0, 2 + 0j, 0j, True, 7, -3])
def test_numbers_of_a_tensor(value: complex) -> None:
    native = NativeFunction(minits.script(numbers).graph_after(["optimize"]), "numbers")
    assert native(torch.tensor(value)) == torch.jit.script(numbers)(torch.tensor(value))


def test_a_complex_number_with_two_parts_is_true_alone() -> None:
    def truth(x: torch.Tensor) -> bool:
        return bool(x)

    native = NativeFunction(minits.script(numbers).graph_after(["optimize"]), "numbers")
    assert NativeFunction(minits.script(truth).graph, "truth")(torch.tensor(1j)) is True
    with pytest.raises(RuntimeError, match="cannot be converted"):
        native(torch.tensor(2 + 1j))
