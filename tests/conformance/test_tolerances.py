"""Floats may differ by little, everything else not at all."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
import torch

from conformance.tolerances import EXACT, TABLE, Tolerance, close, difference, tolerance_for
from conformance.values import encode
from tests.support.agreement import agree, comparable


def test_no_row_is_loose_and_each_has_a_reason() -> None:
    for name, row in TABLE.items():
        assert row.relative <= 1e-5, name
        assert row.absolute <= 1e-6, name
        assert len(row.reason) > 10, name


def test_each_row_names_an_operator() -> None:
    assert [name for name in TABLE if not torch._C._jit_get_schemas_for_operator(name)] == []


def test_the_loosest_operator_decides() -> None:
    graph = "%1 = aten::add(%0)\n%2 = aten::exp(%1)\n"
    assert tolerance_for([graph]) == TABLE["aten::exp"]
    assert tolerance_for([graph, "aten::softmax(%1)"]) == TABLE["aten::softmax"]
    assert tolerance_for(["%1 = aten::add(%0)"]) == EXACT


def test_a_name_that_only_begins_like_an_operator_is_another() -> None:
    assert tolerance_for(["aten::expand(%0)"]) == EXACT


@pytest.mark.parametrize(
    ("found", "expected", "agree"),
    [
        (1.0, 1.0, True),
        (1.0, 1.0 + 2**-52, False),
        (0.0, -0.0, False),
        (float("nan"), float("nan"), True),
        (float("nan"), 1.0, False),
        (1.0, float("nan"), False),
        (float("inf"), float("-inf"), False),
        (float("inf"), float("inf"), True),
        (1e308, float("inf"), False),
    ],
)
def test_exact_comparison(found: float, expected: float, agree: bool) -> None:
    assert close(found, expected, EXACT) is agree


LOOSE = Tolerance(1e-5, 1e-6, "for these tests only")


@pytest.mark.parametrize(
    ("found", "expected", "agree"),
    [
        (1.0, 1.000009, True),
        (1.0, 1.0001, False),
        (0.0, 9e-7, True),
        (0.0, 2e-6, False),
        (float("nan"), 0.0, False),
        (0.0, float("nan"), False),
        (1e30, float("inf"), False),
    ],
)
def test_tolerant_comparison(found: float, expected: float, agree: bool) -> None:
    assert close(found, expected, LOOSE) is agree


class Pair(NamedTuple):
    a: int


class Single(NamedTuple):
    a: int


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (1, 2),
        (1, True),
        (1, 1.0),
        (1000000, 1000001),
        ("a", "b"),
        ([1], (1,)),
        ([1], [1, 2]),
        (None, 0),
        (1.0, 1.001),
        (1 + 2j, 1 + 2.001j),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": 1}, {"a": 1.0}),
        (Pair(1), Single(1)),
        (Pair(1), (1,)),
        (torch.tensor([1, 2]), torch.tensor([1, 3])),
        (torch.tensor([1.0]), torch.tensor([1.0], dtype=torch.float64)),
        (torch.tensor([1.0]), torch.tensor([[1.0]])),
        (torch.tensor([1.0]), torch.tensor([1.001])),
        (torch.tensor([0.0]), torch.tensor([float("nan")])),
        (torch.ones(1), torch.ones(1, requires_grad=True)),
        (torch.zeros(0), torch.zeros(0, 2)),
        (torch.tensor([True]), torch.tensor([1])),
        ([torch.ones(1)], [torch.zeros(1)]),
    ],
)
def test_values_that_differ_even_with_a_tolerance(found: Any, expected: Any) -> None:
    assert difference(encode(found), encode(expected), LOOSE)
    assert difference(encode(expected), encode(found), LOOSE)
    assert difference(encode(expected), encode(expected), EXACT) is None


def test_floats_in_containers_get_the_tolerance() -> None:
    found = {"x": [(1.0, torch.tensor([2.0]))]}
    expected = {"x": [(1.000001, torch.tensor([2.000001]))]}
    assert difference(encode(found), encode(expected), LOOSE) is None
    assert difference(encode(found), encode(expected), EXACT)


ROOT = "%1 : Tensor = aten::sqrt(%0)"


@pytest.mark.parametrize(
    ("found", "wanted", "graph", "is_alike"),
    [
        (torch.tensor([1.0488088131]), torch.tensor([1.0488089323]), ROOT, True),  # on AMD
        (torch.tensor([1.0488088131]), torch.tensor([1.0488089323]), "aten::neg(%0)", False),
        (torch.tensor([1.0488088131]), torch.tensor([1.04881]), ROOT, False),
        ([1.0, (2, 3.0)], [1.0 + 1e-7, (2, 3.0)], ROOT, True),
        ([1.0, (2, 3.0)], [1.0 + 1e-7, (2.0, 3.0)], ROOT, False),
        (10**9, 10**9 + 1, ROOT, False),
        ("1.0", "1.00", ROOT, False),
        (float("nan"), 1.0, ROOT, False),
        (torch.tensor([1.0]), torch.tensor([1.0], dtype=torch.float64), ROOT, False),
    ],
)
def test_outcomes_agree_but_for_what_a_library_rounds(
    found: Any, wanted: Any, graph: str, is_alike: bool
) -> None:
    assert agree(comparable(found), comparable(wanted), graph) is is_alike
