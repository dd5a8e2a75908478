"""Programs specialised on bool attributes: what is fused in eval mode, and who notices a change."""

from __future__ import annotations

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
