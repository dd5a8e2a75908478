"""Calls that a traced program forks: what they record goes into a graph of its own.

    f = torch.jit.fork(g, x)      while a trace runs, with g(x) = x.tanh(), records
    %f : Future[Tensor] = prim::TracedFork()
      block0():
        %y : Tensor = aten::tanh(%x)
        -> (%y)
    f.wait()
    %z : Tensor = aten::wait(%f)
After `make_forks`, at the end of the trace:
    %f : Future[Tensor] = prim::fork_0(%x)
    %z : Tensor = aten::wait(%f)

While the trace is recorded, the call is made at once, in the same thread.

Source: torch/csrc/jit/python/init.cpp (`fork`), pybind_utils.h (`PythonFutureWrapper::wait`) and
passes/fixup_trace_scope_blocks.cpp (`convertTracedForksToRealForks`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from minits.diagnostics import error
from minits.ir.copying import copy_metadata
from minits.ir.graph import Graph, Value
from minits.tracing.module_attributes import FORK
from minits.tracing.recorder import Recorder
from minits.tracing.script_calls import bind_result
from minits.tracing_state import active_recorder
from minits.types import types as t


class Future(torch.futures.Future):  # type: ignore[misc]
    """The result of a call that a traced program has forked; it has been made already."""

    def __init__(self, recorder: Recorder, result: Any) -> None:
        super().__init__()
        self.set_result(result)
        self._recorder, self._result = recorder, result

    def wait(self) -> Any:
        """Return the result; while the trace runs, record that it is waited for.

        Raises `CompileError` (TS829) then, for a future from within another forked call.
        """
        if active_recorder() is self._recorder:
            _record_wait(self._recorder, self, self._result)
        return self._result


def record_fork(
    recorder: Recorder, function: Callable[..., Any], *args: Any, **kwargs: Any
) -> Future:
    """Record a call into a block, and return its future. Raises what the call raises."""
    node = recorder.insert(FORK)
    try:
        with recorder.in_block(node.add_block()) as block:
            result = function(*args, **kwargs)
            with recorder.at_program_line():
                returned = _value_of(recorder, result)
            block.add_output(returned)
    except BaseException:
        node.destroy()
        raise
    node.output.type = t.FutureType(returned.type)
    recorder.notes.types[node.output] = f"Future[{recorder.notes.type_of(returned)}]"
    future = Future(recorder, result)
    recorder.futures[id(future)] = future, returned, node.output
    return future


def _value_of(recorder: Recorder, result: Any) -> Value:
    """Return the value of what a call returned: what holds no tensors is a constant."""
    if isinstance(result, Tensor):
        return recorder.value_of(result)
    if isinstance(result, tuple) and result:
        return recorder.tuple_of([_value_of(recorder, item) for item in result])
    if isinstance(result, list) and result and isinstance(result[0], Tensor):
        return recorder.list_of([_value_of(recorder, item) for item in result], t.TENSOR)
    return recorder.constant(result)


def _record_wait(recorder: Recorder, future: Future, result: Any) -> None:
    """Record a wait. Raises `CompileError` (TS829) for a future from another forked call."""
    known = recorder.futures.get(id(future))
    with recorder.at_program_line():
        if known is None:
            raise error(
                recorder.range,
                "TS829",
                "Tried to trace Future or Object that the tracer was not aware of: it was made "
                "within a forked call, and its result is waited for outside",
                fix="wait for it within the call, and return the result",
            )
        _, returned, value = known
        waited = recorder.insert("aten::wait", [value], [returned.type]).output
        recorder.notes.types[waited] = recorder.notes.type_of(returned)
        bind_result(recorder, result, waited)


def make_forks(graph: Graph) -> None:
    """Let each `prim::TracedFork`, which has a graph by now, be a `prim::fork`."""
    for node in graph.nodes_of_kind(FORK):
        make_forks(node["Subgraph"])
        fork = graph.create("prim::fork", list(node.inputs), [node.output.type]).insert_after(node)
        fork.set_attr("Subgraph", "g", node["Subgraph"])
        node.output.replace_all_uses_with(copy_metadata(fork.output, node.output))
        node.destroy()
