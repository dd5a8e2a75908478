"""Calls of one compiled function in sequence: each gives what a first call would give."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

import minits


def relu(x: Tensor) -> Tensor:
    return torch.relu(x) * 2 + 1


def checked(x: Tensor, check: bool) -> Tensor:
    y = torch.relu(x) * 2 + 1
    if check:
        raise ValueError("checked")
    return y


def parts(z: Tensor) -> Tensor:
    return z.real * 2 + z.imag.sin()


def scaled(x: Tensor) -> Tensor:
    return (x * 0.1).sigmoid() + x


def defaulted(x: Tensor, w: Tensor = torch.ones(3)) -> Tensor:
    return torch.tanh(x * w) + x


def same(compiled: Callable[..., Any], function: Callable[..., Any], *args: Any) -> None:
    """Check that two functions give equal tensors, or raise the same."""
    try:
        expected = function(*args)
    except Exception as fault:
        with pytest.raises(type(fault)):
            compiled(*args)
        return
    found = compiled(*args)
    assert type(found) is type(expected)
    for name in ("dtype", "layout", "device", "is_nested", "requires_grad"):
        assert getattr(found, name) == getattr(expected, name)
    if expected.layout == torch.strided and not expected.is_nested:
        assert (found.shape, found.stride()) == (expected.shape, expected.stride())
        torch.testing.assert_close(found, expected)


def test_a_call_that_raises_leaves_nothing_behind() -> None:
    compiled = minits.script(checked)
    a, b = torch.randn(3, 4), torch.randn(5, 6)
    compiled(x=a, check=False)
    with pytest.raises(Exception, match="checked"):
        compiled(b, True)
    for _ in range(2):
        same(compiled, checked, a, False)


def test_calls_of_several_threads_do_not_mix() -> None:
    compiled = minits.script(relu)
    faults: list[BaseException] = []

    def call(seed: int) -> None:
        try:
            for turn in range(60):
                x = torch.full((1 + (seed + turn) % 12, 3), float(seed))
                assert compiled(x).shape == x.shape
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=call, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


def test_views_with_a_bit_are_no_plain_tensors() -> None:
    z = torch.randn(3, 4, dtype=torch.complex64)
    compiled = minits.script(parts)
    for each in (z, z.conj(), z, z.conj().resolve_conj(), torch._neg_view(z), z):
        same(compiled, parts, each)
    x = torch.randn(3, 4)
    plain = minits.script(relu)
    for each in (x, torch._neg_view(x), x, x.neg()):
        same(plain, relu, each)


class Scale(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4), requires_grad=False)

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh(x * self.weight) + x


def test_a_bit_is_seen_in_modules_too() -> None:
    module = Scale()
    compiled = minits.script(module)
    x = torch.randn(3, 4)
    for each in (x, torch._neg_view(x), x):
        same(compiled, module, each)


@contextmanager
def default_dtype(dtype: torch.dtype) -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


@contextmanager
def threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def flushed() -> Iterator[None]:
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


@contextmanager
def deterministic() -> Iterator[None]:
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(False)


class Watching(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


STATES: dict[str, Callable[[], Any]] = {
    "float64 is the default": lambda: default_dtype(torch.float64),
    "float16 is the default": lambda: default_dtype(torch.float16),
    "meta is the default device": lambda: torch.device("meta"),
    "no_grad": torch.no_grad,
    "inference_mode": torch.inference_mode,
    "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16),
    "autocast to float16": lambda: torch.autocast("cpu", dtype=torch.float16),
    "one thread": lambda: threads(1),
    "denormals are flushed": flushed,
    "deterministic": deterministic,
    "a dispatch mode": Watching,
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("function", [scaled, relu], ids=lambda each: each.__name__)
def test_the_state_of_the_process_is_what_it_is_at_the_call(state: str, function: Any) -> None:
    compiled = minits.script(function)
    inputs = [
        torch.arange(12).reshape(3, 4),
        torch.randn(3, 4),
        torch.randn(3, 4, dtype=torch.float16),
        torch.full((3, 4), 1e-39),
        torch.randn(3, 4, requires_grad=True),
    ]
    for x in inputs * 2:
        same(compiled, function, x)
        with STATES[state]():
            same(compiled, function, x)
            same(compiled, function, x)
        same(compiled, function, x)


UNUSUAL: dict[str, Callable[[Tensor], Tensor]] = {
    "sparse": Tensor.to_sparse,
    "compressed": Tensor.to_sparse_csr,
    "of another library": Tensor.to_mkldnn,
    "zeros": lambda x: torch._efficientzerotensor(3, 4),
    "nested": lambda x: torch.nested.nested_tensor([x, x[:2]]),
    "jagged": lambda x: torch.nested.nested_tensor([x, x[:2]], layout=torch.jagged),
    "meta": lambda x: x.to("meta"),
    "of inference": lambda x: made_in_inference(x),
    "parameter": nn.Parameter,
    "quantized": lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.quint8),
    "functional": lambda x: torch._to_functional_tensor(x),
}


def made_in_inference(x: Tensor) -> Tensor:
    with torch.inference_mode():
        return x.clone()


@pytest.mark.filterwarnings("ignore::UserWarning")  # most of these are in beta
@pytest.mark.parametrize("kind", UNUSUAL)
def test_tensors_without_strides_run_as_in_eager(kind: str) -> None:
    dense = torch.randn(3, 4).relu()
    x = UNUSUAL[kind](dense)
    for function in (relu, torch.nn.functional.silu):
        compiled = minits.script(function)
        for each in (dense, x, dense, x):
            same(compiled, function, each)


def test_a_default_that_changes_is_seen() -> None:
    compiled = minits.script(defaulted)
    weight = compiled.schema.arguments[1].default
    x = torch.randn(2, 3)
    compiled(x)
    compiled(x)
    weight.requires_grad_()
    assert compiled(x).requires_grad
    weight.requires_grad_(False)


@pytest.mark.parametrize("count", [300])
def test_more_shapes_than_are_kept(count: int) -> None:
    compiled = minits.script(relu)
    for _ in range(2):
        for size in range(2, count):
            x = torch.full((size,), 1.5)
            assert torch.equal(compiled(x), relu(x))
    assert len(compiled._direct) <= 256


class Added(nn.Module):
    """An in-place operator is taken out of the program only if its operand has the same dtype."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("shift", torch.randn(4))

    def forward(self, x: Tensor) -> Tensor:
        y = torch.tanh(x)
        y.add_(self.shift)
        return y * 2


def test_attributes_of_other_dtypes_and_shapes_are_told_apart() -> None:
    module = Added()
    compiled = minits.script(module)
    x = torch.randn(3, 4)
    for shift in (torch.randn(4), torch.randn(4).double(), torch.randn(1, 4), torch.randn(2, 3, 4)):
        module.shift = compiled.shift = shift
        same(compiled, module, x)
        same(compiled, module, x.double())


def shrunk(x: Tensor) -> Tensor:
    while x.shape[0] > 1:
        x = torch.relu(x[1:]) * 2 - 0.5
    return x


def test_shapes_that_do_not_come_again_are_not_bound() -> None:
    compiled = minits.script(relu)
    for _ in range(2):
        for size in range(2, 300):
            x = torch.tensor([1.5]).expand(size, 3)  # what is not expanded: test_any_sizes.py
            same(compiled, relu, x)
    assert compiled._plans.admission.bound < 100
    assert "calls of new shapes ran unbound" in compiled.plan_report()
    for _ in range(200):
        compiled(torch.ones(1).expand(7, 3))  # one that does come again is bound after all
    assert compiled._direct.last is not None
    assert compiled._direct.last[0]((torch.ones(1).expand(7, 3),))
    x = torch.randn(200, 3)
    torch.testing.assert_close(minits.script(shrunk)(x), shrunk(x))


def test_large_tensors_of_new_shapes_are_bound() -> None:
    compiled = minits.script(relu)
    for size in range(2, 40):
        compiled(torch.ones(1).expand(2, size))
    before = compiled._plans.admission.bound
    for size in range(5):
        compiled(torch.ones(1).expand(size + 2, 1 << 18))
    assert compiled._plans.admission.bound == before + 5


class Layer(nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)
        self.shift = nn.Parameter(torch.randn(outputs))

    def forward(self, x: Tensor) -> Tensor:
        y = torch.relu(self.linear(x))
        y += self.shift
        return y * 2


def test_instances_of_other_shapes_and_dtypes_do_not_mix() -> None:
    layers = [Layer(3, 4), Layer(3, 1), Layer(3, 4).double(), Layer(3, 7), Layer(3, 4)]
    layers[-1].requires_grad_(False)
    scripted = [minits.script(layer) for layer in layers]
    x = torch.randn(2, 3)
    for _ in range(2):
        for compiled, layer in zip(scripted, layers, strict=True):
            given = x.to(layer.shift.dtype)
            same(compiled, layer, given)


def masked(x: Tensor, a: Tensor | None, b: Tensor | None, c: Tensor | None) -> Tensor:
    y = torch.tanh(x) * 2
    if a is not None:
        y = y + a
    if b is not None:
        y = y * b
    if c is not None:
        y = y - c
    return torch.relu(y)


class Switched(nn.Module):
    def __init__(self, flags: list[bool]) -> None:
        super().__init__()
        self.a, self.b, self.c = flags

    def forward(self, x: Tensor) -> Tensor:
        y = torch.tanh(x) * 2
        if self.a:
            y = y + 1
        if self.b:
            y = y * 3
        if self.c:
            y = y.exp()
        return torch.relu(y)


def patterns() -> list[tuple[bool, ...]]:
    return [(bool(n & 1), bool(n & 2), bool(n & 4)) for n in range(8)]


@pytest.mark.slow
def test_more_patterns_than_are_planned_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from minits.runtime import plan_table

    monkeypatch.setattr(plan_table, "PLANNED_AT_ONCE", 3)
    compiled = minits.script(masked)
    module = minits.script(Switched([False, False, False]))
    x = torch.randn(2, 3)
    for turn in range(3):
        for pattern in patterns():
            given = [torch.randn(3) if each else None for each in pattern]
            same(compiled, masked, x, *given)
            module.a, module.b, module.c = pattern
            same(module, Switched(list(pattern)), x)
        if turn == 0:
            assert compiled._plans._table._planning.unbound > 0
    assert len(list(compiled._plans)) > len(patterns())
    with minits.strict_fusion():  # what has to be fused has a plan at once
        minits.script(masked)(x, None, x, None)


def made(x: Tensor, n: int) -> Tensor:
    return torch.zeros(n) * 2 + torch.arange(n) + torch.tensor(0.5)


def test_tensors_are_made_on_the_default_device_as_in_eager() -> None:
    compiled = minits.script(made)
    x = torch.randn(3)
    for _ in range(2):
        same(compiled, made, x, 3)
        with torch.device("meta"):
            assert compiled(x, 3).device.type == "meta"
            same(compiled, made, x, 3)


def of_constants(x: Tensor) -> Tensor:
    y = torch.ones(3, 3).matmul(torch.full([3, 3], 0.1)).sin() * (torch.tensor(0.1) * 2)
    return y.sum() + torch.zeros(3).cos()


class OfConstants(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return of_constants(x)


class Negated(TorchDispatchMode):
    """A mode that changes what operators compute."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        return -result if func is torch.ops.aten.sin.default else result


@contextmanager
def double_by_default() -> Iterator[None]:
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(torch.float32)


STATES_OF_CONSTANTS: dict[str, Callable[[], Any]] = {
    "autocast": lambda: torch.autocast("cpu", torch.bfloat16),
    "default dtype": double_by_default,
    "default device": lambda: torch.device("meta"),
    "dispatch mode": Negated,
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("make", [lambda: of_constants, OfConstants], ids=["function", "module"])
@pytest.mark.parametrize("state", STATES_OF_CONSTANTS)
@pytest.mark.parametrize("first", [True, False], ids=["in it first", "outside first"])
def test_operators_on_constants_are_those_of_the_state(state: str, first: bool, make: Any) -> None:
    x = torch.ones(3)
    for _ in range(2):  # instances share their plans
        compiled = minits.script(make())
        for is_in_it in (first, not first) * 2:
            for _ in range(3):
                with STATES_OF_CONSTANTS[state]() if is_in_it else nullcontext():
                    same(compiled, of_constants, x)


def weighted(x: Tensor) -> Tensor:
    return torch.tanh(x * torch.tensor([1.0, 2.0, 3.0])).dot(torch.tensor([1.0, 2.0, 3.0]))


def test_what_is_planned_in_inference_mode_serves_gradients() -> None:
    compiled = minits.script(weighted)
    x = torch.randn(3, requires_grad=True)
    with torch.inference_mode():
        compiled(x)
    compiled(x).sum().backward()
    assert x.grad is not None


# ---- Calls that are run again, and inputs that are changed, before gradients -------------------


def accumulated(x: Tensor, w: Tensor) -> Tensor:
    v = torch.tanh(x * w) + 1
    return (torch.cumsum(v, -1) * w).sin() * v


@pytest.mark.slow
def test_what_runs_again_for_its_gradients_saves_as_many_tensors():
    """Where few shapes come again, the first call of one runs unfused, and the second does not."""
    compiled, w = minits.script(accumulated), torch.ones(3, requires_grad=True)
    for size in range(2, 40):
        x = torch.rand(size, 3)
        made = [
            torch.autograd.grad(checkpoint(each, x, w, use_reentrant=False).sum(), w)[0]
            for each in (compiled, accumulated)
        ]
        torch.testing.assert_close(*made)


def doubled_in_place(x: Tensor) -> Tensor:
    v = nn.functional.elu(x * 2, inplace=True)
    v.mul_(2)
    return v + 1


def test_hooks_see_nothing_of_what_planning_runs():
    """To know what eager saves, planning runs `elu` with gradients; a checkpoint counted it."""
    compiled, x = minits.script(doubled_in_place), torch.rand(5, requires_grad=True)
    packed = list[list[Tensor]]()
    for _ in range(3):
        packed.append([])
        with torch.autograd.graph.saved_tensors_hooks(
            lambda saved: packed[-1].append(saved) or saved, lambda saved: saved
        ):
            compiled(x)
    assert [len(each) for each in packed] == [1, 1, 1]


def rotated(x: Tensor, w: Tensor) -> Tensor:
    return torch.sin(x * 0.5) * w + 1


@pytest.mark.parametrize("change", [
    lambda x: x.unsqueeze_(0), lambda x: x.t_(), lambda x: setattr(x, "data", x.data[:1]),
])  # fmt: skip
def test_inputs_that_gradients_do_not_read_may_get_other_shapes(change: Any):
    """`x` is kept for gradients of gradients; eager keeps its sine alone."""
    compiled, made = minits.script(rotated), []
    for each in (rotated, compiled, compiled):
        x, w = torch.linspace(-1, 1, 6).view(2, 3), torch.ones(3, requires_grad=True)
        result = each(x, w)
        change(x)
        made += torch.autograd.grad(result.sum(), w)
    for found in made[1:]:
        torch.testing.assert_close(found, made[0])


class _Seen(TorchDispatchMode):
    """Lists the operators that it sees."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        self.names.append(str(function))
        return function(*args, **(kwargs or {}))


def test_a_mode_sees_the_operators_of_a_backward_pass() -> None:
    """Nothing of it is remembered: the kernel of the gradient is there before and after."""
    compiled = minits.script(scaled)
    for _ in range(3):
        x = torch.ones(3, requires_grad=True)
        compiled(x).sum().backward()
    y = torch.ones(3, requires_grad=True)
    with_mode = compiled(y).sum()
    with _Seen() as seen:
        with_mode.backward()
    assert "aten.sigmoid_backward.default" in seen.names
    torch.testing.assert_close(y.grad, x.grad)
    z = torch.ones(3, requires_grad=True)
    compiled(z).sum().backward()
    torch.testing.assert_close(z.grad, x.grad)
