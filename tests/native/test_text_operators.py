"""Every native operator of strs gives and raises what the operator table does, at all edges."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

import minits
from minits.ir.constants import insert_constant
from minits.ir.graph import Graph
from minits.native.function import NativeFunction
from minits.native.text_operators import TEXT_OPERATORS
from minits.ops.evaluate import evaluator_for
from minits.ops.registry import schemas_for
from minits.ops.schema import Schema
from minits.types import types as t
from tests.support.native_calls import check_agreement
from tests.support.needs import need_compiler
from tests.support.sanitizers import sanitized

need_compiler()

TEXTS = [
    "", "a", "b", "ab", "aab", "abab", "Ab cD", " x \t", "a,b,,c", "line\nother\r\n", "é", "aéa",
    "\udcc3", "12", "-7", "-", "a\0b", "x" * 40,
]  # fmt: skip
NUMBERS_IN_TEXTS = [
    "0.5", "-.5e3", "+1.", " \t7", "7 ", "1e", "0x1p-1074", "0x1.8p-1074", "0X.8P3", "0x", "1e999",
    "5e-324", "2.2250738585072014e-308", "2.2250738585072011e-308", "1e-400", "0e-999", "-1e400",
    "inf", "-INFINITY", "infi", "nan", "NaN(a1)", "nan(", "1_0", "1\0", "0x1p1024", "-0.0", ".",
    "9" * 400,
]  # fmt: skip
PARTS = ["", "a", "ab", ",", " ", "é", "b,", "\n"]
LISTS: list[list[str]] = [[], [""], ["a"], ["b", "a", ""], ["a", "b", "a"], ["é", "z", "aa"]]
EDGES: dict[str, list[Any]] = {
    "int": [0, 1, -1, 2, 3, -3, 7, 41, -50, 2**63 - 1, -(2**63), 0xE9, 1114111],
    "bool": [False, True],
    "str": TEXTS,
    "Optional[str]": [None, "", " ", ",", "ab"],
    "List[str]": LISTS,
    "Optional[int]": [None],
}
SMALL = [0, 1, -1, 2, -3, 9]


def schema(key: str) -> Schema:
    name, _, overload = key.partition(".")
    return next(each for each in schemas_for(name) if each.overload == overload)


def values_of(key: str) -> list[list[Any]]:
    """Return values for each operand: all edges of the first, of others what makes a difference."""
    declared = schema(key).arguments
    found = []
    for index, argument in enumerate(declared):
        values = EDGES[argument.type.annotation]
        if index and argument.type == t.STR:
            values = PARTS
        if index and argument.type == t.INT:
            values = SMALL if len(declared) > 2 else [*SMALL, 41]
        found.append(values)
    if key == "aten::Float.str":
        found = [[*TEXTS, *NUMBERS_IN_TEXTS]]
    if key == "aten::slice.str":
        found[1:] = [[None, 1, -2, 9], [None, 0, 2, -1], [1, 2, -1, 0]]
    return found


def graph_of(key: str, values: tuple[Any, ...]) -> tuple[Graph, list[Any]]:
    """Return a graph of an operator, and what it is to be called with: None is a constant."""
    graph = Graph()
    declared = schema(key)
    operands, given = [], []
    for argument, value in zip(declared.arguments, values, strict=True):
        is_constant = value is None or (key == "aten::slice.str" and argument.name == "step")
        if is_constant:
            operands.append(insert_constant(graph, value))
        else:
            type = (
                argument.type.element
                if isinstance(argument.type, t.OptionalType)
                else argument.type
            )
            operands.append(graph.add_input(argument.name, type))
            given.append(value)
    returns = [each.type for each in declared.returns]
    node = graph.insert(graph.create(key.partition(".")[0], operands, returns))
    written = [each for each in operands if isinstance(each.type, t.ListType)]
    for each in [*node.outputs, *written]:
        graph.block.add_output(each)
    return graph, given


def copied(values: Any) -> list[Any]:
    return [[*value] if isinstance(value, list) else value for value in values]


@pytest.mark.one_in(20)
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("key", sorted(TEXT_OPERATORS))
def test_results_and_errors(key: str) -> None:
    natives: dict[Any, NativeFunction] = {}
    expected, raised = evaluator_for(schema(key)), 0
    for values in itertools.product(*values_of(key)):
        constants = tuple(i for i, value in enumerate(values) if value is None)
        step = values[3] if key == "aten::slice.str" else None
        graph, given = graph_of(key, values)
        if (constants, step) not in natives:
            natives[constants, step] = NativeFunction(graph, "one")
        native = natives[constants, step]
        arguments = copied(values)
        try:
            wanted = expected(*arguments)
        except RuntimeError as error:
            raised += 1
            with pytest.raises(type(error)) as caught:
                native(*copied(given))
            assert str(caught.value) == str(error), values
            continue
        results = [] if not schema(key).returns else [wanted]
        results += [each for each in arguments if isinstance(each, list)]
        found = native(*copied(given))
        if len(results) == 1:
            found = (found,)
        assert repr([*found]) == repr(results), values
    assert (raised > 0) == (TEXT_OPERATORS[key].raises is not None), raised


def shown(n: int, x: float, flag: bool, text: str) -> str:
    return str(n) + str(x) + str(flag) + str(text) + "{}|{} {}:{} {}".format(n, x, flag, text, "b")


def parts_dropped(n: int) -> int:
    words: list[str] = []
    counts: dict[str, int] = {}
    lists: dict[int, list[int]] = {}
    total = 0
    for i in range(n):
        text = f"a{[i, i + 1]}-{words}" + "%s|%d" % (complex(i, -1), i)  # noqa: UP031
        before, _, after = text.partition("-")
        last = text.rpartition("|")[2]
        total += len(before) + len(after) + int(last) + counts.setdefault(last[-1:], i)
        lists.setdefault(i % 3, [i]).append(i)
        items = lists[i % 3]
        items *= i % 4
        words *= 2
        words.append(after[:4])
        if len(words) > 5:
            words *= 0
        total += len(items) + len(str([0.5, float(i)]) + str([True]) + str(words))
    return total


def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    rows = sanitized(parts_dropped, tmp_path)
    expected = minits.script(parts_dropped)
    assert [result for _, result in rows] == [expected(n) for n in range(60)]
    held = [lists for lists, _ in rows[20:]]
    assert max(held) - min(held) <= 24, "each round of the loop leaves strs behind"


NAN, INFINITY = float("nan"), float("inf")
NUMBERS = [0.0, -0.0, 1.5, 1e300, -(2.0**63), 2.0**64, NAN, -NAN, -INFINITY, 0.1, 5e-324]


@pytest.mark.parametrize("x", NUMBERS)
def test_what_str_and_format_show(x: float, monkeypatch: pytest.MonkeyPatch) -> None:
    check_agreement(shown, (-(2**63), x, x > 1, "é"), monkeypatch)
