"""Texts, hashes and orders of values of any type in C are those of the operator table."""

import itertools
import math
import random
from copy import deepcopy
from enum import Enum
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple  # noqa: UP035

import pytest
import torch

import minits
from minits.ir.constants import insert_constant
from minits.ir.graph import Graph
from minits.native.function import NativeFunction
from minits.ops.evaluate import evaluator_for
from minits.types import types as t
from tests.native.test_native_lists import told
from tests.native.test_native_operators import schema
from tests.support.native_calls import check_agreement
from tests.support.needs import need_compiler
from tests.support.sanitizers import sanitized

need_compiler()


class Side(Enum):
    LEFT = "left"
    RIGHT = 2
    Ä = 0.5


NAN, INFINITY = math.nan, math.inf
SIDE = t.EnumType("Side", t.STR, (), Side)
TEXTS = ["", "a", "é", "b" * 7, "b" * 8, "c" * 9, "d" * 16, "\udcc3", "a\0"]
FLOATS = [0.0, -0.0, 1.5, -2.0, 1e300, INFINITY, NAN, -NAN, 5e-324, 2.0**63]
INTS = [0, 1, -1, 2**63 - 1, -(2**63), 10**18]
DEVICES = [torch.device(name) for name in ("cpu", "cpu:0", "cuda:1", "meta")]
COMPLEX = [1j, complex(-0.0, -0.0), complex(NAN, -NAN), complex(1.5, -INFINITY)]
VALUES: dict[t.Type, list[Any]] = {
    t.INT: INTS,
    t.FLOAT: FLOATS,
    t.BOOL: [False, True],
    t.STR: TEXTS,
    t.COMPLEX: COMPLEX,
    t.DEVICE: DEVICES,
    SIDE: [*Side],
}


def tuple_of(*types: t.Type) -> t.TupleType:
    return t.TupleType(types)


def values_of(type: t.Type) -> list[Any]:
    """Return values of a type, with all that those within it may be."""
    match type:
        case t.OptionalType(element=element):
            return [None, *values_of(element)]
        case t.ListType(element=element):
            items = values_of(element)
            return [[], items, items[-1:], items[::2]]
        case t.DictType(key=key, value=value):
            pairs = [*zip(values_of(key), itertools.cycle(values_of(value)))]
            return [{}, dict(pairs), dict(pairs[:1])]
        case t.TupleType(elements=elements):
            columns = [values_of(element) for element in elements]
            longest = max(map(len, columns), default=1)
            return [tuple(column[i % len(column)] for column in columns) for i in range(longest)]
    return VALUES[type]


MADE = [
    tuple_of(t.INT),
    tuple_of(),
    tuple_of(t.INT, t.STR, t.FLOAT, t.BOOL),
    tuple_of(t.STR, tuple_of(t.FLOAT, tuple_of(t.STR))),
    tuple_of(t.DEVICE, t.OptionalType(t.STR), t.OptionalType(t.FLOAT)),
    t.OptionalType(t.INT),
    t.OptionalType(t.STR),
    t.OptionalType(tuple_of(t.INT, t.OptionalType(t.BOOL))),
]
"""Types whose values have texts and hashes."""
HOLDING = [
    t.ListType(t.INT),
    t.ListType(t.ListType(t.STR)),
    t.ListType(t.OptionalType(t.BOOL)),
    t.ListType(SIDE),
    t.ListType(t.COMPLEX),
    t.ListType(t.DEVICE),
    t.DictType(t.STR, t.ListType(t.FLOAT)),
    t.DictType(t.FLOAT, tuple_of(t.INT, SIDE)),
    t.DictType(t.INT, t.DictType(t.BOOL, t.OptionalType(t.COMPLEX))),
    tuple_of(t.ListType(t.INT), t.COMPLEX),
    t.OptionalType(t.ListType(t.INT)),
]
"""Types whose values have texts, but no hashes."""


def function_of(kind: str, type: t.Type, result: t.Type) -> NativeFunction:
    graph = Graph()
    value = graph.add_input("x", type)
    graph.block.add_output(graph.insert(graph.create(kind, [value], [result])).output)
    return NativeFunction(graph, "one")


@pytest.mark.one_in(16)
@pytest.mark.parametrize("type", [*VALUES, *MADE, *HOLDING], ids=str)
def test_texts(type: t.Type) -> None:
    native, operator = function_of("aten::str", type, t.STR), evaluator_for(schema("aten::str"))
    for value in values_of(type):
        assert native(deepcopy(value)) == operator(value), value


@pytest.mark.one_in(6)
@pytest.mark.parametrize("type", [*VALUES, *MADE, *HOLDING], ids=str)
def test_hashes(type: t.Type) -> None:
    native = function_of("aten::hash", type, t.INT)
    operator, raised = evaluator_for(schema("aten::hash.generic")), 0
    for value in values_of(type):
        try:
            wanted = operator(value)
        except RuntimeError as error:
            raised += 1
            with pytest.raises(type_of(error)) as caught:
                native(deepcopy(value))
            assert str(caught.value) == str(error)
        else:
            assert native(deepcopy(value)) == wanted, value
    assert (raised > 0) == (type in HOLDING or type in (t.COMPLEX, SIDE))


def type_of(error: Exception) -> type[Exception]:
    return error.__class__


ORDERED = [
    t.FLOAT,
    tuple_of(t.INT, t.STR),
    tuple_of(t.FLOAT, tuple_of(t.BOOL, t.FLOAT)),
    tuple_of(),
    tuple_of(tuple_of(t.STR), t.INT),
]
FEW = {t.FLOAT: [NAN, 0.0, 1.5, -2.0, INFINITY], t.INT: [1, 2, 3], t.STR: ["", "a", "ab", "é"]}


def drawn(type: t.Type, draw: random.Random) -> Any:
    """Return a value of which others are equal, less, and no number."""
    if isinstance(type, t.TupleType):
        return tuple(drawn(element, draw) for element in type.elements)
    return draw.choice(FEW.get(type, [False, True]))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("type", ORDERED, ids=str)
def test_orders(type: t.Type) -> None:
    overload = "float" if type == t.FLOAT else "any"
    operator = evaluator_for(schema(f"aten::sort.{overload}"))
    copying = evaluator_for(schema(f"aten::sorted.{overload}"))
    graph = Graph()
    items, flag = graph.add_input("x", t.ListType(type)), graph.add_input("reverse", t.BOOL)
    copy = graph.insert(graph.create("aten::sorted", [items], [items.type])).output
    graph.insert(graph.create("aten::sort", [items, flag], []))
    for value in (items, copy):
        graph.block.add_output(value)
    native, draw = NativeFunction(graph, "one"), random.Random(3)
    for length in [*range(40), 63, 64, 65, 200, 1000]:
        values = [drawn(type, draw) for _ in range(length)]
        for reverse in (False, True):
            expected = [*values]
            operator(expected, reverse)
            assert told(native([*values], reverse)) == told([expected, copying(values)])


@pytest.mark.parametrize(
    "type",
    [
        t.ListType(t.INT),
        t.DictType(t.STR, t.INT),
        SIDE,
        t.COMPLEX,
        tuple_of(t.INT, t.ListType(t.STR)),
    ],
    ids=str,
)
def test_what_has_no_order(type: t.Type) -> None:
    native = function_of("aten::sorted", t.ListType(type), t.ListType(type))
    assert native([]) == []
    values = values_of(type)
    with pytest.raises(RuntimeError) as wanted:
        evaluator_for(schema("aten::sorted.any"))(values)
    with pytest.raises(RuntimeError) as caught:
        native(values)
    assert str(caught.value) == str(wanted.value)


def ordered(
    xs: list[float], pairs: list[tuple[float, int]], reverse: bool
) -> tuple[list[float], list[tuple[float, int]], list[tuple[float, int]]]:
    copy = sorted(pairs)
    pairs.sort(reverse=reverse)
    return sorted(xs), copy, pairs


@pytest.mark.parametrize("reverse", [False, True])
def test_torch_has_the_same_order(reverse: bool, monkeypatch: Any) -> None:
    draw = random.Random(5)
    xs = [drawn(t.FLOAT, draw) for _ in range(16)]
    pairs = [drawn(tuple_of(t.FLOAT, t.INT), draw) for _ in range(16)]
    check_agreement(ordered, (xs, pairs, reverse), monkeypatch)


def values_dropped(n: int) -> int:
    names: dict[float, str] = {}
    total = 0
    for i in range(n):
        pairs = [(f"{i % 3}", float(j * 7 % 5)) for j in range(i)]
        pairs.sort(reverse=i % 2 == 0)
        names[0.5 * (i % 9)] = str(pairs[:2]) + "%s|%e" % (pairs[-1:], i)  # noqa: UP031
        if len(names) > 6:
            key, name = names.popitem()
            total += int(key) + len(name)
        total += len(str(sorted([(name, i) for name in names.values()])))
        total += hash((i, str(i), None)) % 7 + int(float(f"{i}.5"))
    return total


def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    rows = sanitized(values_dropped, tmp_path)
    expected = minits.script(values_dropped)
    assert [result for _, result in rows] == [expected(n) for n in range(60)]
    held = [lists for lists, _ in rows[20:]]
    assert max(held) - min(held) <= 24, "each round of the loop leaves values behind"


class Settings(NamedTuple):
    rates: List[float] = [0.5, -0.0]  # noqa: RUF012, UP006
    names: Dict[str, List[int]] = {"a": [1], "": [2, 3]}  # noqa: RUF012, UP006
    pair: Tuple[int, Optional[str]] = (1, None)  # noqa: UP006, UP045


def defaults(n: int) -> tuple[Settings, Settings, dict[float, str], str]:
    return Settings(pair=(n, "b")), Settings(), {0.5: "half", -0.0: "zero"}, f"{Settings()}"


def test_constants_of_lists_and_dicts(monkeypatch: Any) -> None:
    check_agreement(defaults, (3,), monkeypatch)


PATTERNS = [
    "", "%", "%%", "a%%b%s", "%s%s", "%d", "%i", "%d%%%f", "%e", "%E", "%F", "%c", "%g", "%5d",
    "%s%", "é%s", "%s\n%d",
]  # fmt: skip


def function_of_patterns(patterns: list[str], types: tuple[t.Type, ...]) -> NativeFunction:
    """Return a function of a tuple of these types, which returns its texts by all patterns."""
    graph = Graph()
    values = graph.add_input("x", tuple_of(*types))
    for pattern in patterns:
        operands = [insert_constant(graph, pattern), values]
        node = graph.insert(graph.create("aten::percentFormat", operands, [t.STR]))
        graph.block.add_output(node.output)
    return NativeFunction(graph, "one")


@pytest.mark.one_in(10)
@pytest.mark.parametrize(
    "types",
    [(t.INT,), (t.FLOAT,), (t.BOOL,), (t.STR,), (t.COMPLEX,), (), (t.INT, t.FLOAT),
     (t.STR, t.INT), (t.ListType(t.INT), t.BOOL), (t.NONE, SIDE)],
    ids=str,
)  # fmt: skip
def test_patterns_of_percent(types: tuple[t.Type, ...]) -> None:
    operator = evaluator_for(schema("aten::percentFormat"))
    rows = [()] if not types else [*itertools.product(*map(edges, types))]
    texts: dict[str, list[str]] = {}
    for pattern in PATTERNS:
        try:
            texts[pattern] = [operator(pattern, values) for values in rows]
        except RuntimeError:
            native = function_of_patterns([pattern], types)
            for values in rows[:: 1 if "c" in pattern else 7]:
                try:
                    wanted = operator(pattern, values)
                except RuntimeError as error:
                    with pytest.raises(type_of(error)) as caught:
                        native(values)
                    assert str(caught.value) == str(error)
                else:
                    assert native(values) == wanted
    native = function_of_patterns([*texts, *texts], types)  # at least two, which are a tuple
    for number, values in enumerate(rows):
        assert [*native(values)][: len(texts)] == [column[number] for column in texts.values()], (
            values
        )


def edges(type: t.Type) -> list[Any]:
    more = {t.INT: [65, 200, 2**24 + 1], t.FLOAT: [2.0**31, -(2.0**31), 1e39, 0.1, -7.9]}
    return [None] if type == t.NONE else [*values_of(type), *more.get(type, [])]
