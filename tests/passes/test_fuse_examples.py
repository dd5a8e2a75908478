"""The programs of `examples/` have the kernels that they should have, and compute what they did."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from examples import fused as programs
from examples import masked_softmax as masks
from tests.passes.test_fuse import fused, groups, inside, kinds, run

SCORES = torch.randn(2, 3, 8, 8)
MASK = torch.randn(8, 8)
NONE = None


def rand(*shape: int) -> Tensor:
    return torch.rand(shape)


def check(program: Any, arguments: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the fused graph, after comparing what it computes."""
    graph, _, _ = fused(program, *arguments)
    inputs = arguments
    if isinstance(program, nn.Module):
        inputs = (minits.script(program), *arguments)
    with torch.no_grad():
        wanted = program(*arguments)
        torch.testing.assert_close(run(graph, *inputs, monkeypatch=monkeypatch), wanted)
    return graph


@pytest.mark.parametrize(
    ("module", "mask"),
    [
        (masks.UntypedMask(64, 8), MASK),
        (masks.OptionalMask(64, 8), MASK),
        (masks.OptionalMask(64, 8), None),
        (masks.FlaggedMask(64, 8, False), MASK),
        (masks.FlaggedMask(64, 8, False), None),
        (masks.AssertedMask(64, 8, True), MASK),
        (masks.AssertedMask(64, 8, False), None),
        (masks.AssertedMask(64, 8, False), MASK),
        (masks.EmptyMask(64, 8, True), MASK),
        (masks.EmptyMask(64, 8, False), torch.empty(0)),
    ],
    ids=lambda each: type(each).__name__,
)
def test_masked_softmax_is_one_kernel(
    module: nn.Module, mask: Tensor | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = check(module, (SCORES, mask), monkeypatch)
    (group,) = groups(graph)
    is_masked = getattr(module, "use_mask", mask is not None)
    assert inside(group) == (["div", "add", "softmax"] if is_masked else ["div", "softmax"])
    left = {node.kind for node in graph.all_nodes()} - {"prim::Constant", "prim::GetAttr"}
    assert left == {"prim::FusionGroup"}


PATTERNS: list[tuple[Any, tuple[Any, ...], int, list[str]]] = [
    (programs.chain, (rand(4, 8), rand(4, 8), rand(8), rand(8)), 1, []),
    (programs.bias_gelu, (rand(4, 8), rand(8)), 1, []),
    (programs.swiglu, (rand(4, 8), rand(4, 8)), 1, []),
    (programs.scale_mask_softmax, (SCORES, 2.0, MASK), 1, []),
    (programs.scale_mask_softmax, (SCORES, 2.0, None), 1, []),
    (programs.residual_layer_norm, (rand(4, 8), rand(4, 8), rand(8), rand(8), 1e-5), 1, []),
    (programs.rotary, (rand(2, 4, 8), rand(4, 4), rand(4, 4)), 1, []),
    (programs.lstm_pointwise, (rand(2, 16), rand(2, 4)), 1, []),
    (programs.gru_pointwise, (rand(2, 12), rand(2, 12), rand(2, 4)), 1, []),
    (programs.focal_loss, (rand(4, 8), rand(4, 8), 0.25, 2.0), 1, ["sub"]),
    (
        programs.adam_step,
        (rand(4, 8), rand(4, 8), rand(4, 8), rand(4, 8), 3, 0.1, 0.9, 0.99, 1e-8),
        1,
        ["sub", "sub", "pow", "sub", "pow", "sub"],  # of numbers
    ),
]


@pytest.mark.parametrize(("program", "arguments", "count", "left"), PATTERNS)
def test_patterns(
    program: Any,
    arguments: tuple[Any, ...],
    count: int,
    left: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = check(program, arguments, monkeypatch)
    assert len(groups(graph)) == count
    assert kinds(graph) == left


def test_a_layer_over_a_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = check(programs.lstm, (rand(3, 2, 8), (rand(2, 16), rand(2, 16))), monkeypatch)
    (group,) = groups(graph)
    assert group.owner.owning_node is not None
    assert group.owner.owning_node.kind == "prim::Loop"
    assert len(group.outputs) == 2
    assert kinds(graph).count("mm") == 2
    assert not {"add", "sigmoid", "tanh", "mul"} & set(kinds(graph))


def test_a_transformer_block(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = check(programs.block, (rand(2, 4, 32), rand(4, 4)), monkeypatch)
    found = [inside(group) for group in groups(graph)]
    assert ["div", "add", "softmax"] in found
    assert ["add", "layer_norm"] in found
