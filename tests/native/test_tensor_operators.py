"""Operators of tensors that are no plain call of torch's dispatcher, compared with torch's own."""

from __future__ import annotations

from copy import deepcopy
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
from minits.runtime.interpreter import run
from minits.types import types as t
from tests.support.strides import in_orders

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
    return f"{_NAMES[type(value)]} = prim::Constant[value={value!r}]()"


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


def _check(
    key: str, tensors: list[tuple[torch.Tensor, ...]], extra: tuple[Any, ...], alpha: float = 1
) -> int:
    """Compare an overload for all tensors and numbers. Return how many calls were compared."""
    schema, compared = _schema(key), 0
    numbers = [i for i, each in enumerate(schema.arguments) if each.type in _OF_NUMBERS]
    own = [i for i, each in enumerate(schema.arguments) if each.type == t.TENSOR]
    fixed = {}
    rest = [i for i in range(len(schema.arguments)) if i not in numbers and i not in own]
    fixed.update(dict(zip(rest, extra, strict=True)))
    if key in SUMS:
        fixed[numbers.pop()] = alpha
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
        for each, chosen in product(in_orders(tensors), product(*choices)):
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
                assert found[0].stride() == wanted[0].stride(), told
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
    for shape, other in (((), ()), ((2, 3), (3,)), ((3,), ()), ((2, 3), (2, 3)))
]
_SINGLES = [(_tensor(dtype, *shape),) for dtype in _DTYPES for shape in ((), (5,), (2, 0), (2, 3))]


@pytest.mark.one_in(10)
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("key", sorted(SUMS))
def test_a_sum_is_that_of_torch(key: str) -> None:
    tensors = _PAIRS if key.endswith("Tensor") else _SINGLES
    assert _check(key, tensors, ()) > 20


@pytest.mark.one_in(30, over="")
@pytest.mark.parametrize("alpha", [2, -1, 0, 2.0, 0.5, 1.0])
@pytest.mark.parametrize("key", sorted(key for key in SUMS if key.endswith("Tensor")))
def test_a_factor_of_a_sum(key: str, alpha: float) -> None:
    assert _check(key, _PAIRS, (), alpha) > 20


def test_a_space_is_that_of_torch() -> None:
    def spaces(a: float, b: int, n: int) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.linspace(a, b, n), torch.logspace(a, b, n)

    native = NativeFunction(minits.script(spaces).graph, "spaces")
    torch.testing.assert_close(native(-1.5, 3, 7), spaces(-1.5, 3, 7))


@pytest.mark.one_in(60)
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
    if key.endswith("Scalar_out"):
        outs = [torch.empty(0, dtype=dtype) for dtype in _DTYPES[::2]]
        tensors = [(x, out) for (x,) in _SINGLES for out in outs]
    elif key.startswith("aten::where"):
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


@pytest.mark.parametrize("dtype", [*_DTYPES, torch.float16, torch.bfloat16, torch.complex128])
def test_a_root_as_a_power(dtype: torch.dtype) -> None:
    native = _function(_schema("aten::pow.Tensor_Scalar"), ["Tensor"], {1: 0.5})
    values = [0.0, -0.0, 2.0, -3.0, 5e-39, 1e300, float("inf"), -float("inf"), float("nan")]
    for x in (torch.tensor(values).to(dtype), torch.tensor(2.0).to(dtype)):
        found, wanted = native(x), x**0.5
        assert found.dtype == wanted.dtype
        torch.testing.assert_close(found, wanted, rtol=0, atol=0, equal_nan=True)


def made_of_numbers(n: int, x: float, b: bool, z: complex) -> list[torch.Tensor]:
    return [
        torch.tensor(n), torch.tensor(x), torch.tensor(b), torch.tensor(z),
        torch.tensor(n, dtype=torch.uint8), torch.tensor(x, dtype=torch.float64),
        torch.tensor(z, dtype=torch.complex128), torch.as_tensor(x, dtype=torch.float64),
        torch.tensor(b, dtype=torch.float16), torch.as_tensor(n, dtype=torch.int8),
        torch.tensor([x, 1.0], dtype=torch.float64), torch.as_tensor([n], dtype=torch.uint8),
        torch.tensor(x, requires_grad=True), torch.tensor([[x], [2.0]], requires_grad=True),
    ]  # fmt: skip


def gradient_of_ints(n: int) -> torch.Tensor:
    return torch.tensor(n, requires_grad=True)


def of_tensors(xs: list[torch.Tensor]) -> torch.Tensor:
    return torch.tensor(xs)


def of_strs(texts: list[list[str]]) -> torch.Tensor:
    return torch.as_tensor(texts)


def of_complex_numbers(zs: list[complex]) -> torch.Tensor:
    return torch.tensor(zs)


def ranges_of_items(x: torch.Tensor, y: torch.Tensor) -> list[torch.Tensor]:
    a, b = x.item(), y.item()
    return [torch.arange(b), torch.arange(a, b), torch.arange(a, b, 2, dtype=torch.float64)]


def lists_of_tensors(
    x: torch.Tensor, y: torch.Tensor, z: torch.Tensor
) -> tuple[list[int], list[list[float]], list[list[list[bool]]], float]:
    flat: list[int] = x.tolist()
    rows: list[list[float]] = y.tolist()
    deep: list[list[list[bool]]] = z.tolist()
    one: float = y.sum().tolist()
    flat.append(len(rows))
    return flat, rows, deep, one


def of_dtypes(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.dtype, bool]:
    return torch.promote_types(x.dtype, y.dtype), torch.can_cast(x.dtype, y.dtype)


def of_another_library(n: int) -> tuple[int, bool]:
    return n, torch.ops.mkldnn._is_mkldnn_acl_supported()


def device_of_parts(name: str, index: int) -> torch.device:
    return torch.device(name, index)


def by_indices(x: torch.Tensor, y: torch.Tensor) -> list[torch.Tensor]:
    return [torch.einsum(x, [0, 30], y, [30, 2], [2, 0]), torch.einsum(x, [4, 1], y, [1, 2])]


_ONE = torch.ones(2, 2)
_INTS, _FLAGS = torch.tensor([3, 4]), torch.tensor([[[True], [False]]])
_OF_MAKERS = [
    *[(made_of_numbers, (300, 0.1, True, 1 + 2j)), (made_of_numbers, (-1, 1e39, False, 0j))],
    *[(made_of_numbers, (2, float("inf"), False, complex(1e300, 0)))],
    *[(gradient_of_ints, (3,)), (of_tensors, ([],)), (of_tensors, ([_ONE, _ONE],))],
    *[(of_strs, ([],)), (of_strs, ([["a"]],))],
    (by_indices, (_ONE, torch.ones(2, 3))),
    *[(by_indices, (_ONE, torch.ones(3, 2)))],
    *[
        (ranges_of_items, (torch.tensor(a), torch.tensor(b)))
        for a, b in product((1, 0.5, -3, True), (5, 5.5, -4, float("nan"), 1j))
    ],
    (of_another_library, (3,)),
    (lists_of_tensors, (_INTS, torch.ones(3, 2).half().t(), _FLAGS)),
    (lists_of_tensors, (_INTS[:0], torch.ones(0, 2), torch.ones(2, 0, 3, dtype=torch.bool))),
    (lists_of_tensors, (_INTS.int(), _ONE, _FLAGS)),
    (lists_of_tensors, (_INTS, _ONE[0], _FLAGS)),
    *[(of_dtypes, (_tensor(a), _tensor(b))) for a, b in product(_DTYPES, repeat=2)],
    *[(device_of_parts, x) for x in product(("cpu", "cuda", "cpu:0", "x"), (0, 1, 127, 256, -1))],
]


@pytest.mark.one_in(6, over="")
@pytest.mark.filterwarnings("ignore:")
@pytest.mark.parametrize(("program", "values"), _OF_MAKERS)
def test_what_is_made_of_numbers(program: Any, values: tuple[Any, ...]) -> None:
    """Tensors, dtypes and devices of numbers, and numbers of tensors: as interpreted."""
    graph = minits.script(program).graph_after(["optimize"])
    found = _told(NativeFunction(graph, program.__name__), values)
    assert found == _told(lambda *given: run(graph, *given), values)


def test_a_tensor_of_a_list_of_complex_numbers_is_left_to_python() -> None:
    graph = minits.script(of_complex_numbers).graph_after(["optimize"])
    with pytest.raises(NotNative, match="tensor"):
        NativeFunction(graph, "of_complex_numbers")


def _told(call: Any, values: tuple[Any, ...]) -> Any:
    try:
        result = call(*deepcopy(values))
    except Exception as error:
        return type(error).__name__, str(error)
    tensors = result if isinstance(result, list) else []
    return repr(result), [(x.dtype, x.requires_grad, str(x.double())) for x in tensors
                          if not x.is_complex()]  # fmt: skip
