"""The sweep of all operators: it finds operators that are wrong, and a few are right."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from conformance.operators import check as checking
from conformance.operators.programs import random_program
from conformance.operators.sweep import check_operator, schemas, sweep

OPERATORS = (
    "bernoulli", "_grad_sum_to_size", "rsub", "AutogradAll", "awaitable_nowait", "randint",
    "clamp_min", "_assert_async",
)  # fmt: skip


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_is_torchs(name: str) -> None:
    found = [
        schema
        for schema in schemas(rf"::{name}\b|::{name}\w*\(\.\.\.")
        if " out)" not in str(schema)
    ]
    assert found
    for schema in found:
        counts, fault = check_operator(schema, 4, seed=1)
        assert fault is None
        assert counts["runs"] + counts["raises"] + counts["faulty"] + counts["refused"]


def test_a_wrong_operator_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = checking.compile_graph

    def wrong(graph: Any, name: str) -> Any:
        run = real(graph, name)
        return lambda *values: run(*values) + 1

    monkeypatch.setattr(checking, "compile_graph", wrong)
    (schema,) = schemas(r"aten::sinc\(")
    counts, fault = check_operator(schema, 6, seed=0)
    assert counts["differs"] == 1
    assert fault is not None
    assert "generated code" in fault


def test_programs_are_told_by_their_seed() -> None:
    (schema,) = schemas(r"aten::add\.Tensor\(")
    texts = [str(random_program(schema, Random(seed))) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_a_process_checks_each_operator() -> None:
    (chunk,) = list(sweep(r"aten::sinc\(", 3, 0))
    counts, fault = chunk
    assert fault is None
    assert counts.total() == 3
