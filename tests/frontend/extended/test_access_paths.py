"""Attributes and items that a test refines in the extended dialect: when it holds and ends."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError
from minits.ir.verifier import verify


class Config:
    mask: Tensor | None

    def __init__(self, mask: Tensor | None):
        self.mask = mask


class Holder(nn.Module):
    bias: Tensor | None
    masks: list[Tensor | None]
    table: dict[str, Tensor | None]
    size: int | None
    either: int | str

    def __init__(self, given: bool) -> None:
        super().__init__()
        self.bias = torch.full((2,), 3.0) if given else None
        self.masks = [torch.full((2,), 5.0) if given else None, None]
        self.table = {"a": torch.full((2,), 7.0) if given else None}
        self.size = 4 if given else None
        self.either = 2 if given else "two"
        self.linear = nn.Linear(2, 2)

    def drop(self) -> None:
        self.bias = None

    def look(self) -> bool:
        return self.bias is None


# ---- Refinements that hold ---------------------------------------------------------------------


class InBranch(Holder):
    def forward(self, x):
        if self.bias is not None:
            x = x + self.bias
        return x


class InElse(Holder):
    def forward(self, x):
        if self.bias is None:
            x = x + 1
        else:
            x = x * self.bias
        return x


class AfterReturn(Holder):
    def forward(self, x):
        if self.bias is None:
            return x
        return x + self.bias


class AfterRaise(Holder):
    def forward(self, x):
        if self.bias is None:
            raise ValueError("no bias")
        return x + self.bias


class AfterAssert(Holder):
    def forward(self, x):
        assert self.bias is not None, "no bias"
        return x + self.bias


class InOperand(Holder):
    def forward(self, x):
        if self.bias is not None and self.bias.dim() == 1 and self.size is not None:
            x = x + self.bias + self.size
        if self.bias is None or bool((self.bias > 0).all()):
            x = x + 1
        return x


class InConditional(Holder):
    def forward(self, x):
        y = x if self.bias is None else x + self.bias
        return y if not (self.size is not None) else y * self.size


class OfItems(Holder):
    def forward(self, x):
        if self.masks[0] is not None:
            x = x + self.masks[0]
        if self.masks[-1] is None:
            x = x + 1
        else:
            x = x * self.masks[-1]
        for i in range(len(self.masks)):
            if self.masks[i] is None:
                continue
            x = x * self.masks[i]
        if self.table["a"] is not None:
            x = x - self.table["a"]
        return x


class OfInstance(Holder):
    def forward(self, x):
        if isinstance(self.either, int):
            x = x + self.either
        else:
            x = x + len(self.either)
        return x


class AcrossHarmlessCalls(Holder):
    def forward(self, x):
        assert self.bias is not None
        y = self.linear(x) * 0
        seen = self.look()
        others: list[int] = []
        for i in range(3):
            others.append(i)
            y = y + self.bias + others[-1]
        return y if not seen else x


class Cached(Holder):
    def forward(self, x):
        if self.bias is None:
            self.bias = torch.ones_like(x)
        return x + self.bias


class CachedInLoop(Holder):
    def forward(self, x):
        for i in range(3):
            if self.bias is None:
                self.bias = torch.full_like(x, float(i))
            x = x + self.bias
            if i == 1:
                self.bias = None
        return x


class AugmentedInBranch(Holder):
    def forward(self, x):
        if self.size is not None:
            self.size += 1
            x = x + self.size
        return x


class WhileGiven(Holder):
    def forward(self, x):
        while self.size is not None:
            x = x + self.size
            self.size = self.size - 1 if self.size > 0 else None
        return x


class AskedAgain(Holder):
    def forward(self, x):
        if self.bias is not None:
            x = x + self.bias
            self.drop()
            if self.bias is not None:
                x = x + self.bias
        return x


class AskedAgainInLoop(Holder):
    def forward(self, x):
        kept = self.bias is not None
        for i in range(3):
            if self.bias is not None:
                x = x + self.bias
                if i == 1:
                    self.bias = None
                else:
                    self.bias = self.bias + 1
        return x if kept else x + 1


class EndedInOperand(Holder):
    def clear(self) -> bool:
        self.bias = None
        return True

    def forward(self, x):
        if self.bias is not None and self.clear() and self.bias is not None:
            x = x + self.bias
        if self.size is not None and self.clear() and self.size > 1:
            x = x + self.size
        return x


class OfConfig(nn.Module):
    def __init__(self, given: bool) -> None:
        super().__init__()
        self.given = given

    def forward(self, x):
        cfg = Config(x if self.given else None)
        if cfg.mask is not None:
            x = x + cfg.mask
        other = Config(None)
        assert other.mask is None
        other.mask = x
        return x + other.mask


HOLDING = [
    InBranch, InElse, AfterReturn, InOperand, InConditional, OfItems, OfInstance, Cached,
    CachedInLoop, AugmentedInBranch, WhileGiven, AskedAgain, AskedAgainInLoop, EndedInOperand,
    OfConfig,
]  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("cls", [*HOLDING, AfterRaise, AfterAssert, AcrossHarmlessCalls])
def test_it_runs_as_python_does(cls: type[nn.Module], given: bool) -> None:
    module = cls(given)
    compiled = minits.script(copy.deepcopy(module), dialect="extended")
    verify(compiled.graph)
    if not given and cls not in HOLDING:
        for run in (module, compiled):
            with pytest.raises(Exception, match=r"bias|^$"):
                run(torch.ones(2))
        return
    for _ in range(2):
        assert torch.equal(compiled(torch.ones(2)), module(torch.ones(2)))


@pytest.mark.parametrize("cls", [*HOLDING, AfterRaise, AfterAssert, AcrossHarmlessCalls])
def test_the_torch_dialect_refuses_it_and_names_the_other(cls: type[nn.Module]) -> None:
    with pytest.raises(CompileError) as caught:
        minits.script(cls(True))
    notes = [note.message for found in caught.value.diagnostics for note in found.notes]
    assert any("the extended dialect accepts it" in note for note in notes)


# ---- Refinements that end ----------------------------------------------------------------------


class Assigned(Holder):
    def forward(self, x):
        assert self.bias is not None
        self.bias = None
        return x + self.bias


class AssignedInBranch(Holder):
    def forward(self, x):
        assert self.bias is not None
        if bool(x.sum() > 0):
            self.bias = None
        return x + self.bias


class AssignedByMethod(Holder):
    def forward(self, x):
        assert self.bias is not None
        self.drop()
        return x + self.bias


class AssignedThroughAlias(Holder):
    def forward(self, x):
        cfg = Config(x)
        alias = cfg
        assert cfg.mask is not None
        alias.mask = None
        return x + cfg.mask


class AssignedLaterInLoop(Holder):
    def forward(self, x):
        assert self.bias is not None
        for i in range(2):
            x = x + self.bias
            self.drop()
        return x


class AssignedBeforeContinue(Holder):
    def forward(self, x):
        assert self.bias is not None
        for i in range(2):
            x = x + self.bias
            if i == 0:
                self.bias = None
                continue
        return x


class AssignedBeforeBreak(Holder):
    def forward(self, x):
        assert self.bias is not None
        while True:
            if bool(x.sum() > 0):
                self.bias = None
                break
        return x + self.bias


class AssignedInOperand(Holder):
    def clear(self) -> bool:
        self.bias = None
        return True

    def forward(self, x):
        if self.bias is not None and self.clear():
            x = x + self.bias
        return x


class AssignedInNestedOperand(Holder):
    def clear(self) -> bool:
        self.bias = None
        return True

    def forward(self, x):
        if (self.size is not None and self.bias is not None) and self.clear():
            x = x + self.bias
        return x


class AssignedInComprehension(Holder):
    def clear(self) -> int:
        self.bias = None
        return 1

    def forward(self, x):
        assert self.bias is not None
        ones = [self.clear() for _ in range(2)]
        return x + self.bias + len(ones)


class AssignedByPython(Holder):
    @torch.jit.ignore
    def python(self) -> None:
        self.bias = None

    def forward(self, x):
        assert self.bias is not None
        self.python()
        return x + self.bias


class ListChanged(Holder):
    def forward(self, x):
        assert self.masks[0] is not None
        self.masks.insert(0, None)
        return x + self.masks[0]


class ListChangedThroughAlias(Holder):
    def forward(self, x):
        masks = self.masks
        assert self.masks[0] is not None
        masks[-2] = None
        return x + self.masks[0]


class ListReplaced(Holder):
    def forward(self, x):
        assert self.masks[0] is not None
        self.masks = [None]
        return x + self.masks[0]


class IndexAssigned(Holder):
    def forward(self, x):
        i = 0
        assert self.masks[i] is not None
        i = 1
        return x + self.masks[i]


class VariableAssigned(Holder):
    def forward(self, x):
        cfg = Config(x)
        assert cfg.mask is not None
        cfg = Config(None)
        return x + cfg.mask


class ConditionEnds(Holder):
    def clear(self) -> bool:
        self.bias = None
        return False

    def forward(self, x):
        assert self.bias is not None
        while self.clear():
            x = x + 1
        return x + self.bias


class OneBranchOnly(Holder):
    def forward(self, x):
        if bool(x.sum() > 0):
            assert self.bias is not None
        return x + self.bias


ENDING = [
    Assigned, AssignedInBranch, AssignedByMethod, AssignedThroughAlias, AssignedLaterInLoop,
    AssignedBeforeContinue, AssignedBeforeBreak, AssignedInOperand, AssignedInNestedOperand,
    AssignedInComprehension, AssignedByPython, ListChanged, ListChangedThroughAlias, ListReplaced,
    IndexAssigned, VariableAssigned, ConditionEnds, OneBranchOnly,
]  # fmt: skip


@pytest.mark.parametrize("cls", ENDING)
def test_after_what_may_change_it_the_value_may_be_none_again(cls: type[nn.Module]) -> None:
    with pytest.raises(CompileError, match=r"Optional|None"):
        minits.script(cls(True), dialect="extended")


# ---- Graphs ------------------------------------------------------------------------------------


class TorchsOwn(Holder):
    def forward(self, x):
        bias = self.bias
        if bias is not None:
            y = self.bias
            if y is None:
                y = x
            x = x + bias
        return x


def test_what_torch_accepts_has_the_same_graph_in_both_dialects() -> None:
    module = TorchsOwn(True)
    code = [minits.script(module, dialect=dialect).code for dialect in ("torch", "extended")]
    assert code[0] == code[1]


class ByHand(Holder):
    def forward(self, x):
        bias = self.bias
        if bias is not None:
            x = x + bias
        return x


class Activated(Holder):
    def forward(self, x):
        x = x * 2
        if self.bias is not None:
            x = x + self.bias
        return torch.relu(x)


@pytest.mark.parametrize("given", [True, False])
def test_it_is_one_kernel(given: bool) -> None:
    graph = minits.script(Activated(given), dialect="extended").graph_for(torch.ones(2))
    beside = ("prim::Constant", "prim::GetAttr")
    kinds = [node.kind for node in graph.nodes if node.kind not in beside]
    assert kinds == ["prim::FusionGroup"]


def test_the_graph_is_that_of_the_test_of_a_variable() -> None:
    ours, by_hand = (
        str(minits.script(cls(True), dialect="extended").graph) for cls in (InBranch, ByHand)
    )
    assert ours.count("GetAttr") == 1
    assert [line.split("#")[0].split("=")[-1].split("(")[0] for line in ours.splitlines()] == [
        line.split("#")[0].split("=")[-1].split("(")[0] for line in by_hand.splitlines()
    ]
