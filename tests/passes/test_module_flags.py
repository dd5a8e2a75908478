"""Programs specialised on attributes: what is fused in eval mode, and who notices a change."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits


class Net(nn.Module):
    flag: bool

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(8)
        self.drop = nn.Dropout(0.5)
        self.flag = True

    def forward(self, x: Tensor) -> Tensor:
        y = self.drop(torch.relu(self.norm(x) * 2))
        if self.flag:
            y = y + 1
        return torch.tanh(y)


def test_eval_mode_is_one_kernel() -> None:
    module = Net().eval()
    compiled = minits.script(module)
    x = torch.randn(5, 8)
    with torch.no_grad():
        graph = compiled.graph_for(x)
        kinds = [node.kind for node in graph.all_nodes()]
        assert kinds.count("prim::FusionGroup") == 1
        computing = {"aten::batch_norm", "aten::mul", "aten::relu", "aten::dropout", "aten::tanh"}
        assert not computing.intersection(kinds)
        torch.testing.assert_close(compiled(x), module(x))


def test_a_change_of_mode_is_noticed() -> None:
    torch.manual_seed(0)
    module = Net()
    compiled = minits.script(module)
    x = torch.randn(5, 8)
    with torch.no_grad():
        for training in (True, False, True):
            compiled.train(training)
            module.train(training)
            torch.manual_seed(1)
            found = compiled(x)
            torch.manual_seed(1)
            module.norm.load_state_dict(compiled.norm.state_dict())
            if not training:
                torch.testing.assert_close(found, module(x))
        compiled.eval()
        compiled.flag = False
        module.eval()
        module.flag = False
        torch.testing.assert_close(compiled(x), module(x))
    report = compiled.plan_report()
    assert "norm.training is True" in report and "norm.training is False" in report
    assert "flag is False" in report


class Counts(nn.Module):
    started: bool

    def __init__(self) -> None:
        super().__init__()
        self.started = False

    def forward(self, x: Tensor) -> Tensor:
        if self.started:
            return torch.tanh(x * 2)
        self.started = True
        return torch.tanh(x * 3)


def test_a_flag_that_the_program_sets_is_read_anew() -> None:
    compiled = minits.script(Counts())
    x = torch.randn(3)
    torch.testing.assert_close(compiled(x), torch.tanh(x * 3))
    torch.testing.assert_close(compiled(x), torch.tanh(x * 2))
    assert "started" not in compiled.plan_report()


@pytest.mark.parametrize("training", [True, False])
def test_functions_that_take_a_flag_are_as_they_were(training: bool) -> None:
    def program(x: Tensor, on: bool) -> Tensor:
        return torch.tanh(x) if on else torch.sigmoid(x) * 2

    compiled = minits.script(program)
    x = torch.randn(3)
    torch.testing.assert_close(compiled(x, training), program(x, training))


# ---- Optional attributes -----------------------------------------------------------------------


class Affine(nn.Module):
    """Each of its attributes may be None."""

    bias: Tensor | None
    mask: Tensor | None
    scale: float | None
    shift: int | None
    flipped: bool | None

    def __init__(self, given: bool) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.randn(8)) if given else None
        self.register_buffer("mask", torch.randn(8) if given else None)
        self.scale = 2.5 if given else None
        self.shift = 3 if given else None
        self.flipped = False if given else None

    def forward(self, x: Tensor) -> Tensor:
        y = torch.tanh(x * 2)
        bias, mask, scale, shift = self.bias, self.mask, self.scale, self.shift
        if bias is not None:
            y = y + bias
        if mask is not None:
            y = y * mask
        if scale is not None:
            y = y * scale
        if shift is not None:
            y = y + shift
        flipped = self.flipped
        if flipped is not None:
            y = torch.where(y > 0, y, -y) if flipped else y * 0.5
        return torch.relu(y)


class Holder(nn.Module):
    def __init__(self, given: bool) -> None:
        super().__init__()
        self.inner = Affine(given)

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x) + 1


X = torch.randn(5, 8)


@pytest.mark.parametrize("name", ["bias", "mask", "scale", "shift"])
@pytest.mark.parametrize("given", [True, False])
def test_none_or_given_is_one_kernel(name: str, given: bool) -> None:
    module = Holder(given)
    script = minits.script(module)
    missed = {each.code for each in script.remarks(X) if each.kind == "missed"}
    assert missed == (
        {"control-flow"} if given else set()
    )  # a bool is not known with its None-ness
    assert f"inner.{name} is {'given' if given else 'None'}" in script.plan_report()
    torch.testing.assert_close(script(X), module(X))


CHANGES: list[tuple[str, Any]] = [
    ("bias", None),
    ("bias", nn.Parameter(torch.randn(8))),
    ("bias", nn.Parameter(torch.randn(8, dtype=torch.float64))),
    ("bias", nn.Parameter(torch.randn(5, 1), requires_grad=False)),
    ("mask", None),
    ("mask", torch.randn(8)),
    ("mask", torch.randn(5, 8).to(torch.float16)),
    ("scale", None),
    ("scale", 0.25),
    ("shift", -2),
    ("shift", None),
    ("flipped", None),
    ("flipped", True),
    ("flipped", False),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_changes_between_calls_are_noticed(given: bool, seed: int) -> None:
    module = Holder(given)
    script = minits.script(module)
    torch.testing.assert_close(script(X), module(X))
    order = torch.randperm(len(CHANGES), generator=torch.Generator().manual_seed(seed)).tolist()
    for name, content in [CHANGES[index] for index in order]:
        for each in (script, module):
            setattr(each.inner, name, content)
        torch.testing.assert_close(script(X), module(X))
        torch.testing.assert_close(script(X), module(X))


def test_a_plan_for_none_and_one_for_a_tensor() -> None:
    script = minits.script(Affine(True))
    for bias in (None, nn.Parameter(torch.ones(8)), None):
        script.bias = bias
        script(X)
    report = script.plan_report()
    assert "bias is None, " in report and "bias is given, " in report
    assert report.endswith("misses 2, evictions 0")
    assert len(report.splitlines()) > 2


class Remembers(nn.Module):
    last: Tensor | None

    def __init__(self) -> None:
        super().__init__()
        self.last = None

    def forward(self, x: Tensor) -> Tensor:
        last = self.last
        y = torch.tanh(x * 2)
        self.last = y
        return y if last is None else y + last


def test_an_optional_that_the_program_sets_is_read_anew() -> None:
    module, script = Remembers(), minits.script(Remembers())
    for _ in range(3):
        torch.testing.assert_close(script(X), module(X))
    assert "last" not in script.plan_report()


class SetBehindItsBack(nn.Module):
    mask: Tensor | None
    on: bool

    def __init__(self) -> None:
        super().__init__()
        self.mask = None
        self.on = False

    @torch.jit.ignore
    def change(self) -> None:
        self.mask = torch.ones(8)
        self.on = True

    def forward(self, x: Tensor) -> Tensor:
        self.change()
        y = torch.tanh(x * 2)
        mask = self.mask
        if mask is not None:
            y = y * 2 + mask
        return y * 3 if self.on else y


def test_what_python_may_set_is_read_anew() -> None:
    script = minits.script(SetBehindItsBack())
    wanted = (torch.tanh(X * 2) * 2 + 1) * 3
    script(X)
    script.mask, script.on = None, False
    torch.testing.assert_close(script(X), wanted)
    assert "mask" not in script.plan_report()
