"""Answers to the questions of torch's own Python code about traces, for those of minits.

    torch.jit.is_tracing()              True while minits traces in this thread
    nn.Module.__call__                  tells the recorder which submodule is entered and left
    torch.jit.script_if_tracing(f)      calls what minits.script makes of `f`
    torch.floor(size * scale)           an int that remembers its tensor, in nn.functional
    torch.jit.fork(f, x)                is recorded as a fork
    torch._check(x.shape[0] == 4)       takes the condition, a tensor, as what it is now
    Function.apply(x)                   is recorded as a call of Python

The answers for other threads are torch's.

Source: torch/nn/modules/module.py (`_slow_forward`), torch/jit/_trace.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor
from torch.nn import functional

from minits import torch_internals as internals
from minits.identity import Identity
from minits.tracing.arguments import traced_number
from minits.tracing.forks import record_fork
from minits.tracing.python_calls import record_apply
from minits.tracing.stand_ins import stand_in
from minits.tracing.warning import BAKED_IN, warn
from minits.tracing_state import TRACING, active_recorder


@contextmanager
def torch_hooks(script: Callable[[Any], Any]) -> Iterator[None]:
    """Answer torch's questions meanwhile; `script` compiles a function."""
    with ExitStack() as hooks:
        for (owner, name), original in internals.tracing_hooks().items():
            answer = stand_in(original, _answer(name, original, script))
            hooks.enter_context(patch.object(owner, name, answer))
        yield


def _answer(name: str, original: Any, script: Callable[[Any], Any]) -> Any:
    if name == "_trace_module_map":
        return _ScopeNames()
    if name == "floor":
        return _floor(original)
    if name == "fork":
        return _fork(original)
    if name == "apply":
        return _apply(original)
    if name == "_check_with":
        return _check_with(original)
    if name == "_extended_shape":
        return lambda itself, sample_shape=(): original(itself, torch.Size(sample_shape))
    if name == "wait":
        return lambda future: future.wait()
    if name == "script":
        return lambda function: original(function) if TRACING.recorder is None else script(function)

    def answer() -> Any:
        recorder = active_recorder()
        if recorder is None or recorder.is_hidden:
            return original()
        return True if name == "_is_tracing" else recorder

    return answer


def _floor(original: Callable[..., Tensor]) -> Callable[..., Any]:
    """Return a `torch.floor` that gives nn.functional sizes of its own as ints.

    They are tensors of floats, which torch's bindings take for ints while torch's tracer runs.
    """

    def floor(*args: Any, **kwargs: Any) -> Any:
        result, recorder = original(*args, **kwargs), active_recorder()
        caller = sys._getframe(1).f_code.co_filename
        if recorder is None or caller != functional.__file__:
            return result
        with recorder.paused():
            return traced_number(recorder, result, int(result.item()))

    return floor


def _check_with(original: Callable[..., None]) -> Callable[..., None]:
    """Return a `_check_with` that takes conditions on sizes, which are tensors in a trace."""

    def check_with(error_type: type, cond: Any, message: Any) -> None:
        recorder = active_recorder()
        if isinstance(cond, Tensor) and recorder is not None:
            frame = sys._getframe(2)  # what called torch._check, or one of its kin
            warn(f"a condition of torch._check is decided for this example: {BAKED_IN}", frame)
            with recorder.paused():
                cond = bool(cond)
        original(error_type, cond, message)

    return check_with


def _fork(original: Callable[..., Any]) -> Callable[..., Any]:
    def fork(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        recorder = active_recorder()
        if recorder is None:
            return original(function, *args, **kwargs)
        return record_fork(recorder, function, *args, **kwargs)

    return fork


def _apply(original: Any) -> Any:
    def apply(cls: type[Any], *args: Any, **kwargs: Any) -> Any:
        recorder, call = active_recorder(), original.__get__(None, cls)
        if recorder is None or recorder.is_hidden or kwargs:
            return call(*args, **kwargs)
        return record_apply(recorder, cls, call, args)

    return classmethod(apply)


class _ScopeNames:
    """The names of the submodules of the trace of this thread, as nn.Module looks them up."""

    def __contains__(self, module: Any) -> bool:
        recorder = TRACING.recorder
        return recorder is not None and Identity(module) in recorder.scope_names

    def get(self, module: Any, default: Any = None) -> Any:
        recorder = TRACING.recorder
        return default if recorder is None else recorder.scope_names.get(Identity(module), default)

    def __getitem__(self, module: Any) -> str:
        name: str = TRACING.recorder.scope_names[Identity(module)]
        return name
