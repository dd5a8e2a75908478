"""Running a program once, and recording it.

Source: torch/csrc/jit/frontend/tracer.cpp (`trace`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn

from minits.api import script
from minits.diagnostics import error
from minits.frontend.values.graph_function import GraphFunction
from minits.internal_error import internal_errors
from minits.ir.graph import Graph
from minits.live_annotations import python_signature
from minits.passes.pipeline import run_pipeline
from minits.records import dataclass
from minits.recursion import deep_recursion
from minits.runtime.script_module import ScriptModule
from minits.tracing.attribute_writes import told_attribute_writes
from minits.tracing.autocast import own_autocast_cache
from minits.tracing.forks import make_forks
from minits.tracing.interface import add_inputs, add_output
from minits.tracing.mode import recording
from minits.tracing.module_attributes import localize_attributes
from minits.tracing.module_calls import make_graphs, make_module_calls
from minits.tracing.read_numbers import tell
from minits.tracing.recorder import Recorder
from minits.tracing.script_calls import recorded_calls
from minits.tracing.tensor_methods import traced_methods
from minits.tracing.torch_hooks import torch_hooks
from minits.tracing.torch_jit_calls import modules_of_torch_jit, recorded_torch_jit_calls
from minits.tracing.traced_module import add_module, infos_of, scope_names
from minits.tracing.traced_size import traced_sizes
from minits.tracing_state import TRACING
from minits.users_objects import known_info


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """Options of a trace.

    by_keyword: the example inputs are keyword arguments.
    is_quiet: it warns of nothing, as the trace that it is compared with has warned.
    """

    strict: bool = True
    outplace: bool = False
    by_keyword: bool = False
    is_quiet: bool = False


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of the run, in the order of the parameters, and the parameters' names."""

    values: list[Any]
    names: list[str]
    by_keyword: bool = False

    @classmethod
    def of(cls, given: Any, names: list[str], by_keyword: bool = False) -> Arguments:
        """Arrange example inputs. Raises `NameError` for an unknown parameter, or `TypeError`."""
        if not by_keyword:
            values = [given] if isinstance(given, (Tensor, dict)) else list(given)
            return cls(values, names)
        unknown = [name for name in given if name not in names]
        if unknown:
            raise NameError(f"'{unknown[0]}' is no parameter: there are {', '.join(names)}")
        given_names = [name for name in names if name in given]
        return cls([given[name] for name in given_names], given_names, True)

    def call(self, function: Callable[..., Any], values: list[Any]) -> Any:
        """Call a function with values in the place of these."""
        if self.by_keyword:
            return function(**dict(zip(self.names, values, strict=True)))
        return function(*values)


def record_function(
    function: Callable[..., Any], arguments: Arguments, options: TraceOptions
) -> Graph:
    """Return the graph of what a function does with these arguments. Raises `CompileError`."""
    recorder = Recorder(options.strict, options.outplace, options.is_quiet)
    _run(recorder, function, arguments)
    _clean_up(recorder.graph)
    return recorder.graph


def record_method(
    module: ScriptModule,
    original: nn.Module,
    name: str,
    function: Callable[..., Any],
    arguments: Arguments,
    options: TraceOptions,
) -> None:
    """Record a method of `original`: `module` has it from now on, and so have submodules theirs.

    Raises `CompileError`, TS825 if it has the method compiled already.
    """
    info = known_info(module)
    if name in info.type.methods:
        raise error(
            None,
            "TS825",
            f"{info.cls.__name__}.{name} is compiled already, and cannot be recorded: it, or "
            "a method that calls it, is marked @torch.jit.export, or the module is compiled",
            fix="leave it out of what is traced, or trace the module without that mark",
        )
    recorder = Recorder(options.strict, options.outplace, options.is_quiet)
    recorder.scope_names = scope_names(original)
    recorder.torch_jit_modules = modules_of_torch_jit(original)
    add_module(recorder, module)
    _run(recorder, function, arguments)
    _divide(recorder.graph, module)
    info.type.methods[name] = GraphFunction(
        name, f"{info.type.name}.{name}", recorder.graph, arguments.names, itself=info
    )


def _run(recorder: Recorder, function: Callable[..., Any], arguments: Arguments) -> None:
    inputs = add_inputs(recorder, arguments.values, arguments.names)
    with active(recorder):
        result = arguments.call(function, inputs)
        tell(recorder.read_numbers)
        with recorder.paused():
            add_output(recorder, result)


@internal_errors("making methods of a trace")
@deep_recursion()
def _divide(graph: Graph, module: ScriptModule) -> None:
    """Make methods of the parts of a graph that submodules have run."""
    infos = infos_of(module)
    localize_attributes(graph)
    make_module_calls(graph, infos)
    for info in infos.values():
        for method in info.type.methods.values():
            if isinstance(method, GraphFunction):
                _finish(method.graph)
    _finish(graph)


@internal_errors("simplifying a trace")
@deep_recursion()
def _clean_up(graph: Graph) -> None:
    make_graphs(graph.block)
    _finish(graph)


def _finish(graph: Graph) -> None:
    make_forks(graph)
    run_pipeline(graph, "trace")


@contextmanager
def active(recorder: Recorder) -> Iterator[None]:
    """Let a recorder record what this thread does meanwhile.

    Raises `CompileError` (TS824) within another trace.
    """
    if TRACING.recorder is not None:
        raise error(
            None,
            "TS824",
            "a trace cannot begin within another trace",
            fix="trace the inner program first, and call what comes out",
        )
    with ONE_AT_A_TIME, _in_place(recorder):
        yield


ONE_AT_A_TIME = threading.Lock()
"""torch keeps the modes at the PreDispatch key once for all threads: a trace waits."""


@contextmanager
def _in_place(recorder: Recorder) -> Iterator[None]:
    TRACING.recorder = recorder
    try:
        with (
            torch_hooks(script),  # first: it imports modules that remember functions by names
            traced_methods(),
            traced_sizes(),
            told_attribute_writes(),
            recorded_calls(),
            recorded_torch_jit_calls(),
            own_autocast_cache(),
            recording(recorder),
        ):
            yield
    finally:
        TRACING.recorder = None


def parameter_names(function: Any) -> list[str]:
    """Return the names of the parameters that arguments by position may be for."""
    try:
        parameters = python_signature(function).parameters.values()
    except (TypeError, ValueError):  # a function without a signature, such as one of C
        return []
    return [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
