"""What is known of an elementwise operator is known everywhere: none is in one table alone."""

import torch

from minits.kernels.lowering import LOWERINGS
from minits.kernels.lowering.row import of_all_tensors
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.passes.fusion.grouping import COSTLY
from minits.passes.normalize_ops import ALIASES
from minits.passes.shape_propagation.rules import RULES, elementwise

OPERATORS = dict.fromkeys(kind for row in SCALAR_OPS.values() for kind in row.kinds)


def test_an_operator_with_a_row_has_a_lowering_and_a_rule() -> None:
    for kind in OPERATORS:
        assert hasattr(torch.ops.aten, kind.removeprefix("aten::"))
        assert kind in LOWERINGS
        assert RULES[kind] is elementwise, kind


ELEMENTWISE = [
    kind
    for kind, lowering in LOWERINGS.items()
    if lowering.shape is of_all_tensors
    and lowering.emit is not None
    and not (lowering.reduces or lowering.parts or lowering.is_view)
]


def test_an_elementwise_lowering_has_a_rule() -> None:
    """Without one, the operator would be run on meta tensors, which is slow."""
    without = {
        kind for kind in ELEMENTWISE if RULES.get(ALIASES.get(kind, kind)) is not elementwise
    }
    assert without <= {"aten::frexp"}, "it has two results"


def test_rows_are_of_names_that_graphs_have() -> None:
    """An alias becomes another operator when a graph is made: a row of it would never be asked."""
    assert {*LOWERINGS, *RULES}.isdisjoint(ALIASES)


def test_rules_are_of_operators_that_there_are() -> None:
    names = [kind.removeprefix("aten::") for kind in RULES]
    assert [name for name in names if not hasattr(torch.ops.aten, name)] == []


def test_operators_cost_what_their_rows_do() -> None:
    assert {"aten::exp", "aten::lcm", "aten::logaddexp2", "aten::gelu"} <= COSTLY
    assert COSTLY.isdisjoint(["aten::add", "aten::where", "aten::sqrt", "aten::relu"])
