"""Questions that C asks Python: answers and errors are those that generated Python has."""
# ruff: noqa: UP006, UP035, UP045

import gc
import os
import subprocess
import sys
import warnings
import weakref
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import pytest
import torch
from torch import Tensor, nn
from torch.distributed import rpc

import minits
from minits.compilation_state import STATE
from minits.native.c_types import NotNative
from minits.native.function import NativeFunction
from minits.native.hot import NativeRun
from minits.native_build.building import write_library
from minits.native_build.programs import exported
from tests.support.agreement import comparable
from tests.support.needs import need_compiler
from tests.support.sanitizers import sanitized

need_compiler()


class Point(NamedTuple):
    x: int
    name: str


@torch.jit.ignore
def numbers(n: int, f: float, flag: bool, z: complex, text: str) -> Tuple[str, complex, bool]:
    return f"{n} {f} {flag} {z} {text!r}", z + n, not flag


@torch.jit.ignore
def containers(
    xs: List[int], table: Dict[str, List[float]], o: Optional[int], pair: Tuple[int, str], p: Point
) -> Tuple[List[str], Dict[str, int], Optional[int], Point]:
    xs.append(len(table))
    names = [f"{xs} {table} {o} {pair} {p.name}", ""]
    return names, {"é": xs[0]}, None if o is None else o + 1, Point(len(xs), p.name + "!")


@torch.jit.ignore
def tensors(x: Tensor, xs: List[Tensor], o: Optional[Tensor]) -> Tuple[Tensor, List[Tensor]]:
    x.mul_(2)
    return xs[0], [x, torch.full((2,), 3.0) if o is None else o]


@torch.jit.ignore
def perhaps(x: Tensor, n: int) -> Tensor:
    return x + n if n > 0 else None  # type: ignore[return-value]


@torch.jit.ignore
def failing(n: int) -> int:
    if n == 1:
        raise KeyError("one")
    if n == 2:
        raise KeyboardInterrupt
    return "many" if n == 3 else n  # type: ignore[return-value]


def of_numbers(n: int, f: float, z: complex, text: str) -> Tuple[str, complex, bool, int]:
    total = 0
    told, w, flag = "", z, True
    for i in range(n):
        told, w, flag = numbers(n - i, f, flag, w, text + told[:3])
        total += len(told)
    return told, w, flag, total


def of_containers(
    n: int, xs: List[int], o: Optional[int]
) -> Tuple[List[str], Dict[str, int], Optional[int], int, List[int]]:
    names, table, found, point = containers(xs, {"a": [0.5 * n]}, o, (n, "b"), Point(n, "c"))
    for _ in range(n):
        names, table, found, point = containers(
            xs, {"b": [0.5, 2.0], "a": [1.5]}, found, (point.x, names[0][:5]), point
        )
    return names, table, found, point.x, xs


def of_tensors(x: Tensor, y: Tensor, n: int) -> Tuple[Tensor, Tensor, bool, float, int]:
    xs = [y, x]
    first, size = float(x.sum()), x.dim()
    same, others = tensors(x, xs, None if n > 1 else y)
    return others[1] + first, x, same is y, float(others[0].sum()), size


def of_none(x: Tensor, n: int) -> Tensor:
    return perhaps(x, n)


def uses_none(x: Tensor, n: int) -> Tensor:
    y = perhaps(x, n)
    return y.abs() + x


def raises(n: int) -> int:
    total = 0
    for i in range(n):
        total += failing(i) * 2
    return total


def unused(n: int) -> int:
    failing(n)
    return n


def warns(n: int, name: str) -> int:
    for i in range(n):
        warnings.warn(f"{name}: {i}")
    if n > 1:
        warnings.warn("more than one")
    return n


def draws(g: torch.Generator, n: int) -> Tuple[Tensor, int, torch.Generator, List[Tensor]]:
    gs = [g, g.manual_seed(n)]
    found: List[Tensor] = []
    for i in range(n):
        found.append(torch.rand([i], generator=gs[i % 2]) + torch.randint(0, 9, [1], generator=g))
    return torch.randn([2], generator=gs[0]), g.initial_seed(), gs[n % 2], found


def of_gradients(x: Tensor, n: int) -> Tuple[List[Optional[Tensor]], Optional[Tensor]]:
    y = x.detach().requires_grad_()
    z = x.detach().requires_grad_()
    grads = torch.autograd.grad([(y * y * n).sum()], [y, z], allow_unused=n > 1)
    (y * 3).sum().backward()
    return grads, y.grad


def with_autocast(x: Tensor, n: int) -> Tuple[Tensor, Tensor]:
    with torch.autocast("cpu", enabled=n > 0):
        y = torch.mm(x, x)
        if n == 2:
            raise ValueError("within")
        z = torch.mm(x, x[n:])
    return y, z


def with_name(x: Tensor, n: int) -> Tensor:
    with torch.autograd.profiler.record_function("part") as span:
        y = x[n] + len(span.name)
        x = y * 2
    return x - y


def draws_of_constants(n: int) -> Tuple[Tensor, int, int]:
    g, h = torch.Generator(), torch.Generator()
    h.manual_seed(n)
    gs = [g, h]
    chosen = g if n > 1 else h
    table = {"g": gs[n % 2], "h": chosen}
    size = int(torch.randint(0, 9, [1], generator=table["h"]))
    return torch.rand([2], generator=table["g"]), gs[-1].initial_seed(), size


X = torch.arange(4.0).reshape(2, 2)
ONES = torch.ones(2)
CALLS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (of_numbers, [(0, 1.5, 1j, ""), (3, float("nan"), complex(-0.0, 2), "é\x00")]),
    (of_containers, [(0, [], None), (2, [1, 2], 7), (1, [3], None)]),
    (of_tensors, [(ONES, ONES + 1, 1), (X, ONES, 2)]),
    (of_none, [(ONES, 1), (ONES, 0)]),
    (raises, [(1,), (2,), (0,)]),
    (unused, [(0,), (1,), (3,)]),
    (warns, [(0, ""), (1, "a"), (3, "é"), (3, "é")]),
    (draws, [(torch.Generator(), 0), (torch.Generator(), 3)]),
    (draws_of_constants, [(n,) for n in (0, 3, 1)]),
    (of_gradients, [(X, 2), (X, 3), (X, 1)]),
    (with_autocast, [(X, 0), (X, 1), (X, 2), (X, 3)]),
    (with_name, [(X, 1), (X, 4)]),
]


def compiled(function: Any, mode: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MINITS_NATIVE", mode)
    monkeypatch.setenv("MINITS_BUILD", "now")
    STATE.clear()
    return minits.script(function)


def _described(value: Any, given: Sequence[Any]) -> Any:
    """Return a value, or of a generator which argument it is, and in which state."""
    if not isinstance(value, torch.Generator):
        return value
    return [value is each for each in given], value.get_state()


def outcome(script: Any, values: tuple[Any, ...]) -> Any:
    """Return what came of a call: the result, or the whole error; warnings and arguments."""
    given = deepcopy(values)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = script(*given)
            items = result if isinstance(result, tuple) else (result,)
            result = comparable([_described(each, given) for each in items])
        except RuntimeError as error:
            result = type(error).__name__, str(error), repr(error.__cause__)
    told = [(each.category, str(each.message), each.filename, each.lineno) for each in caught]
    left = comparable([_described(each, given) for each in given])
    return result, told, left, torch.is_autocast_enabled("cpu")


def outcomes(
    function: Any, calls: list[tuple[Any, ...]], mode: str, monkeypatch: pytest.MonkeyPatch
) -> list[Any]:
    """Return what came of calls, each made twice: the first runs a program as it was written."""
    script = compiled(function, mode, monkeypatch)
    found = [[outcome(script, values) for _ in range(2)][1] for values in calls]
    if mode == "whole":
        assert all(isinstance(script.plan_for(*values).native, NativeRun) for values in calls)
    return found


@pytest.mark.one_in(12)
@pytest.mark.parametrize(
    ("function", "calls"), CALLS, ids=lambda each: getattr(each, "__name__", "")
)
def test_answers_are_those_of_generated_python(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = outcomes(function, calls, "off", monkeypatch)
    assert outcomes(function, calls, "whole", monkeypatch) == expected


def test_none_for_a_tensor_is_no_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    reference, script = torch.jit.script(uses_none), compiled(uses_none, "whole", monkeypatch)
    for _ in range(2):
        assert script(ONES, 1).equal(reference(ONES, 1))
        told = []
        for each in (reference, script):
            with pytest.raises(RuntimeError) as caught:
                each(ONES, 0)
            told.append(str(caught.value).strip().splitlines()[-1])
        assert told[0] == told[1]


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.count = 1
        self.inner = nn.Linear(2, 2)
        self.register_buffer("total", torch.zeros(2))

    @torch.jit.ignore
    def note(self, x: Tensor) -> int:
        self.total.add_(x)
        self.count += 2
        return self.count

    def forward(self, x: Tensor, n: int) -> Tuple[Tensor, int, int]:
        before = self.count
        for _ in range(n):
            self.count += self.note(x)
        return self.total.clone() + self.inner.weight[0], before, self.count


def test_ignored_methods_and_programs_see_one_module(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    module = Net()
    expected = [compiled(deepcopy(module), "off", monkeypatch)]
    found = [compiled(deepcopy(module), "whole", monkeypatch)]
    for script in (*expected, *found):
        results = [script(torch.ones(2), n) for n in (0, 1, 3, 2)]
        (expected if script is expected[0] else found).append(comparable(results))
    assert expected[1] == found[1]
    assert isinstance(found[0].forward.plan_for(torch.ones(2), 1).native, NativeRun)
    assert found[0].count == expected[0].count


def test_interrupts_end_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    script = compiled(raises, "whole", monkeypatch)
    script(1)
    script(1)
    with pytest.raises(KeyboardInterrupt):
        compiled(unused, "whole", monkeypatch)(2)
    script = compiled(unused, "whole", monkeypatch)
    script(0)
    script(0)
    with pytest.raises(KeyboardInterrupt):
        script(2)


def test_warnings_that_are_errors_have_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = []
    for mode in ("off", "whole"):
        script = compiled(warns, mode, monkeypatch)
        script(0, "")
        script(0, "")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(UserWarning, match="a: 0") as caught:
                script(2, "a")
        found.append([each.lineno for each in caught.traceback if each.path == Path(__file__)])
    assert found[0] == found[1]


@torch.jit.ignore
def again(n: int) -> int:
    return int(recursive(n - 1)) if n > 0 else failing(1)


def asks_again(n: int) -> int:
    return again(n) + 1


recursive: Any = None


def test_python_functions_may_call_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    global recursive
    found = []
    for mode in ("off", "whole"):
        recursive = compiled(asks_again, mode, monkeypatch)
        for _ in range(2):
            found.append(outcome(recursive, (3,))[0])
    assert found[1] == found[3]
    assert "KeyError" in found[0][1]


class Kept(Tensor):
    pass


MADE: list[weakref.ref[Tensor]] = []


@torch.jit.ignore
def made(n: int) -> Tensor:
    tensor = torch.full((2,), float(n))
    MADE.append(weakref.ref(tensor))
    return tensor.as_subclass(Kept) if n == 1 else tensor


def sums(n: int) -> Tensor:
    total = torch.zeros(2)
    for i in range(n):
        total += made(i)
    return total


@pytest.mark.slow
def test_answers_end_with_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    script = compiled(sums, "whole", monkeypatch)
    for _ in range(3):
        assert script(4).tolist() == [6.0, 6.0]
    gc.collect()
    assert [each() for each in MADE] == [None] * len(MADE)


GENERATORS: List[torch.Generator] = []


@torch.jit.ignore
def exchanged(n: int) -> int:
    GENERATORS.clear()
    GENERATORS.extend([torch.Generator().manual_seed(9) for _ in range(200)])
    return n


def draws_of_list(gs: List[torch.Generator], n: int) -> Tensor:
    return torch.rand([exchanged(n)], generator=gs[1])


def test_objects_in_lists_live_as_long_as_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    script = compiled(draws_of_list, "whole", monkeypatch)
    for _ in range(3):
        GENERATORS[:] = [torch.Generator(), torch.Generator()]
        assert script(GENERATORS, 3).equal(torch.rand([3], generator=torch.Generator()))
    assert isinstance(script.plan_for(GENERATORS, 3).native, NativeRun)


def test_only_whole_programs_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    script = compiled(raises, "now", monkeypatch)
    script(1)
    script(1)
    codes = [remark.code for remark in script.remarks(1)]
    assert "not-native(prim::PythonOp)" in codes


@pytest.mark.parametrize(
    ("function", "what"), [(unused, "prim::PythonOp"), (of_gradients, "aten::grad")]
)
def test_libraries_have_no_questions(
    function: Callable[..., Any], what: str, tmp_path: Path
) -> None:
    with pytest.raises(NotNative, match=what):
        write_library([*exported(minits.script(function), "f")], tmp_path)


@torch.jit.ignore
def texts(n: int, xs: List[int], s: str) -> List[str]:
    return [s[-1:]]


def collects(n: int) -> int:
    kept, total = [""], 0
    for i in range(n):
        found = texts(i, [i, n], kept[0] + "x")
        total += len(found[0])
        kept = found
    return total


class Span:
    def __init__(self, n: int) -> None:
        self.n = n


class Holder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.span = Span(2)
        self.seen: List[int] = [1]

    @torch.jit.ignore
    def shown(self, n: int) -> int:
        return n + 1


class HeldWithOthers(Holder):
    def forward(self, n: int) -> int:
        spans = [Span(n), self.span]
        return spans[self.shown(n) % 2].n


class ReadsAList(Holder):
    def forward(self, n: int) -> int:
        return self.shown(n) + len(self.seen)


class Chosen(Holder):
    def forward(self, n: int) -> int:
        span = Span(self.shown(n))
        if n > 1:
            span = self.span
        return span.n


@pytest.mark.parametrize("module", [HeldWithOthers(), ReadsAList(), Chosen()])
def test_objects_of_python_are_none_of_c(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    script = compiled(module, "whole", monkeypatch)
    for n in (1, 1, 2, 1):
        assert script(n) == module(n)
    with pytest.raises(NotNative):
        NativeFunction(script.forward.graph_after(["optimize"]), "forward")


def remote(worker: str, x: Tensor) -> Tensor:
    started = rpc.rpc_async(worker, scaled, (x,), {"factor": 3}, 20.0)
    kept = rpc.remote(worker, scaled, (x,))
    return started.wait() + kept.to_here() * rpc.rpc_sync(worker, scaled, (x, 4))


def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


WORKER = """
import torch
from torch.distributed import rpc
import tests.native.test_questions as cases
import minits
from minits.native.function import NativeFunction
from minits.native.hot import NativeRun

options = rpc.TensorPipeRpcBackendOptions(init_method="file://{file}")
rpc.init_rpc("me", rank=0, world_size=1, rpc_backend_options=options)
script = minits.script(cases.remote)
for _ in range(3):
    assert script("me", torch.ones(1)).item() == 3 + 2 * 4
assert isinstance(script.plan_for("me", torch.ones(1)).native, NativeRun)
rpc.shutdown()
"""


@pytest.mark.slow
def test_other_workers_are_called(tmp_path: Path) -> None:
    text = WORKER.format(file=tmp_path / "rendezvous")
    given = {**os.environ, "MINITS_NATIVE": "whole", "MINITS_BUILD": "now"}
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=300, env=given
    )
    assert done.returncode == 0, done.stderr


ANSWERING = """
static int32_t answer(void *asker, int64_t number, const mts_value *values, const mts_value **words)
{
    static mts_value list[] = {
        {'s'}, {1}, {0}, {'x'}, {'l'}, {1}, {-1}, {'e'}, {0}, {0}
    };
    *words = list;
    return values[0].i == 40 || values[1].list->length != 2 || !values[2].list->length;
}
"""


def test_answers_are_freed_in_each_round(tmp_path: Path) -> None:
    rows = sanitized(collects, tmp_path, further="answer, 0, ", functions=ANSWERING)
    assert [result for _, result in rows[:41]] == [*range(41)]
    assert len({left for left, _ in rows[2:41]}) == 1
    assert max(left for left, _ in rows) < 10


class Doubling(Tensor):
    """A tensor that says of each operator that it gives 2."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return torch.tensor(2.0)


@torch.jit.ignore
def of_a_subclass(x: Tensor) -> Tensor:
    return torch.cos(x.as_subclass(Doubling))


def asks_a_subclass(x: Tensor) -> Tensor:
    return of_a_subclass(x) + 1


def test_classes_of_tensors_are_asked_by_what_c_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "whole")
    STATE.clear()
    compiled = minits.script(asks_a_subclass)
    for _ in range(3):
        assert compiled(torch.ones(3)).tolist() == 3.0
    assert compiled.plan_for(torch.ones(3)).native.report() == "runs as C"
