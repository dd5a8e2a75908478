"""The first call of a program runs it as it was written, the next one is planned."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

import minits
from minits.kernels.cpu import background
from minits.runtime.plan import Plan
from minits.runtime.script import ScriptFunction
from minits.runtime.strict_fusion import FusionError
from tests.kernels.test_c_build import forget, needs_compiler


@pytest.fixture(autouse=True)
def default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache, and calls that wait for the compiler when they are planned."""
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path))
    monkeypatch.setenv("MINITS_BUILD", "again")
    forget(monkeypatch)


def chain(x: Tensor, scale: float = 2.0) -> Tensor:
    return torch.sigmoid(torch.tanh(x) * scale + 1)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear, self.norm = nn.Linear(4, 4), nn.LayerNorm(4)

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh(self.norm(self.linear(x))) * 2 + x


def plans_of(compiled: ScriptFunction) -> list[Plan]:
    return [plan for plan in compiled._plans if isinstance(plan, Plan)]


def operators_of(compiled: ScriptFunction, *args: object) -> set[str]:
    """What torch's profiler sees of a call."""
    with torch.profiler.profile() as profile:
        compiled(*args)
    return {event.key for event in profile.key_averages()}


def test_the_first_call_plans_nothing() -> None:
    compiled, x = minits.script(chain), torch.randn(3, 4)
    assert torch.equal(compiled(x), chain(x))
    assert not plans_of(compiled)
    assert compiled.plan_report() == (
        "no plan has been built; the first call ran the program as it was written"
    )


@needs_compiler
def test_the_second_call_is_fused() -> None:
    compiled, x = minits.script(chain), torch.randn(3, 4)
    assert "aten::tanh" in operators_of(compiled, x)
    compiled(x)
    assert "aten::tanh" not in operators_of(compiled, x)
    torch.testing.assert_close(compiled(x), chain(x))


def test_other_shapes_are_no_first_calls() -> None:
    compiled = minits.script(chain)
    compiled(torch.randn(3, 4))
    compiled(torch.randn(7))
    assert len(plans_of(compiled)) == 1


def test_now_plans_the_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_BUILD", "now")
    compiled = minits.script(chain)
    compiled(torch.randn(3, 4))
    assert len(plans_of(compiled)) == 1


def test_nor_is_it_planned_where_calls_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINITS_BUILD")
    compiled, x = minits.script(chain), torch.randn(3, 4)
    compiled(x)
    assert not plans_of(compiled)
    assert not background.BACKGROUND.is_busy


@needs_compiler
def test_strict_fusion_waits_for_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINITS_BUILD")
    compiled, x = minits.script(chain), torch.randn(3, 4)
    with minits.strict_fusion():
        compiled(x)
    assert "aten::tanh" not in operators_of(compiled, x)


def test_strict_fusion_plans_the_first_call() -> None:
    def left_alone(x: Tensor) -> Tensor:
        return torch.mm(torch.tanh(x) * 2, x)

    compiled = minits.script(left_alone)
    with pytest.raises(FusionError), minits.strict_fusion():
        compiled(torch.randn(4, 4))


@needs_compiler
def test_whoever_asks_has_a_plan_made() -> None:
    compiled, x = minits.script(chain), torch.randn(3, 4)
    assert any(each.code == "fused" for each in compiled.remarks(x))
    assert "aten::sigmoid" not in operators_of(compiled, x)
    warmed = minits.script(chain)
    warmed.warm_up(x)
    assert plans_of(warmed)


@needs_compiler
def test_what_is_warmed_up_is_fused_at_once() -> None:
    compiled, x = minits.script(chain), torch.randn(3, 4)
    compiled.warm_up(x)
    assert "aten::tanh" not in operators_of(compiled, x)


@needs_compiler
def test_a_plan_on_disk_runs_the_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_PLANS", "disk")
    monkeypatch.setattr("minits.runtime.stored_plans.WORTH_WRITING", 0.0)
    x, before = torch.randn(3, 4), minits.script(chain)
    for _ in range(2):
        before(x)
    assert "aten::tanh" not in operators_of(minits.script(chain), x)


def test_instances_of_a_class_share_the_first_call() -> None:
    nets = [Net(), Net()]
    compiled, x = [minits.script(net) for net in nets], torch.randn(3, 4)
    for net, mine in zip(nets, compiled, strict=True):
        torch.testing.assert_close(mine(x), net(x))
    assert plans_of(compiled[1].forward)


def test_gradients_of_a_first_call_are_eagers() -> None:
    net, x = Net(), torch.randn(3, 4, requires_grad=True)
    compiled = minits.script(net)
    wanted = torch.autograd.grad(net(x).sum(), [x, *net.parameters()])
    for _ in range(2):
        found = torch.autograd.grad(compiled(x).sum(), [x, *net.parameters()])
        torch.testing.assert_close(found, wanted)


def test_a_first_call_that_raises_is_one() -> None:
    def checked(x: Tensor, limit: int) -> Tensor:
        assert x.size(0) < limit, "too long"
        return torch.tanh(x) * 2 + 1

    compiled, x = minits.script(checked), torch.randn(3)
    with pytest.raises(AssertionError, match="too long"):
        compiled(x, 2)
    torch.testing.assert_close(compiled(x, 4), checked(x, 4))
    assert plans_of(compiled)


def test_a_first_call_in_a_checkpoint_is_like_the_second() -> None:
    """It is run again for its gradients, and has to save what it saved."""
    compiled, x = minits.script(chain), torch.randn(3, 4, requires_grad=True)
    result = checkpoint(compiled, x, use_reentrant=False)
    found = torch.autograd.grad(result.sum(), x)
    torch.testing.assert_close(found, torch.autograd.grad(chain(x).sum(), x))


def test_threads_whose_calls_come_first() -> None:
    compiled, found = minits.script(chain), list[Tensor]()
    x, barrier = torch.randn(3, 4), threading.Barrier(4)

    def call() -> None:
        barrier.wait()
        found.append(compiled(x))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for each in found:
        torch.testing.assert_close(each, chain(x))


def test_calls_are_calls_in_what_was_written() -> None:
    """Functions and methods that the program calls are not inlined for one call."""

    def inner(x: Tensor, times: int) -> Tensor:
        for _ in range(times):
            x = chain(x)
        return x

    def outer(x: Tensor) -> Tensor:
        return inner(x, 2) + inner(x, 3)

    compiled, x = minits.script(outer), torch.randn(3, 4)
    assert torch.equal(compiled(x), outer(x))


def test_what_passes_carry_out_once_is_planned() -> None:
    """A generator is one object for all calls, the first one among them, as in torch.jit."""

    def make() -> torch.Generator:
        return torch.Generator()

    def draw(n: int) -> tuple[Tensor, int]:
        make().manual_seed(n)
        return torch.rand(n, generator=make()), make().initial_seed()

    compiled, wanted = minits.script(draw), torch.jit.script(draw)
    drawn = [compiled(3) for _ in range(3)]
    torch.testing.assert_close(drawn, [wanted(3) for _ in range(3)], rtol=0, atol=0)


def positive(x: float) -> float:
    return 0.0 * x


def negative(x: float) -> float:
    return -0.0 * x


def test_zeros_of_two_functions_keep_their_signs() -> None:
    """torch.jit makes one constant of both where it inlines; plans had done so, too."""

    def both(x: float) -> list[float]:
        return [positive(x), negative(x)]

    def either(flag: bool) -> float:
        y = positive(1.0) if flag else negative(1.0)
        return y * 2.0

    first, second = minits.script(both), minits.script(either)
    for _ in range(3):
        assert str(first(1.0)) == "[0.0, -0.0]"
        assert (str(second(True)), str(second(False))) == ("0.0", "-0.0")
