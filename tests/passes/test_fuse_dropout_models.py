"""Where dropout stands in models: attention weights and pre-norm blocks, in training."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

import minits
from examples import masked_softmax as masks
from minits.ir.copying import clone_graph
from minits.passes.shape_propagation.propagate import infer_metadata
from minits.records import replace
from tests.passes.test_fuse_dropout import X, Y, kernels, seeded
from tests.support.fusing import fuse


class MaskedSoftmax(nn.Module):
    """The softmax of attention weights, in training."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = math.sqrt(8)
        self.dropout = nn.Dropout(0.1)

    def forward(self, scores: Tensor, mask: Tensor | None):
        scaled = scores / self.scale
        if mask is not None:
            scaled = scaled + mask
        return self.dropout(F.softmax(scaled, dim=-1))


class Block(nn.Module):
    """A pre-norm block: what is added to the residual is dropped in part, and then normalised."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.inner, self.outer = nn.Linear(8, 16), nn.Linear(16, 8)
        self.first, self.second = nn.Dropout(0.1), nn.Dropout(0.2)

    def forward(self, x: Tensor, y: Tensor):
        x = x + self.first(y)
        hidden = self.first(F.gelu(self.inner(self.norm(x))))
        return x + self.second(self.outer(hidden))


@pytest.mark.parametrize("mask", [torch.randn(8, 8), None])
def test_masked_softmax_in_training_is_one_kernel(mask: Tensor | None) -> None:
    module = MaskedSoftmax()
    script = minits.script(module)
    scores = torch.randn(2, 3, 8, 8, requires_grad=True)
    assert kernels(script, scores, mask) == {0}
    results = []
    for program in (script, module):
        scores.grad = None
        found, after = seeded(program, scores, mask)
        found.square().sum().backward()
        assert scores.grad is not None
        results.append((found, after, scores.grad, found == 0))
    torch.testing.assert_close(results[0], results[1])


class Dropped(nn.Module):
    """Drops some of the weights that another module gives."""

    def __init__(self, weights: nn.Module) -> None:
        super().__init__()
        self.weights = weights
        self.dropout = nn.Dropout(0.1)

    def forward(self, scores: Tensor, mask: Tensor | None):
        return self.dropout(self.weights(scores, mask))


@pytest.mark.parametrize(
    ("weights", "mask"),
    [
        (masks.UntypedMask(64, 8), torch.randn(8, 8)),
        (masks.OptionalMask(64, 8), torch.randn(8, 8)),
        (masks.OptionalMask(64, 8), None),
        (masks.FlaggedMask(64, 8, False), None),
        (masks.AssertedMask(64, 8, True), torch.randn(8, 8)),
        (masks.AssertedMask(64, 8, False), None),
        (masks.EmptyMask(64, 8, False), torch.empty(0)),
    ],
    ids=lambda each: type(each).__name__,
)
def test_masked_softmax_of_all_kinds_in_training(weights: nn.Module, mask: Tensor | None) -> None:
    if isinstance(weights, masks.UntypedMask | masks.EmptyMask):
        script = minits.script(DroppedOfTensor(weights))
    else:
        script = minits.script(Dropped(weights))
    scores = torch.randn(2, 3, 8, 8, requires_grad=True)
    kinds = [node.kind for node in script.graph_for(scores, mask).all_nodes()]
    computing = [kind for kind in kinds if kind.startswith(("aten::", "prim::Fusion", "prim::If"))]
    assert computing == ["aten::empty_like", "aten::bernoulli", "prim::FusionGroup"]


class DroppedOfTensor(Dropped):
    def forward(self, scores: Tensor, mask: Tensor):
        return self.dropout(self.weights(scores, mask))


def test_a_block_in_training() -> None:
    module = Block()
    script = minits.script(module)
    left = {each.operator for each in script.remarks(X, Y) if each.kind == "missed"}
    assert left == {"aten::linear"}
    torch.testing.assert_close(seeded(script, X, Y), seeded(module, X, Y))


# ---- On a GPU ----------------------------------------------------------------------------------


def test_dropout_is_split_on_cuda_too() -> None:
    def around(x: Tensor, y: Tensor):
        return torch.neg(F.dropout(torch.relu(x * 2 + y), 0.1)) * 1.5

    unfused = clone_graph(minits.script(around).plan_for(X, Y).unfused)
    metas = {
        value: replace(meta, device=torch.device("cuda"))
        for value, meta in infer_metadata(unfused, [X, Y]).items()
    }
    assert fuse(unfused, metas, [])
    kinds = [node.kind for node in unfused.block.nodes if node.kind != "prim::Constant"]
    assert kinds == ["aten::bernoulli", "prim::FusionGroup"]
