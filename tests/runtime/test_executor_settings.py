"""Settings of torch.jit's executor: those that mean something here, and those that only say so."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits

X = torch.ones(4, 3)


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return (x * 2 + 1).relu() * x.sigmoid()


def program(x: Tensor) -> Tensor:
    return (x * 2 + 1).relu() * x.sigmoid()


def fused() -> Any:
    """Return a function that runs by a kernel: it is compiled for this test alone."""
    made = minits.script(lambda_free())
    for _ in range(4):
        made(X)
    return made


def lambda_free() -> Any:
    def local(x: Tensor) -> Tensor:
        return (x * 2 + 1).relu() * x.sigmoid()

    return local


def hits_unoptimized(function: Any) -> bool:
    return "optimized_execution(False)" in function.plan_report()


BLOCKS = {
    "optimized_execution": lambda: minits.optimized_execution(False),
    "fuser": lambda: minits.fuser("none"),
}


@pytest.mark.parametrize("block", BLOCKS)
def test_calls_run_without_kernels(block: str) -> None:
    function = fused()
    expected = function(X)
    assert not hits_unoptimized(function)
    with BLOCKS[block]():
        torch.testing.assert_close(function(X), expected)
        torch.testing.assert_close(function(X), expected)
    assert hits_unoptimized(function)
    before = function.plan_report()
    report = [line for line in before.splitlines() if "optimized_execution" in line]
    torch.testing.assert_close(function(X), expected)
    after = [line for line in function.plan_report().splitlines() if "optimized_execution" in line]
    assert after == report  # the plan was not called again


def test_methods_run_without_kernels() -> None:
    module = minits.script(Net())
    expected = module(X)
    with minits.optimized_execution(False):
        torch.testing.assert_close(module(X), expected)
    assert hits_unoptimized(module.forward)


def test_it_holds_for_the_thread_and_the_block() -> None:
    function = fused()
    with pytest.raises(KeyError), minits.optimized_execution(False):
        other = threading.Thread(target=function, args=(X,))
        other.start()
        other.join()
        assert not hits_unoptimized(function)
        raise KeyError
    function(X)
    assert not hits_unoptimized(function)


@pytest.mark.parametrize("name", ["fuser0", "fuser1", "fuser2", "fuser3"])
def test_all_fusers_are_the_one_there_is(name: str) -> None:
    function = fused()
    with minits.fuser(name), minits.optimized_execution(True):
        function(X)
    assert not hits_unoptimized(function)


def test_unknown_names_are_refused() -> None:
    with (
        pytest.raises(ValueError, match="unrecognized fuser option 'fuser9'"),
        minits.fuser("fuser9"),
    ):
        pass
    with pytest.raises(ValueError, match="a strategy is 'STATIC' or 'DYNAMIC', not 'SOME'"):
        minits.set_fusion_strategy([("SOME", 1)])


def test_what_has_no_effect_says_so() -> None:
    with pytest.warns(UserWarning, match="`set_fusion_strategy` has no effect: plans serve all"):
        before = minits.set_fusion_strategy([("STATIC", 2), ("DYNAMIC", 10)])
    assert before == [("DYNAMIC", 1)]
    with pytest.warns(UserWarning, match="`enable_onednn_fusion` has no effect"):
        minits.enable_onednn_fusion(True)
    minits.enable_onednn_fusion(False)
    assert not minits.onednn_fusion_enabled()
