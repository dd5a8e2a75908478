"""Every native operator of complex numbers gives what the operator table does, at all edges."""

from __future__ import annotations

import cmath
import itertools
import math
from pathlib import Path
from typing import Any

import pytest

from minits.native.complex_operators import COMPLEX_OPERATORS
from minits.native.function import NativeFunction
from minits.ops.evaluate import evaluator_for
from minits.types import types as t
from tests.native.test_native_operators import as_told, graph_of, operand_types, schema
from tests.support.native_calls import check_agreement
from tests.support.needs import need_compiler
from tests.support.sanitizers import sanitized

need_compiler()

PARTS = [0.0, -0.0, 1.0, -1.5, 0.1, 3.0, -710.0, 1e300, 5e-324, math.inf, -math.inf, math.nan]
NUMBERS = [complex(a, b) for a in PARTS for b in PARTS]
FEW = [complex(a, b) for a in PARTS[::2] for b in PARTS[1::2]] + NUMBERS[::9]


def roots(n: int, start: complex, zs: list[complex]) -> tuple[int, complex, list[complex], float]:
    z, rounds = start, 0
    table = {"a": z}
    last: complex | None = None
    for i in range(n):
        z = z - (z * z * z - 1.0) / (3.0 * z * z)
        table["b" if i % 2 == 0 else "a"] = z * 1j
        last = z
        if abs(z - 1.0) < 1e-9:
            break
        rounds += 1
        zs.append(cmath.sqrt(z) + table["a"])
    if last is None:
        return -1, start, zs, cmath.phase(start)
    return rounds, last, zs, cmath.phase(zs[-1])


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "values",
    [(0, 1j, []), (40, 1 + 1j, []), (40, 0j, [complex(-0.0, math.inf)]), (5, 2 + 0j, [1j] * 9)],
)
def test_programs_agree(values: tuple[Any, ...], monkeypatch: Any) -> None:
    check_agreement(roots, values, monkeypatch)


def squares_dropped(n: int) -> int:
    zs = [1j]
    pairs = {"a": (1j, 2)}
    fixed: list[complex | None] = [None, 2j, 1 + 1j]
    numbers: list[int | None] = [None, 7]
    total = 0.0
    for i in range(n):
        zs.append(zs[-1] * complex(0, 1))
        if len(zs) > 5:
            zs = zs[2:]
        pairs["a" if i % 2 == 0 else "b"] = (zs[0] + 1, i)
        z, k = pairs["a"]
        other, number = fixed[i % 3], numbers[i % 2]
        total += (0.0 if other is None else abs(other)) + (0 if number is None else number)
        maybe = z if i % 3 == 0 else None
        total += abs(z) + (0.0 if maybe is None else abs(maybe)) + k
    return int(total)


def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    rows = sanitized(squares_dropped, tmp_path)
    assert [result for _, result in rows] == [squares_dropped(n) for n in range(60)]
    held = [lists for lists, _ in rows[20:]]
    assert max(held) - min(held) <= 8, "each round of the loop leaves boxes behind"


EDGES: dict[t.Type, list[Any]] = {
    t.COMPLEX: NUMBERS,
    t.FLOAT: PARTS,
    t.INT: [0, 1, -1, 3, -7, 2**31, -(2**31) - 1, 2**32 + 1, 2**53 + 1, 2**63 - 1],
    t.BOOL: [False, True],
}


def told(value: Any) -> Any:
    """Return a value as told; a part that is NaN has no sign: both operands meet in it."""
    if isinstance(value, complex):
        return "complex", *map(told, (value.real, value.imag))
    return as_told(abs(value) if isinstance(value, float) and math.isnan(value) else value)


@pytest.mark.one_in(30)
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("key", COMPLEX_OPERATORS)
def test_results(key: str) -> None:
    raises = COMPLEX_OPERATORS[key].raises is not None
    types = (t.COMPLEX, t.COMPLEX) if raises else operand_types(key)
    native, expected = NativeFunction(graph_of([key], types), "one"), evaluator_for(schema(key))
    both = types.count(t.COMPLEX) == 2
    for values in itertools.product(*(FEW if both else EDGES[type] for type in types)):
        if raises:
            with pytest.raises(RuntimeError) as wanted:
                expected(*values)
            with pytest.raises(RuntimeError) as caught:
                native(*values)
            assert str(caught.value) == str(wanted.value)
            continue
        assert told(native(*values)[0]) == told(expected(*values)), values
