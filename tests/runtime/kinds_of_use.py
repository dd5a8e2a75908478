"""Kinds of use of minits, each as a function that does it once and lets go of all that it made."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

import minits
from minits.native_build.building import build_library, write_library
from minits.native_build.programs import exported

SHAPE = (512, 512)
"""Of the tensors of each program: one that is left behind in each round is seen in megabytes."""

USES: dict[str, Callable[[Tensor], None]] = {}
"""By name. Each is given a tensor, which may require gradients."""

N_CALLS = 3
"""As written, planned, and by the way that repeated calls take."""


def use(function: Callable[[Tensor], None]) -> Callable[[Tensor], None]:
    """Add a function to `USES`."""
    USES[function.__name__] = function
    return function


class Plain(nn.Module):
    """A module whose activation saves its result."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(SHAPE[1])

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.norm(x)) * 2 + 1


class Net(nn.Module):
    """Another, which raises an error where it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(SHAPE[1])
        self.scale = nn.Parameter(torch.ones(SHAPE[1]))

    def forward(self, x: Tensor, most: int = 1 << 40) -> Tensor:
        y = torch.relu(self.norm(x) * self.scale) * 2 + 1
        if x.numel() > most:
            raise ValueError("too large")
        return y


def called(program: Any, x: Tensor, backward: bool = True) -> None:
    """Call a program a few times; compute the gradients of one of these calls."""
    for index in range(N_CALLS):
        y = program(x)
        if backward and index == 1 and y.requires_grad:
            y.sum().backward()
            x.grad = None


@contextmanager
def expected_to_raise() -> Iterator[None]:
    """Swallow the error that must come."""
    try:
        yield
    except Exception:
        return
    raise AssertionError("no error was raised")


@use
def a_function_is_scripted(x: Tensor) -> None:
    def local(x: Tensor, n: int = 2) -> Tensor:
        for i in range(n):
            x = torch.sigmoid(x) * 2 + i
        return x

    called(minits.script(local), x)


@use
def a_module_is_scripted(x: Tensor) -> None:
    called(minits.script(Net()), x)


@use
def a_module_is_called_without_gradients_of_it(x: Tensor) -> None:
    called(minits.script(Net()), x, backward=False)


@use
def a_module_is_traced(x: Tensor) -> None:
    called(minits.trace(Plain(), x, check_trace=False), x)


@use
def a_function_is_traced(x: Tensor) -> None:
    called(minits.trace(lambda x: torch.tanh(x) * 2 + 1, x, check_trace=False), x)


@use
def a_module_is_saved_and_loaded(x: Tensor) -> None:
    file = io.BytesIO()
    minits.save(minits.script(Net()), file)
    file.seek(0)
    called(minits.load(file), x)


@use
def a_module_is_frozen(x: Tensor) -> None:
    called(minits.freeze(minits.script(Net().eval())), x)


@use
def a_module_is_copied(x: Tensor) -> None:
    compiled = minits.script(Net())
    called(copy.deepcopy(compiled), x)
    called(compiled, x)


@use
def a_function_is_pickled(x: Tensor) -> None:
    called(pickle.loads(pickle.dumps(minits.script(_doubled))), x)


def _doubled(x: Tensor) -> Tensor:
    return torch.exp(x * 0.5) * 2


@use
def a_class_is_compiled(x: Tensor) -> None:
    class Box:
        def __init__(self, x: Tensor) -> None:
            self.x = x

        def get(self) -> Tensor:
            return torch.sigmoid(self.x) * 2

    def local(x: Tensor) -> Tensor:
        return Box(x).get()

    called(minits.script(local), x)


@use
def calls_raise(x: Tensor) -> None:
    compiled = minits.script(Net())
    for _ in range(N_CALLS):
        with expected_to_raise():
            compiled(x, 1)
    for _ in range(N_CALLS):
        with expected_to_raise():
            compiled(x, "1")
    for _ in range(N_CALLS):
        with expected_to_raise():
            compiled(x[:, :7])


@use
def gradients_raise(x: Tensor) -> None:
    def local(x: Tensor) -> Tensor:
        return torch.exp(x) * 2

    compiled = minits.script(local)
    for _ in range(N_CALLS):
        y = torch.exp(x * 1)
        z = compiled(y)
        if z.requires_grad:
            y.detach().add_(1)
            with expected_to_raise():
                z.sum().backward()


@use
def gradients_of_gradients(x: Tensor) -> None:
    def local(x: Tensor) -> Tensor:
        return torch.sigmoid(torch.exp(x) * 2)

    compiled = minits.script(local)
    for _ in range(N_CALLS):
        y = compiled(x)
        if y.requires_grad:
            (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
            first.sum().backward()
            x.grad = None


@use
def a_compilation_fails(x: Tensor) -> None:
    def local(x: Tensor) -> Tensor:
        return torch.no_such_function(Net()(x))  # type: ignore[attr-defined, no-any-return]

    with expected_to_raise():
        minits.script(local)


@use
def tasks_are_awaited(x: Tensor) -> None:
    def part(x: Tensor, n: int) -> Tensor:
        if n > 4:
            raise ValueError("too large")
        return torch.sigmoid(x) * n

    def summed(x: Tensor, n: int = 1) -> Tensor:
        a, b = torch.jit.fork(part, x, n), torch.jit.fork(part, x, n + 1)
        return torch.jit.wait(a) + torch.jit.wait(b)

    compiled = minits.script(summed)
    called(compiled, x)
    with expected_to_raise():
        compiled(x, 4)


@use
def a_task_is_never_awaited(x: Tensor) -> None:
    def part(x: Tensor) -> Tensor:
        return torch.sigmoid(x) * 2

    def local(x: Tensor) -> Tensor:
        torch.jit.fork(part, x)
        return x + 1

    called(minits.script(local), x)


@use
def hooks_are_registered(x: Tensor) -> None:
    module = minits.script(Net())
    module.register_forward_hook(lambda module, given, result: result * 2)
    called(module, x)


@use
def saved_tensors_are_hooked(x: Tensor) -> None:
    with torch.autograd.graph.saved_tensors_hooks(torch.clone, lambda saved: saved):
        called(minits.script(Net()), x)


@use
def python_is_called(x: Tensor) -> None:
    class Calls(nn.Module):
        @minits.ignore
        def python(self, x: Tensor) -> Tensor:
            return torch.relu(x) * 3

        def forward(self, x: Tensor) -> Tensor:
            return self.python(x) + 1

    called(minits.script(Calls()), x)


@use
def remarks_are_asked_for(x: Tensor) -> None:
    compiled = minits.script(Net())
    called(compiled, x)
    str(compiled.remarks(x))
    str(compiled.graph_for(x))
    str(compiled.plan_report())


@use
def elements_are_changed_in_c(x: Tensor) -> None:
    def local(x: Tensor) -> Tensor:
        y = torch.zeros_like(x)
        for i in range(4):
            y[i, i] = x[i, 0] * 2
        return y

    with torch.no_grad():
        called(minits.script(local), x)


@use
def lists_grow_in_c(x: Tensor) -> None:
    def local(x: Tensor, n: int = 200) -> list[str]:
        words: list[str] = []
        for i in range(n):
            words.append("word " + str(i))
        return words

    compiled = minits.script(local)
    for _ in range(N_CALLS):
        compiled(x)


def use_of_library(folder: Path) -> Callable[[Tensor], None]:
    """Build a library in a folder, and return a use: it is loaded, called, and given back."""
    write_library([*exported(minits.script(Net()), "Net")], folder)
    build_library(folder)

    def a_library_is_loaded(x: Tensor) -> None:
        model = minits.load_native(folder)
        with torch.no_grad():
            for _ in range(N_CALLS):
                model(x.detach(), 1 << 40)
        with expected_to_raise():
            model(x.detach(), 1)
        with expected_to_raise():
            model("x")

    return a_library_is_loaded
