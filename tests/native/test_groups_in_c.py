"""Fused groups of loops that run as C: their kernels are called without Python."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from benchmarks.native_tensor_programs import SMALL_TENSORS
from minits.native.groups import GroupOfC
from tests.support.native_loops import compiled
from tests.support.needs import need_c_interface

need_c_interface()


def steps(x: Tensor, weight: Tensor, scale: float, shift: int, n: int) -> tuple[Tensor, Tensor]:
    """Two results of a kernel, and numbers of the call among its inputs."""
    h = torch.zeros_like(x)
    for i in range(n):
        y = linear(x, weight)
        h = torch.tanh(y * scale + h) + shift * i
        x = torch.sigmoid(h) - x
    return h, x


def grown(x: Tensor, n: int) -> Tensor:
    """Other sizes in each round."""
    for _ in range(n):
        x = torch.cat([torch.relu(x) * 2.0, x[:2]]) + 1.0
    return x


def looked_up(table: Tensor, places: Tensor, n: int) -> Tensor:
    """Indices that a kernel checks."""
    total = torch.zeros(3)
    for i in range(n):
        total = total + table[places + i] * 0.5
    return total


class CountedCalls:
    """Counts the calls of groups that go to Python."""

    def __init__(self, monkeypatch: Any) -> None:
        self.count = 0
        call = GroupOfC._call

        def counted(group: GroupOfC, inputs: int, handles: int) -> int:
            self.count += 1
            return call(group, inputs, handles)

        monkeypatch.setattr(GroupOfC, "_call", counted)


def native_run(function: Any, *values: Any) -> Any:
    """Return the native run of the plan of a call."""
    return function.plan_for(*values).native


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("program", "count", "_"), SMALL_TENSORS)
def test_loops_of_small_tensors_are_c(program: Any, count: int, _: float, monkeypatch: Any) -> None:
    native = compiled(program, "now", monkeypatch)
    expected = torch.jit.script(program)(count)
    for _ in range(3):
        assert native(count) == pytest.approx(expected, rel=1e-4)
    assert native_run(native, count).report() == "runs as C"


def test_a_kernel_is_called_without_python(monkeypatch: Any) -> None:
    calls = CountedCalls(monkeypatch)
    native = compiled(steps, "now", monkeypatch)
    values = torch.randn(3, 5), torch.randn(5, 5), 0.25, 2, 6
    for _ in range(3):
        torch.testing.assert_close(native(*values), steps(*values))
    before = calls.count
    assert 0 < before < 3 * 6
    torch.testing.assert_close(native(*values), steps(*values))
    assert calls.count == before


@pytest.mark.one_in(2)
@pytest.mark.parametrize("shape", [(3, 5), (1, 5), (7, 5), (0, 5), (2000, 5)])
def test_other_sizes_are_other_kernels(shape: tuple[int, ...], monkeypatch: Any) -> None:
    native = compiled(steps, "now", monkeypatch)
    weight = torch.randn(5, 5)
    for each in ((3, 5), shape, (3, 5), shape):
        values = torch.randn(each), weight, -1.5, 1, 4
        torch.testing.assert_close(native(*values), steps(*values))
    transposed = torch.randn(5, 3).t(), weight, 0.5, 0, 3
    torch.testing.assert_close(native(*transposed), steps(*transposed))


def test_sizes_that_change_within_a_call(monkeypatch: Any) -> None:
    native = compiled(grown, "now", monkeypatch)
    for count in (0, 3, 9, 80):
        x = torch.randn(4)
        torch.testing.assert_close(native(x, count), grown(x, count))


def test_other_dtypes_have_plans_of_their_own(monkeypatch: Any) -> None:
    native = compiled(steps, "now", monkeypatch)
    for dtype in (torch.float64, torch.float32, torch.float64):
        values = torch.randn(2, 5, dtype=dtype), torch.randn(5, 5, dtype=dtype), 0.5, 1, 3
        torch.testing.assert_close(native(*values), steps(*values))


def test_gradients_are_recorded_by_python(monkeypatch: Any) -> None:
    native = compiled(steps, "now", monkeypatch)
    x, weight = torch.randn(3, 5), torch.randn(5, 5, requires_grad=True)
    for _ in range(3):
        (h, y), (wanted, other) = (f(x, weight, 0.5, 1, 3) for f in (native, steps))
        torch.testing.assert_close((h, y), (wanted, other))
        (found,) = torch.autograd.grad(h.sum() + y.sum(), [weight])
        (expected,) = torch.autograd.grad(wanted.sum() + other.sum(), [weight])
        torch.testing.assert_close(found, expected)
        with torch.no_grad():
            assert not native(x, weight, 0.5, 1, 3)[0].requires_grad


def test_the_parameters_of_a_module_are_looked_at_too(monkeypatch: Any) -> None:
    net = Cell()
    native = compiled(net, "now", monkeypatch)
    x = torch.randn(2, 4)
    for _ in range(3):
        assert native(x, 3).grad_fn is not None
        with torch.no_grad():
            torch.testing.assert_close(native(x, 3), net(x, 3))


class Cell(nn.Module):
    """A recurrent cell."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x: Tensor, n: int) -> Tensor:
        for _ in range(n):
            x = torch.tanh(self.layer(x)) * 0.5 + x
        return x


def test_what_a_check_of_a_kernel_finds_is_raised(monkeypatch: Any) -> None:
    native = compiled(looked_up, "now", monkeypatch)
    table, places = torch.randn(6, 3), torch.tensor(0)
    for count in (3, 6, 3, 7, 6):
        values = table, places, count
        if count < 7:
            torch.testing.assert_close(native(*values), looked_up(*values))
        else:
            with pytest.raises(RuntimeError, match="index 6 is out of bounds"):
                native(*values)


def test_threads_share_the_kernels(monkeypatch: Any) -> None:
    native = compiled(steps, "now", monkeypatch)
    weight, done = torch.randn(5, 5), []

    def work(rows: int) -> None:
        for _ in range(30):
            values = torch.randn(rows, 5), weight, 0.5, 1, 5
            torch.testing.assert_close(native(*values), steps(*values))
        done.append(rows)

    threads = [threading.Thread(target=work, args=(rows,)) for rows in (2, 3, 4, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [2, 3, 4, 5]
