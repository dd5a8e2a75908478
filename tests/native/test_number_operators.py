"""Numbers whose type is known when the program runs: operators, and programs that hand them on."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import pytest
import torch

import minits
from minits.ir.graph import Graph
from minits.native.function import NativeFunction
from minits.native.number_operators import NUMBER_OPERATORS
from minits.ops.evaluate import evaluator_for
from minits.types import types as t
from tests.native.test_complex_operators import told
from tests.native.test_native_operators import schema
from tests.support.native_calls import outcome, run_twice
from tests.support.needs import need_compiler
from tests.support.sanitizers import sanitized

need_compiler()

_FLOATS = [0.0, -0.0, 1.0, -2.5, 0.1, 3e9, 2.0**31 - 1, 1e300, math.inf, -math.inf, math.nan]
NUMBERS = [
    *[0, 1, -1, 7, -3, 2**31, -(2**31), 2**53 + 1, -(2**63), 2**63 - 1, True, False],
    *[*_FLOATS, 0j, 1 + 2j, complex(-0.0, 0.0), complex(0.5, -0.0), complex(math.nan, 1.0)],
]


def _graph_of(key: str) -> Graph:
    """Return a graph of one operator of numbers."""
    graph, one = Graph(), schema(key)
    operands = [graph.add_input(f"x{i}", each.type) for i, each in enumerate(one.arguments)]
    node = graph.create(one.name, operands, [each.type for each in one.returns])
    graph.block.add_output(graph.insert(node).output)
    return graph


def _outcome(call: Any, values: tuple[Any, ...]) -> Any:
    try:
        return told(call(*values))
    except Exception as error:
        return type(error).__name__, str(error)


def _ends_torch(key: str, values: tuple[Any, ...]) -> bool:
    """Return whether torch's operator ends the process: its quotient of ints is not defined."""
    if key not in ("aten::floordiv", "aten::remainder"):
        return False
    is_of_ints = all(type(value) is int for value in values)
    return is_of_ints and (values[1] == 0 or values == (-(2**63), -1))


_IN_PYTHON = " of a tensor runs in Python alone"
"""The end of an error: C declares a quotient and a power a float, and compares no bool so."""

_OF_NUMBERS = [
    key
    for key in NUMBER_OPERATORS
    if all(argument.type == t.NUMBER for argument in schema(key).arguments)
]


@pytest.mark.one_in(30)
@pytest.mark.parametrize("key", _OF_NUMBERS)
def test_results(key: str) -> None:
    native, expected = NativeFunction(_graph_of(key), "one"), evaluator_for(schema(key))
    returned = 0
    for values in itertools.product(NUMBERS, repeat=len(schema(key).arguments)):
        if _ends_torch(key, values):
            continue
        found, wanted = _outcome(native, values), _outcome(expected, values)
        if found == ("PythonAlone", f"{schema(key).name} of a complex number{_IN_PYTHON}"):
            assert any(isinstance(value, complex) for value in values), values
            assert key in ("aten::div", "aten::pow.Scalar_Scalar") or bool in map(type, values)
            continue
        if wanted == ("NoneType", None):  # torch has no overload, and leaves nothing behind
            continue
        if wanted[0] == "RuntimeError":
            assert found[0] == "RuntimeError", values
            continue
        assert found == wanted, values
        returned += 1
    assert returned >= len(NUMBERS) // 2


@pytest.mark.one_in(2)
@pytest.mark.parametrize("key", ["aten::item", "aten::ScalarImplicit"])
def test_numbers_of_tensors(key: str) -> None:
    native, expected = NativeFunction(_graph_of(key), "one"), evaluator_for(schema(key))
    dtypes = (
        *[torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64],
        *[torch.uint16, torch.uint32, torch.uint64, torch.float16, torch.bfloat16, torch.float32],
        *[torch.float64, torch.complex64, torch.complex128],
    )
    for dtype, value in itertools.product(dtypes, (0, 1, 3.5, -1, 2**62)):
        tensor = torch.tensor(value, dtype=torch.float64).to(torch.int64).to(dtype)
        if dtype.is_floating_point or dtype.is_complex:
            tensor = torch.tensor(value, dtype=dtype)
        for shaped in (tensor, tensor.reshape(1, 1), torch.stack([tensor, tensor])):
            assert _outcome(native, (shaped,)) == _outcome(expected, (shaped,)), shaped


def quotient(x: torch.Tensor) -> torch.Tensor:
    return torch.ones(1) * (x.item() / 2)


def divided(x: torch.Tensor) -> torch.Tensor:
    return torch.ones(1) * (2 / x.item())


def squared(x: torch.Tensor) -> torch.Tensor:
    return torch.ones(1) * (x.item() ** 2)


def power(x: torch.Tensor) -> torch.Tensor:
    return torch.ones(1) * (2.0 ** x.item())


def halves(x: torch.Tensor) -> list[torch.Tensor]:
    found: list[torch.Tensor] = []
    for n in range(len(x.size()) + 3):
        found.append(torch.ones(1) * (x.item() / (n + 1)))
    return found


def counted(x: torch.Tensor, count: torch.Tensor) -> torch.Tensor:
    count.add_(1)
    return torch.ones(1) * (x.item() / 2)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("mode", ["hot", "now", "whole", "off"])
@pytest.mark.parametrize("program", [quotient, divided, squared, power, halves])
def test_complex_numbers_of_tensors_are_left_to_python(
    program: Any, mode: str, monkeypatch: Any
) -> None:
    monkeypatch.setenv("MINITS_NATIVE", mode)
    script = minits.script(program)
    for value in (1 + 2j, 3, 1.5, 2 - 1j):
        for _ in range(3):
            found, expected = script(torch.tensor(value)), program(torch.tensor(value))
            torch.testing.assert_close(found, expected, check_dtype=False)


@pytest.mark.parametrize("mode", ["now", "whole"])
def test_what_is_seen_happens_once(mode: str, monkeypatch: Any) -> None:
    """A program that writes to its arguments cannot run again, and is no C."""
    monkeypatch.setenv("MINITS_NATIVE", mode)
    script, count = minits.script(counted), torch.zeros(1)
    for _ in range(4):
        torch.testing.assert_close(script(torch.tensor(2j), count), torch.tensor([1j]))
    assert count.item() == 4


def sums(x: torch.Tensor, n: int, f: float) -> tuple[float, bool, str, float]:
    s = x.sum().item()
    total = s + n
    best = max(s, f)
    text = str(s) + " {} {}".format(total, best)  # noqa: UP032
    return float(total * f) + float(s / 4), s < n, text, float(abs(s) - best)


def branches(x: torch.Tensor, n: int) -> tuple[int, torch.Tensor]:
    s = x.item()
    for i in range(n):
        s = s + i if i % 2 == 0 else s * 2
    if isinstance(s, int):
        return s + 1, x * s
    if isinstance(s, float):
        return -1, x / s + s
    return int(s), torch.full_like(x, s)


def given_to_operators(x: torch.Tensor, y: torch.Tensor) -> list[torch.Tensor]:
    s = y.item()
    return [
        x * s, x + s, x - s, x / s, x.eq(s), torch.full_like(x, s), x.new_full([2], s),
        x.masked_fill(x == 0, s), torch.remainder(s, x), x.clone().fill_(s), torch.rsub(x, s),
    ]  # fmt: skip


def complex_operands(x: torch.Tensor, z: complex) -> list[torch.Tensor]:
    return [x * z, x + z, x - z, x / z, x.eq(z), z - x, torch.rsub(x, z)]


def complex_error(x: torch.Tensor, z: complex) -> torch.Tensor:
    return x.lt(z)


_ITEMS = (
    torch.tensor(3), torch.tensor(2.5), torch.tensor(-0.5, dtype=torch.float64), torch.tensor(True),
    torch.tensor(1.5 - 2j), torch.tensor([7], dtype=torch.uint8), torch.tensor(math.nan),
    torch.tensor(2**40),
)  # fmt: skip
_TENSORS = (
    torch.tensor([1, 0, -3]), torch.tensor([0.5, 0.0, -2.0]), torch.tensor([True, False]),
    torch.tensor([1j, 2 - 1j]), torch.tensor(4, dtype=torch.int32), torch.tensor(0.1).half(),
)  # fmt: skip


@pytest.mark.one_in(4, over="program values")
@pytest.mark.parametrize("x", _ITEMS, ids=str)
@pytest.mark.parametrize(("program", "values"), [(sums, (3, 0.5)), (branches, (3,))])
def test_programs(program: Any, values: tuple[Any, ...], x: torch.Tensor, monkeypatch: Any) -> None:
    _check_as_torch(program, (x, *values), monkeypatch)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("item", _ITEMS, ids=str)
@pytest.mark.parametrize("x", _TENSORS, ids=lambda x: str(x.dtype))
def test_operators_of_tensors(x: torch.Tensor, item: torch.Tensor, monkeypatch: Any) -> None:
    _check_as_torch(given_to_operators, (x, item), monkeypatch)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("z", [1j, 0j, 2 - 0.5j, complex(-0.0, 3.0)])
@pytest.mark.parametrize("x", _TENSORS, ids=lambda x: str(x.dtype))
@pytest.mark.parametrize("program", [complex_operands, complex_error])
def test_complex_operands(program: Any, x: torch.Tensor, z: complex, monkeypatch: Any) -> None:
    _check_as_torch(program, (x, z), monkeypatch)


def _check_as_torch(program: Any, values: tuple[Any, ...], monkeypatch: Any) -> None:
    """Check that a program runs as C, with the outcome of generated Python, and torch's results."""
    script, found = run_twice(program, values, "whole", monkeypatch)
    assert "runs as C" in script.plan_report()
    _, expected = run_twice(program, values, "off", monkeypatch)
    assert found == expected
    theirs = outcome(program, torch.jit.script(program), values)
    assert isinstance(theirs, tuple) == isinstance(found, tuple)
    assert isinstance(theirs, tuple) or theirs == found


Number = int | float | complex


def carried(n: int, s: Number) -> int:
    numbers: list[Number] = [1, s]
    last: Number | None = None
    pair = (s, 1)
    count = 0
    for i in range(n):
        numbers.append(i if i % 2 == 0 else numbers[-1])
        if len(numbers) > 5:
            numbers = numbers[2:]
        pair = (numbers[0], i)
        last = pair[0] if i % 3 == 0 else None
        if last is not None and isinstance(numbers[1], int):
            count += 1
    return count


def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    words = "".join([f"{{.i = {ord(kind)}}}, {{.i = {n}}}, {{.i = 0}}, "
                     for kind, n in zip("nnnle", (ord("i"), 7, 0, 3, 0), strict=True)])  # fmt: skip
    rows = sanitized(carried, tmp_path, f"(mts_value[]){{{words}}}, ")
    assert [result for _, result in rows] == [carried(n, 7) for n in range(60)]
    held = [lists for lists, _ in rows[20:]]
    assert max(held) - min(held) <= 8, "each round of the loop leaves numbers behind"


def given_back(
    s: Number, numbers: list[Number], other: Number | None
) -> tuple[Number, list[Number], Number, Number | None]:
    first = numbers[0]
    numbers.append(s)
    return s, numbers, first, other


@pytest.mark.one_in(10)
@pytest.mark.parametrize("value", NUMBERS[::3])
def test_arguments_and_results(value: Any, monkeypatch: Any) -> None:
    _check_as_torch(given_back, (value, [value, 1, 2.5], None), monkeypatch)
    _check_as_torch(given_back, (0.5, [1j, 1], value), monkeypatch)
