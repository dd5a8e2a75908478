"""Arguments that are handed over as words: what C makes of them, and frees."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import minits
from minits.native.function import NativeFunction
from minits.native.given import is_given_as_words, words_of
from minits.types import types as t
from tests.support.needs import need_compiler
from tests.support.sanitizers import sanitized

need_compiler()

VALUES = {
    "List[Tuple[int, str]]": [[], [(1, "a")], [(i, "é" * i) for i in range(70)]],
    "List[List[List[int]]]": [[], [[]], [[[1, -(2**63)], []], [], [[3]]]],
    "Dict[str, List[str]]": [{}, {"": []}, {"b": ["a", "12345678"], "a": [""]}],
    "Dict[int, Optional[bool]]": [{}, {1: None, -1: True}],
    "Tuple[bool, Tuple[float, Optional[str]], List[int]]": [
        (True, (-0.0, None), []), (False, (float("inf"), "123456789"), [1, 2]),
    ],
    "Optional[Dict[str, Optional[float]]]": [None, {}, {"a": 0.5, "b": None}],
    "List[Optional[int]]": [[None] * 100, [7, None]],
    "Optional[List[Optional[List[str]]]]": [None, [None, ["a"], []]],
}  # fmt: skip


@pytest.mark.parametrize("type", VALUES)
def test_a_value_goes_into_c_and_comes_back(type: str) -> None:
    source = f"def f(x: {type}, n: int) -> Tuple[{type}, int]:\n    return x, n + 1\n"
    graph = minits.CompilationUnit(source).f.graph_after(["optimize"])
    assert is_given_as_words(graph.inputs[0].type)
    native = NativeFunction(graph, "f")
    for value in VALUES[type]:
        found, after = native(deepcopy(value), 4)
        assert (repr(found), after) == (repr(value), 5)


def kept(n: int, pairs: list[tuple[int, str]], table: dict[str, list[list[int]]]) -> int:
    total = n
    for number, text in pairs:
        total += number + len(text)
    for key in table:
        rows = table[key]
        while len(rows) > 0:
            total += len(rows.pop()) + len(key)
    pairs.clear()
    table.clear()
    return total


def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    values: list[tuple[Any, t.Type]] = [
        ([(3, "é"), (5, "123456789")], t.ListType(t.TupleType((t.INT, t.STR)))),
        (
            {"a": [[1, 2], []], "bcd": [[7]]},
            t.DictType(t.STR, t.ListType(t.ListType(t.INT))),
        ),
    ]
    words = [words_of(value, type) for value, type in values]
    texts = [", ".join(f"{{{word}}}" for word in each) for each in words]
    given = "".join([f"(mts_value[]){{{text}}}, " for text in texts])
    rows = sanitized(kept, tmp_path, given)
    expected = [kept(n, *deepcopy([value for value, _ in values])) for n in range(60)]
    assert [result for _, result in rows] == [each + 1 for each in expected]  # the bytes of "é"
    keys = 3  # the list of the table's keys, and the keys
    assert {lists for lists, _ in rows} == {2 + keys}, "an item outlives its list"
