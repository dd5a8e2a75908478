"""Loops over elements of tensors run as C, in a plan, and do what eager and torch.jit do."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.compilation_state import STATE
from minits.ir.native_loops import outlined
from minits.kernels.cpu.c_build import NoCompiler, compiler
from minits.native.elements import Kind
from minits.native.function import NativeFunction
from minits.native.loop import NativeLoop
from minits.native.modes import loops_in
from tests.support.agreement import comparable

try:
    compiler()
except NoCompiler as _reason:
    pytest.skip(str(_reason), allow_module_level=True)


def warped(a: Tensor, b: Tensor) -> float:
    n, m = a.size(0), b.size(0)
    cost = torch.full([n + 1, m + 1], float("inf"))
    cost[0, 0] = 0.0
    for i in range(n):
        for j in range(m):
            d = abs(float(a[i]) - float(b[j]))
            best = min(float(cost[i, j + 1]), float(cost[i + 1, j]), float(cost[i, j]))
            cost[i + 1, j + 1] = d + best
    return float(cost[n, m])


def warped_tensors(a: Tensor, b: Tensor) -> Tensor:
    cost = torch.full([len(a) + 1, len(b) + 1], float("inf"), dtype=a.dtype)
    cost[0, 0] = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            d = (a[i] - b[j]).abs()
            least = torch.min(cost[i, j + 1], torch.min(cost[i + 1, j], cost[i, j]))
            cost[i + 1, j + 1] = d + least
    return cost


def suppressed(boxes: Tensor, scores: Tensor, threshold: float) -> list[int]:
    order = torch.argsort(scores, descending=True)
    keep: list[int] = []
    removed = torch.zeros(boxes.size(0), dtype=torch.bool)
    for i in range(order.size(0)):
        a = int(order[i])
        if bool(removed[a]):
            continue
        keep.append(a)
        for j in range(i + 1, order.size(0)):
            b = int(order[j])
            width = min(float(boxes[a, 2]), float(boxes[b, 2])) - max(
                float(boxes[a, 0]), float(boxes[b, 0])
            )
            height = min(float(boxes[a, 3]), float(boxes[b, 3])) - max(
                float(boxes[a, 1]), float(boxes[b, 1])
            )
            inter = max(0.0, width) * max(0.0, height)
            area = float(boxes[a, 2] - boxes[a, 0]) * (boxes[a, 3] - boxes[a, 1]).item()
            other = (boxes[b, 2] - boxes[b, 0]).item() * float(boxes[b, 3] - boxes[b, 1])
            if inter / (area + other - inter) > threshold:
                removed[b] = True
    return keep


def best_path(emissions: Tensor, transitions: Tensor) -> tuple[list[int], float]:
    steps, states = emissions.shape[0], emissions.shape[1]
    score = emissions.clone()
    back = torch.zeros([steps, states], dtype=torch.long)
    for t in range(1, steps):
        for j in range(states):
            best, at = float(score[t - 1, 0]) + float(transitions[0, j]), 0
            for i in range(1, states):
                s = float(score[t - 1, i]) + float(transitions[i, j])
                if s > best:
                    best, at = s, i
            score[t, j] = best + float(emissions[t, j])
            back[t, j] = at
    last = 0
    for j in range(1, states):
        if score[-1, j] > score[-1, last]:
            last = j
    path = [last]
    for t in range(steps - 1, 0, -1):
        last = int(back[t, last].item())
        path.append(last)
    path.reverse()
    return path, float(score[-1, path[-1]])


def counted(x: Tensor, bins: Tensor, low: float, high: float) -> Tensor:
    """Elements of `x` between bounds, by the bin that they fall into."""
    n = bins.shape[0]
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            v = float(x[i, j])
            if low <= v and v < high:
                bins[int((v - low) / (high - low) * n)] += 1
    return bins


def swept(x: Tensor, n: int) -> Tensor:
    """A sweep that reads what it has written, with negative indices."""
    for k in range(n):
        for i in range(1, x.size(0)):
            x[-i] = x[-i - 1] * 0.5 + x[i - 1] / 3.0 - x[0]
            x[i] *= 2
        x[k % 3] += 1.5
    return x


def beyond(x: Tensor, n: int) -> float:
    total = 0.0
    for i in range(n):
        total += float(x[i, -1]) + float(x[0, 2 - i])
    return total


def rounded(x: Tensor) -> int:
    total = 0
    for i in range(len(x)):
        total += int(x[i])
    return total


def flagged(x: Tensor, flags: Tensor) -> tuple[int, Tensor]:
    count = 0
    for i in range(x.numel() if x.dim() == 1 else len(x)):
        flags[i] = x[i] > 0
        if bool(x[i] != 0) and x[i] >= x[0]:
            count += 1
        if flags[i]:
            count += 10
    return count, flags


def greatest(x: Tensor) -> tuple[int, float]:
    """An element that a loop carries, a view of `x` to the program."""
    best, at = x[0], 0
    for i in range(1, len(x)):
        if bool(x[i] > best):
            best, at = x[i], i
    return at, float(best) + 1.0


def chosen(x: Tensor, y: Tensor, n: int) -> int:
    count = 0
    for i in range(n):
        v = x[i] if i % 2 == 0 else y[i]
        w = v * 2
        if float(v) < 0.0:
            w = -v
        if w > y[0]:
            count += 1
    return count


def by_dtype(x: Tensor, k: Tensor) -> int:
    count = 0
    for i in range(len(x)):
        if x[i].dtype == k[0].dtype or k.dim() == 2:
            count += x.dim()
        elif x[i].dtype == torch.float32 and x.shape[0] > 2:
            count += 10
    return count


torch.manual_seed(0)
X = torch.randn(7)
BOXES = torch.rand(30, 4) + torch.tensor([0.0, 0.0, 1.0, 1.0])
CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (warped, (torch.randn(9), torch.randn(8))),
    (warped, (torch.randn(18)[::2], torch.randn(8, dtype=torch.float64))),
    (warped, (torch.arange(9), torch.arange(8, dtype=torch.int32))),
    (warped_tensors, (torch.randn(9), torch.randn(8))),
    (warped_tensors, (torch.randn(5, dtype=torch.float64), torch.randn(3, dtype=torch.float64))),
    (warped_tensors, (torch.tensor([1.0, float("nan"), -0.0]), torch.tensor([0.0, -0.0]))),
    (suppressed, (BOXES, torch.rand(30), 0.3)),
    (suppressed, (BOXES.t().contiguous().t(), torch.rand(30), 0.1)),
    (best_path, (torch.randn(12, 5), torch.randn(5, 5))),
    (counted, (torch.randn(5, 6), torch.zeros(4), -1.0, 1.0)),
    (counted, (torch.randn(6, 5).t(), torch.zeros(8)[1::2], -1.0, 1.0)),
    (counted, (torch.randn(5, 6), torch.zeros(4, dtype=torch.long), -1.0, 1.0)),
    (swept, (X.clone(), 4)), (swept, (X.double(), 4)), (swept, (torch.randn(14)[1::2], 3)),
    (beyond, (torch.randn(4, 3), 3)), (beyond, (torch.randn(4, 3), 6)),
    (beyond, (torch.randn(2, 3), 4)), (beyond, (torch.randn(4, 1).expand(4, 3), 4)),
    (rounded, (torch.tensor([1.5, -2.7]),)), (rounded, (torch.tensor([1.5, float("nan")]),)),
    (rounded, (torch.tensor([3, 2**62]),)), (rounded, (torch.tensor([True, False]),)),
    (rounded, (torch.tensor([1e19], dtype=torch.float64),)),
    (flagged, (torch.tensor([0.0, -1.0, float("nan"), 2.0]), torch.zeros(4, dtype=torch.bool))),
    (by_dtype, (torch.randn(3), torch.arange(3))), (by_dtype, (torch.ones(3), torch.ones(1))),
    (greatest, (torch.randn(9),)), (greatest, (torch.tensor([3, 9, -1]),)),
    (chosen, (torch.randn(7), torch.randn(7), 7)), (chosen, (torch.randn(7), torch.randn(7), 8)),
    (flagged, (torch.tensor([0, -1, 5]), torch.zeros(3, dtype=torch.bool))),
]  # fmt: skip


def told(function: Callable[..., Any], call: Callable[..., Any], values: tuple[Any, ...]) -> Any:
    """Return the result and the arguments after the call, or the error and its last line."""
    values = deepcopy(values)
    try:
        result = call(*values)
    except RuntimeError as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [each.lineno for each in frames if each.filename == __file__]
        return type(error).__name__, str(error), lines[-1], comparable(values)
    return comparable(result), comparable(values)


def compiled(function: Callable[..., Any], mode: str, monkeypatch: Any) -> Any:
    monkeypatch.setenv("MINITS_NATIVE", mode)
    STATE.clear()
    return minits.script(function)


def loops_of(function: Any, values: tuple[Any, ...]) -> list[NativeLoop]:
    return loops_in(function.plan_for(*values).run)


@pytest.mark.parametrize(
    ("function", "values"), CALLS, ids=[f"{f.__name__}{i}" for i, (f, _) in enumerate(CALLS)]
)
def test_agrees(function: Callable[..., Any], values: tuple[Any, ...], monkeypatch: Any) -> None:
    native = compiled(function, "now", monkeypatch)
    told(function, native, values)
    found = told(function, native, values)
    reports = [line for loop in loops_of(native, values) for line in loop.report()]
    assert any(line.endswith("runs as C") for line in reports)
    python = compiled(function, "off", monkeypatch)
    told(function, python, values)
    assert found == told(function, python, values)
    assert not loops_of(python, values)
    theirs = told(function, torch.jit.script(function), values)
    assert (len(theirs) == 2) == (len(found) == 2)
    assert len(found) > 2 or found == theirs


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


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("function", [collected, exchanged, doubled_names, inner])
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
    function = compiled(warped, "hot", monkeypatch)
    values = torch.randn(9), torch.randn(8)
    results = [function(*values) for _ in range(3)]
    (loop,) = loops_of(function, values)
    (run,) = loop._runs.values()
    assert run is not None
    assert run._job is not None
    run._job.result(waits=True)
    assert "runs as C" in function.plan_report()
    assert [*results, function(*values)] == [warped(*values)] * 4


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
