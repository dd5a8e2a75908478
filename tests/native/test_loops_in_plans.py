"""Loops as C beside what they are in: gradients, odd tensors, views, lists and attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from examples.elements import time_warping
from minits.ir.native_loops import outlined
from minits.native.elements import Kind
from minits.native.function import NativeFunction
from minits.native.loop import NativeLoop
from tests.support.agreement import comparable
from tests.support.native_loops import compiled, loops_of, told
from tests.support.needs import need_compiler

need_compiler()


# ---- What C does not do --------------------------------------------------------------------------


def added(x: Tensor, by: Tensor, n: int) -> Tensor:
    for i in range(n):
        x[i] = x[i] + by[i]
    return x


def ran(loop: NativeLoop, *values: Any) -> str:
    """Return who runs a loop for these values: C or Python."""
    return "python" if loop._run_for(values) is loop.python else "C"


def loop_of(function: Callable[..., Any], values: tuple[Any, ...], monkeypatch: Any) -> NativeLoop:
    native = compiled(function, "now", monkeypatch)
    native(*values), native(*values)
    (loop,) = loops_of(native, values)
    return loop


def test_gradients_and_other_tensors_are_left_to_python(monkeypatch: Any) -> None:
    x, y = torch.zeros(3), torch.ones(3)
    loop = loop_of(added, (x, y, 3), monkeypatch)
    assert ran(loop, 3, x, y) == "C"
    assert ran(loop, 3, x, y.requires_grad_()) == "python"
    with torch.no_grad():
        assert ran(loop, 3, x, y) == "C"
    assert ran(loop, 3, x, torch.ones(3).to_sparse()) == "python"
    assert ran(loop, 3, x, torch.ones(3, device="meta")) == "python"
    assert ran(loop, 3, x.half(), y.half()) == "python"
    assert ran(loop, 3, x, None) == "python"
    assert ran(loop, 3, x, torch.ones(3, dtype=torch.complex64).real) == "C"
    with torch.inference_mode():
        other = torch.zeros(3)
        assert ran(loop, 3, other, y) == "C"
    assert ran(loop, 3, other, torch.ones(3)) == "python"


def test_gradients_are_those_of_torch(monkeypatch: Any) -> None:
    native = compiled(added, "now", monkeypatch)
    for _ in range(3):
        by = torch.ones(3, requires_grad=True)
        native(torch.zeros(3), by, 2).sum().backward()
        assert by.grad is not None
        assert by.grad.tolist() == [1.0, 1.0, 0.0]


def test_a_write_is_seen_by_autograd(monkeypatch: Any) -> None:
    native = compiled(added, "now", monkeypatch)
    for _ in range(3):
        x, weight = torch.ones(3), torch.ones(3, requires_grad=True)
        loss = (x * weight).sum()
        native(x, torch.ones(3), 3)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            loss.backward()


def test_what_may_be_written_but_is_not_stays_what_it_is(monkeypatch: Any) -> None:
    def cut(x: Tensor, most: float) -> Tensor:
        for i in range(len(x)):
            if float(x[i]) > most:
                x[i] = most
        return x

    native = compiled(cut, "now", monkeypatch)
    for most, writes in ((9.0, 0), (9.0, 0), (0.5, 3), (0.5, 3), (1.5, 0)):
        x = torch.ones(3)
        before = x._version
        native(x, most)
        assert x._version - before == writes


def test_dispatch_modes_see_single_operators(monkeypatch: Any) -> None:
    from torch.utils._python_dispatch import TorchDispatchMode

    class Counting(TorchDispatchMode):
        calls = 0

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            self.calls += 1
            return func(*args, **(kwargs or {}))

    native = compiled(added, "now", monkeypatch)
    values = torch.zeros(3), torch.ones(3), 3
    native(*values), native(*values)
    with Counting() as counting:
        native(*values)
    assert counting.calls >= 9


def test_memory_that_two_tensors_share(monkeypatch: Any) -> None:
    def shifted(x: Tensor, y: Tensor, n: int) -> Tensor:
        for i in range(n):
            x[i] = y[i] + 1
            if int(y[i]) > 3:
                y[i] = 0
        return x

    def call(function: Any, dtype: torch.dtype) -> list[float]:
        memory = torch.arange(8.0)
        function(memory[1:], memory.view(dtype)[:-1], 6)
        return memory.tolist()

    native, python = compiled(shifted, "now", monkeypatch), shifted
    for _ in range(2):
        assert call(native, torch.float32) == call(python, torch.float32)
    assert call(native, torch.int32) == call(python, torch.int32)


def kept(x: Tensor, n: int) -> Tensor:
    best = x[0]
    for i in range(n):
        if bool(x[i] > best):
            best = x[i]
    return best


def changed(x: Tensor, n: int) -> float:
    best = x[0]
    for i in range(n):
        if bool(x[i] > best):
            best = x[i]
        x[i] = x[i] * 2
    return float(best)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [kept, changed])
def test_where_it_matters_that_an_element_is_a_view(
    function: Callable[..., Any], monkeypatch: Any
) -> None:
    native = compiled(function, "now", monkeypatch)
    values = torch.tensor([1.0, 3.0, 2.0]), 3
    for _ in range(2):
        x = values[0].clone()
        result = native(x, 3)
        x.mul_(10)
        assert comparable(result) == comparable(torch.tensor(30.0) if function is kept else 6.0)
    assert not loops_of(native, values)


def test_gradients_of_elements_are_those_of_torch(monkeypatch: Any) -> None:
    native = compiled(summed, "now", monkeypatch)
    for _ in range(3):
        x = torch.ones(4, requires_grad=True)
        native(x, 3).backward()
        assert x.grad is not None
        assert x.grad.tolist() == [2.0, 2.0, 2.0, 0.0]
    with torch.no_grad():
        assert native(torch.ones(4), 3).item() == 6.0


def summed(x: Tensor, n: int) -> Tensor:
    total = x[0] - x[0]
    for i in range(n):
        total = total + x[i]
    return total * 2


# ---- Lists of the caller -------------------------------------------------------------------------


def collected(x: Tensor, n: int) -> tuple[list[int], list[int], Tensor]:
    """A list that C writes to, and that others have, too."""
    found = [7]
    same = found
    empty: list[int] = []
    for i in range(n):
        if float(x[i]) > 0.0:
            found.append(i)
        else:
            empty.append(len(found))
    same.append(-1)
    return found, empty, x.sort()[0]


def exchanged(x: Tensor, n: int) -> tuple[list[float], list[float], Tensor]:
    """Lists that a loop carries are the caller's own after it."""
    a, b = [0.0], [1.0]
    first = a
    for i in range(n):
        b.append(float(x[i]))
        a, b = b, a
    first.append(9.0)
    return a, b, x + 1


def doubled_names(x: Tensor, n: int) -> tuple[int, Tensor]:
    """One list under two names, which the program finds out as it runs."""
    a = [1, 2]
    b = a if n > 2 else [5]
    for i in range(n):
        a.append(int(x[i]))
        b[0] = len(a) + len(b)
    return a[0] * 100 + b[0], x.sort()[0]


def inner(x: Tensor, n: int) -> tuple[int, list[Tensor]]:
    """A loop within one that is not native."""
    kept: list[Tensor] = []
    total = 0
    for i in range(n):
        y = x.roll(i)
        kept.append(y)
        for j in range(len(y)):
            total += int(y[j]) * (i + 1)
    return total, kept


def named(x: Tensor, n: int) -> tuple[dict[str, int], dict[str, int], str, Tensor]:
    """Dicts and strs that are there before the loop, and after it."""
    names = {"a": 0}
    same = names
    last, empty = "", {"b": 1}
    for i in range(n):
        last = last + str(i)
        names[last] = int(x[i])
        if i == 2:
            empty, names = names, empty
    same["c"] = 5
    return names, empty, last, x.sort()[0]


def left(x: Tensor, n: int) -> tuple[str, list[int]]:
    """What a loop returns is not there where it returns nothing."""
    y = x.relu()
    for i in range(n):
        if float(y[i]) > 2.5:
            return str(i), [i]
    for i in range(n):
        for j in range(i):
            if float(x[i]) + float(x[j]) < -5.0:
                return str(j) + "-", [i, j]
    return "none", [n]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("function", [collected, exchanged, doubled_names, inner, named, left])
def test_lists_stay_those_of_the_caller(
    function: Callable[..., Any], n: int, monkeypatch: Any
) -> None:
    values = torch.tensor([1.0, -2.0, 3.0, -4.0, 5.0]), n
    native = compiled(function, "now", monkeypatch)
    told(function, native, values)
    assert told(function, native, values) == told(function, torch.jit.script(function), values)
    assert loops_of(native, values)


class Smoothed(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("weights", torch.tensor([0.25, 0.5, 0.25]))
        self.scale = 2.0
        self.steps = 0
        self.seen = torch.jit.Attribute([], list[int])

    def forward(self, x: Tensor) -> Tensor:
        y = torch.zeros_like(x)
        for i in range(len(x)):
            total = 0.0
            for j in range(len(self.weights)):
                at = i + j - 1
                if 0 <= at and at < len(x):
                    total += float(x[at]) * float(self.weights[j]) * self.scale
            y[i] = total
            self.seen.append(i)
        self.steps += 1
        return y


class Counted(Smoothed):
    def forward(self, x: Tensor) -> Tensor:
        y = torch.zeros_like(x)
        for i in range(len(x)):
            self.steps += 1
            y[i] = float(x[i]) * self.steps
        return y


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("kind", "loops"), [(Smoothed, 1), (Counted, 0)])
def test_attributes_are_read_before_a_loop_that_sets_none(
    kind: type[Smoothed], loops: int, monkeypatch: Any
) -> None:
    native = compiled(kind(), "now", monkeypatch)
    theirs = torch.jit.script(kind())
    for x in (torch.randn(6), torch.randn(4), torch.randn(5)):
        assert comparable(native(x)) == comparable(theirs(x))
        native.scale = theirs.scale = 0.5
    assert (native.steps, native.seen) == (theirs.steps, theirs.seen)
    assert len(loops_of(native.forward, (torch.randn(3),))) == loops


@pytest.mark.parametrize("worth", [0.0, 1e9])
def test_a_short_loop_in_a_loop_stays_python(worth: float, monkeypatch: Any) -> None:
    monkeypatch.setattr("minits.native.hot.WORTH_CALLING", worth)
    function = compiled(inner, "hot", monkeypatch)
    values = torch.tensor([1.0, -2.0]), 30
    function(*values), function(*values)
    assert ("it takes less than" in function.plan_report()) == (worth > 0.0)
    assert comparable(function(*values)) == comparable(inner(*values))


def test_a_loop_that_is_hot_goes_over_to_c(monkeypatch: Any) -> None:
    monkeypatch.setattr("minits.native.hot.WORTH_BUILDING", -1.0)
    monkeypatch.setattr("minits.native.function.is_built", lambda text: False)
    function = compiled(time_warping, "hot", monkeypatch)
    values = torch.randn(9), torch.randn(8)
    results = [function(*values) for _ in range(3)]
    (loop,) = loops_of(function, values)
    (run,) = loop._runs.values()
    assert run is not None
    assert run._job is not None
    run._job.result(waits=True)
    assert [*results, function(*values)] == [time_warping(*values)] * 4
    assert "runs as C" in function.plan_report()


def test_the_text_has_pointers_sizes_and_strides() -> None:
    graph = minits.script(added).graph_after(["optimize"])
    kinds = [Kind(torch.float32, 1), Kind(torch.float32, 1), None]
    text = NativeFunction(graph_of_loop(graph), "added", [kinds[2], *kinds[:2]], True).text
    assert "float *x, int64_t x_size_0, int64_t x_stride_0" in text
    assert "const float *by" in text
    assert "x[i * x_stride_0] = x[i * x_stride_0] + by[i * by_stride_0];" in text
    assert "++*x_writes;" in text


def graph_of_loop(graph: Any) -> Any:
    (loop,) = graph.nodes_of_kind("prim::Loop")
    return outlined(loop)[0]
