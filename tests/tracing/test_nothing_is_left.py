"""Behind a trace, the classes that it has changed are what they were, down to the slots of C."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits import torch_internals as internals
from minits.runtime.script import ScriptFunction, ScriptMethod

SLOTS = range(1, 81)
"""The numbers of the slots that every CPython from 3.10 on knows."""

_get_slot = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_int)(
    ("PyType_GetSlot", ctypes.pythonapi)
)


class Masked(Tensor):
    """A subclass of tensors."""


class Indexed(Tensor):
    """A subclass of tensors with subscripts of its own, by which it is a sequence."""

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(index)


CHANGED = (Tensor, nn.Parameter, Masked, Indexed, ScriptFunction, ScriptMethod)


def state() -> dict[Any, Any]:
    """Return the attributes and slots of classes, and torch's functions that are asked."""
    found: dict[Any, Any] = {
        (cls, number): _get_slot(cls, number) for cls in CHANGED for number in SLOTS
    }
    found.update({(cls, name): value for cls in CHANGED for name, value in vars(cls).items()})
    return {**found, **internals.tracing_hooks()}


def subscripts(x: Tensor) -> Tensor:
    x = x.clone()
    x[0] = x[1] * x.shape[0]
    return x[:1]


def raising(x: Tensor) -> Tensor:
    raise ValueError(x.shape)


def importing(x: Tensor) -> Tensor:
    global Made
    Made = type("Made", (Tensor,), {})
    return x + 1


Made: Any = None


@pytest.mark.parametrize("program", [subscripts, raising, importing])
def test_classes_are_as_they_were(program: Callable[[Tensor], Tensor]) -> None:
    before = state()
    try:
        minits.trace(program, torch.ones(2))
    except ValueError:
        assert program is raising
    assert state() == before


def test_a_tensor_is_no_sequence() -> None:
    minits.trace(importing, torch.ones(2))
    is_sequence = ctypes.pythonapi.PySequence_Check
    is_sequence.argtypes = [ctypes.py_object]
    checked = (torch.ones(2), nn.Parameter(torch.ones(2)), Made(torch.ones(2)))
    assert not any(map(is_sequence, checked))
    assert is_sequence(Indexed(torch.ones(2)))


AFTER_A_TRACE = """
import torch, minits
from torch import nn

class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = minits.script(nn.ReLU())

    def forward(self, x):
        return self.inner(x)

minits.trace(nn.ReLU(), torch.ones(2))
torch.compile(Holder(), backend="eager", fullgraph=True)(torch.ones(2))
"""


@pytest.mark.slow
def test_torch_compile_works_after_the_first_trace_of_a_process() -> None:
    """It remembers torch's own questions, which are answered otherwise during a trace."""
    done = subprocess.run(
        [sys.executable, "-c", AFTER_A_TRACE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
