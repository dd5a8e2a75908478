"""Calls, within a trace, of what torch.jit has compiled: as of what stands for it in minits.

    self.net(x)      with self.net = torch.jit.load(...), records
    %2 : Tensor = prim::CallMethod[name="forward"](%net, %x)

Otherwise the operators would be recorded that torch's interpreter runs for these arguments. While a
trace runs, the classes of torch's compiled functions and methods have the `__call__` of this file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from torch import nn

from minits import torch_internals as internals
from minits.api import script
from minits.diagnostics import error
from minits.frontend.python.torch_jit_objects import taken_over
from minits.runtime.script_module import ScriptModule, method_of
from minits.tracing.recorder import Recorder
from minits.tracing.script_calls import bound, record
from minits.tracing_state import active_recorder


def modules_of_torch_jit(original: nn.Module) -> dict[Any, ScriptModule]:
    """Return the modules that stand for torch.jit's in a module, by torch's script objects."""
    found = [each for each in original.modules() if internals.is_jit_module(each)]
    return {internals.script_object(each): taken_over(each) for each in found}


@contextmanager
def recorded_torch_jit_calls() -> Iterator[None]:
    """Record calls of what torch.jit has compiled meanwhile."""
    function, method = internals.SCRIPT_FUNCTION, internals.SCRIPT_METHOD
    with (
        patch.object(function, "__call__", _call(function.__call__, _function)),
        patch.object(method, "__call__", _call(method.__call__, _method)),
    ):
        yield


def _call(original: Callable[..., Any], stand_in: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        recorder = active_recorder()
        if recorder is None:
            return original(self, *args, **kwargs)
        with recorder.paused():
            ours = stand_in(recorder, self)
        values = bound(recorder, ours, args, kwargs)
        return record(recorder, ours, lambda: original(self, *args, **kwargs), values)

    return call


def _function(recorder: Recorder, function: Any) -> Any:
    return script(function)


def _method(recorder: Recorder, method: Any) -> Any:
    """Return the method of what stands for a module. Raises `CompileError` (TS826)."""
    owner = recorder.torch_jit_modules.get(method.owner)
    if owner is None:
        raise error(
            recorder.range,
            "TS826",
            "a module that torch.jit has compiled is called, but is no submodule of what is traced",
            fix="make it an attribute of the module that is traced",
        )
    return method_of(owner, method.name)
