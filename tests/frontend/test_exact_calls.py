"""What is kept of calls of operators gives the answer that asking anew gives."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import minits
from minits.frontend.calls import exact_calls, schema_matching
from minits.frontend.calls.exact_calls import match_exactly
from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.ir.graph import Graph
from minits.ops.registry import schemas_for
from minits.ops.schema import Schema
from minits.types import types as t
from tests.support.schemas import find_schema


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_calls, "_known", type(exact_calls._known)(exact_calls.MOST_CALLS))


def match(overloads: tuple[Schema, ...], *types: t.Type) -> tuple[str, str] | None:
    """Return the overload that values of these types choose, and the graph of the call."""
    graph = Graph()
    values = [NamedValue(graph.add_input(None, type)) for type in types]
    found = match_exactly(overloads, graph, None, values)
    if found is None:
        return None
    graph.emit(found.schema.name, found.inputs, found.return_types)
    return found.schema.overload, str(graph)


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("aten::add", (t.TENSOR, t.TENSOR)),
        ("aten::add", (t.INT, t.FLOAT)),
        ("aten::append", (t.ListType(t.STR), t.STR)),
        ("aten::sum", (t.TENSOR,)),
        ("aten::conv2d", (t.TENSOR, t.TENSOR)),
        ("aten::format", (t.STR, t.INT, t.TENSOR)),
        ("aten::sort", (t.TENSOR,)),
    ],
)
def test_the_second_call_is_the_first_one_again(name: str, types: tuple[t.Type, ...]) -> None:
    overloads = schemas_for(name)
    first = match(overloads, *types)
    assert first is not None
    assert len(exact_calls._known) == 1
    assert match(overloads, *types) == first


def test_other_types_choose_anew() -> None:
    overloads = schemas_for("aten::mul")
    chosen = [match(overloads, *pair) for pair in ((t.INT, t.INT), (t.TENSOR, t.TENSOR))]
    assert [found[0] for found in chosen if found] == ["int", "Tensor"]
    assert match(overloads, t.INT, t.TENSOR) is None


def test_what_was_chosen_from_other_overloads_does_not_count() -> None:
    overloads = schemas_for("aten::add")
    assert (match(overloads, t.INT, t.INT) or ("",))[0] == "int"
    fewer = (find_schema("aten::add", "Tensor"), find_schema("aten::add", "float"))
    assert match(fewer, t.INT, t.INT) is None
    assert (match(overloads, t.INT, t.INT) or ("",))[0] == "int"


def test_a_conversion_is_made_each_time() -> None:
    overloads = schemas_for("aten::pow")
    assert match(overloads, t.BOOL, t.INT) is None
    assert not exact_calls._known


def test_an_empty_list_may_be_one_of_anything() -> None:
    overloads = schemas_for("aten::sort")
    assert (match(overloads, t.ListType(t.TENSOR)) or ("",))[0] == "Tensor"
    graph = Graph()
    literal = graph.emit("prim::EmptyListLiteral", [], [t.ListType(t.TENSOR)]).output
    found = match_exactly(overloads, graph, None, [NamedValue(literal)])
    assert found is not None
    assert found.schema.overload == "int"


class Point:
    def __init__(self, x: int) -> None:
        self.x = x


def points(n: int) -> int:
    found = [Point(n)]
    found.append(Point(n + 1))
    return found[1].x


def test_no_class_of_a_program_is_kept() -> None:
    assert minits.script(points)(1) == 2
    kept = [str(type) for _, _, types in exact_calls._known for type in types]
    assert "int" in kept
    assert not [text for text in kept if "Point" in text]


def test_old_entries_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_calls._known, "most", 2)
    for name in ("aten::sin", "aten::cos", "aten::tan"):
        match(schemas_for(name), t.TENSOR)
    assert [name for name, _, _ in exact_calls._known] == ["aten::cos", "aten::tan"]


def test_overloads_tried_in_vain_count_each_time() -> None:
    """torch's numbers of values count the constants of overloads that did not fit."""
    overloads = schemas_for("aten::bernoulli")
    first = match(overloads, t.TENSOR, t.TENSOR)
    assert first is not None
    assert match(overloads, t.TENSOR, t.TENSOR) == first


def test_each_overload_is_tried_once_as_it_is_and_once_with_conversions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = Graph()
    values = [graph.add_input(None, type) for type in (t.TENSOR, t.INT, t.INT)]
    tried: list[tuple[str, bool]] = []
    match_schema = schema_matching.match_schema

    def counted(schema: Schema, *arguments: Any) -> Any:
        tried.append((str(schema), arguments[-1]))
        return match_schema(schema, *arguments)

    monkeypatch.setattr(schema_matching, "match_schema", counted)
    emit_builtin_call(graph, None, "aten::view", values)
    assert len(tried) == len(set(tried))
    assert [converts for _, converts in tried] == sorted(converts for _, converts in tried)
    assert True in [converts for _, converts in tried]


def two_copies(a: list[int]) -> list[int]:
    for _ in "ab":
        return a.copy()
    for _ in "cd":
        return a.copy()
    return a


def two_items(a: dict[str, int]) -> int | None:
    for key in "ab":
        return a.get(key)
    for key in "cd":
        return a.get(key)
    return 1


@pytest.mark.parametrize("program", [two_copies, two_items])
def test_calls_of_a_kind_give_types_of_their_own(program: Any) -> None:
    """torch makes a `prim::Uninitialized` for each type object, of equal types, too."""
    expected = str(torch.jit.script(program).graph)
    assert expected.count("prim::Uninitialized") == 2
    assert str(minits.script(program).graph) == expected
