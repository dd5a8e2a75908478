"""Dropout is in a kernel where it is known to drop nothing; else it parts only what it must."""

from typing import Final

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

import minits

X, Y = torch.randn(4, 8), torch.randn(4, 8)


class Around(nn.Module):
    """Computes before dropout, after it, and beside it."""

    def __init__(self, dropout: nn.Module) -> None:
        super().__init__()
        self.dropout = dropout

    def forward(self, x: Tensor, y: Tensor):
        before = torch.tanh(x * 2 + y)
        dropped = self.dropout(before)
        beside = torch.exp(x) - y
        return F.gelu(dropped) * 1.5 + beside, before + beside


class Settled(nn.Dropout):
    """Its `training` is known when it is scripted."""

    training: Final[bool]


def not_in_training(x: Tensor, y: Tensor):
    return F.gelu(F.dropout(torch.tanh(x * 2 + y), 0.1, training=False)) * y


def test_dropout_of_nothing_is_fused() -> None:
    script = minits.script(not_in_training)
    assert {remark.kernel for remark in script.remarks(X, Y)} == {0}
    torch.testing.assert_close(script(X, Y), not_in_training(X, Y))


def test_a_final_attribute_settles_it() -> None:
    module = Around(Settled(0.5)).eval()
    script = minits.script(module)
    assert {remark.kernel for remark in script.remarks(X, Y)} == {0}
    torch.testing.assert_close(script(X, Y), module(X, Y))


def test_eval_mode_settles_it() -> None:
    module = Around(nn.Dropout(0.5)).eval()
    script = minits.script(module)
    assert {remark.kernel for remark in script.remarks(X, Y)} == {0}
    torch.testing.assert_close(script(X, Y), module(X, Y))


def test_dropout_in_training_parts_what_it_must() -> None:
    module = Around(nn.Dropout(0.5)).train()
    script = minits.script(module)
    kernels = [remark.kernel for remark in script.remarks(X, Y) if remark.kind == "passed"]
    assert kernels == [0] * 5 + [1] * 3 + [0]
    (missed,) = [remark for remark in script.remarks(X, Y) if remark.kind == "missed"]
    assert (missed.operator, missed.code) == ("aten::dropout", "random")
    assert missed.fix is not None and ".eval()" in missed.fix
    torch.manual_seed(1)
    found = script(X, Y)
    torch.manual_seed(1)
    torch.testing.assert_close(found, module(X, Y))


def by_argument(x: Tensor, training: bool) -> Tensor:
    return torch.tanh(F.dropout(x * 2 + 1, 0.5, training)) * 3


@pytest.mark.parametrize("training", [True, False])
def test_an_argument_is_not_known_to_the_plan(training: bool) -> None:
    script = minits.script(by_argument)
    (missed,) = [remark for remark in script.remarks(X, training) if remark.kind == "missed"]
    assert (missed.operator, missed.code) == ("aten::dropout", "random")
    torch.manual_seed(1)
    found = script(X, training)
    torch.manual_seed(1)
    torch.testing.assert_close(found, by_argument(X, training))
