"""`minits.trace` and `minits.trace_module`.

Source: torch/jit/_trace.py.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar, cast, overload

import torch
from torch import nn

from minits import torch_internals as internals
from minits.compilation_state import STATE
from minits.frontend.modules.cycles import require_no_cycle
from minits.frontend.values.graph_function import GraphFunction
from minits.frontend.values.qualified_names import qualified_name
from minits.jit_enabled import is_enabled
from minits.records import replace
from minits.runtime.script import ScriptFunction
from minits.runtime.script_module import ScriptModule, method_of
from minits.tracing.check import check, cloned
from minits.tracing.run import (
    Arguments,
    TraceOptions,
    parameter_names,
    record_function,
    record_method,
)
from minits.tracing.traced_module import traced_module

__all__ = ["trace", "trace_module"]
P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


@overload
def trace(
    func: nn.Module,
    example_inputs: Any = ...,
    optimize: Any = ...,
    check_trace: bool = ...,
    check_inputs: Any = ...,
    check_tolerance: float = ...,
    strict: bool = ...,
    _force_outplace: bool = ...,
    _module_class: None = ...,
    _compilation_unit: Any = ...,
    example_kwarg_inputs: Mapping[str, Any] | None = ...,
    _store_inputs: bool = ...,
) -> ScriptModule: ...
@overload
def trace(  # type: ignore[overload-cannot-match]  # here alone, where torch is Any
    func: Callable[P, R],
    example_inputs: Any = ...,
    optimize: Any = ...,
    check_trace: bool = ...,
    check_inputs: Any = ...,
    check_tolerance: float = ...,
    strict: bool = ...,
    _force_outplace: bool = ...,
    _module_class: None = ...,
    _compilation_unit: Any = ...,
    example_kwarg_inputs: Mapping[str, Any] | None = ...,
    _store_inputs: bool = ...,
) -> ScriptFunction[P, R]: ...


def trace(
    func: Any,
    example_inputs: Any = None,
    optimize: Any = None,
    check_trace: bool = True,
    check_inputs: Any = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    _force_outplace: bool = False,
    _module_class: None = None,
    _compilation_unit: Any = None,
    example_kwarg_inputs: Mapping[str, Any] | None = None,
    _store_inputs: bool = True,
) -> Any:
    """Run a function or an nn.Module once, and return what it did, compiled.

    A `ScriptFunction` for a function, a `ScriptModule` with the method `forward` for a module or
    its `forward`. Recorded are the operators on tensors; what Python decides meanwhile holds for
    all later calls (docs/tracing.md).

    example_inputs: the arguments of the run: tensors of any shape and dtype, and tuples, lists and
        dicts of them; a single tensor or dict need not be in a tuple. `example_kwarg_inputs` are
        keyword arguments, in its place.
    check_trace: whether to trace again, with `check_inputs` (a list of such arguments) or else the
        same inputs, and compare graphs and results, these with the relative `check_tolerance`.
    strict: False admits dicts as results, and lists without a warning.
    optimize, _compilation_unit, _store_inputs: have no effect.

    Raises `CompileError` for what a trace cannot hold, and `TracingCheckError` where the graph of
    the second trace is another one; warns with `TracerWarning` where the trace may be wrong for
    other inputs.
    """
    if not is_enabled():
        return func
    if isinstance(func, ScriptModule) or internals.is_jit_module(func):
        warnings.warn("the module is compiled already: it stays as it is", stacklevel=2)
        return traced_module(func)
    by_keyword = example_kwarg_inputs is not None
    given = example_kwarg_inputs if by_keyword else example_inputs
    options = TraceOptions(strict, _force_outplace, by_keyword)
    module = _module_of(func)
    if module is None:
        traced = _trace_function(func, given, options)
        if check_trace:
            for inputs in check_inputs or [given]:
                again = _second_trace(_trace_function, func, cloned(inputs), options)
                check(func, traced, again, inputs, check_tolerance, options)
        return traced
    return trace_module(
        module,
        {"forward": given},
        check_trace=check_trace,
        check_inputs=[{"forward": each} for each in check_inputs or ()] or None,
        check_tolerance=check_tolerance,
        strict=strict,
        _force_outplace=_force_outplace,
        _module_class=_module_class,
        example_inputs_is_kwarg=by_keyword,
    )


def trace_module(
    mod: nn.Module,
    inputs: Mapping[str, Any],
    optimize: Any = None,
    check_trace: bool = True,
    check_inputs: Any = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    _force_outplace: bool = False,
    _module_class: None = None,
    _compilation_unit: Any = None,
    example_inputs_is_kwarg: bool = False,
    _store_inputs: bool = True,
) -> ScriptModule:
    """Run methods of an nn.Module once each, and return a `ScriptModule` that has them, compiled.

    inputs: by the name of a method, its arguments, as for `trace`; with `example_inputs_is_kwarg`
        dicts of keyword arguments. `check_inputs` is a list of such dicts.

    The result shares parameters and buffers with `mod`. Raises and warns as `trace` does; raises
    TypeError for a `_module_class`, since what comes back is a `ScriptModule`.
    """
    if not is_enabled():
        return cast("ScriptModule", mod)
    if _module_class is not None:
        raise TypeError("_module_class has to be None: what is traced is a minits.ScriptModule")
    if not isinstance(mod, nn.Module):
        raise AttributeError(f"expected an nn.Module, and got a {type(mod).__name__}")
    if not isinstance(inputs, Mapping):
        raise AttributeError("expected a dict of names of methods and their arguments")
    options = TraceOptions(strict, _force_outplace, example_inputs_is_kwarg)
    traced = _trace_methods(mod, inputs, options)
    if check_trace:
        for again in check_inputs or [inputs]:
            _check_methods(mod, traced, again, check_tolerance, options)
    return traced


def _check_methods(
    original: nn.Module,
    traced: ScriptModule,
    inputs: Mapping[str, Any],
    tolerance: float,
    options: TraceOptions,
) -> None:
    """Check each method that was traced; the module is traced again with all inputs at once."""
    copies = {name: cloned(given) for name, given in inputs.items()}
    second = _second_trace(_trace_methods, original, copies, options)
    for name, given in inputs.items():
        method, again = (cast("ScriptFunction", method_of(each, name)) for each in (traced, second))
        check(getattr(original, name), method, again, given, tolerance, options)


def _second_trace(trace: Callable[..., T], program: Any, given: Any, options: TraceOptions) -> T:
    """Trace a program again, which warns of nothing, and makes no gradients."""
    with torch.no_grad():
        return trace(program, given, replace(options, is_quiet=True))


def _trace_methods(
    original: nn.Module, inputs: Mapping[str, Any], options: TraceOptions
) -> ScriptModule:
    """Return a compiled module with the methods that `inputs` names, unchecked."""
    require_no_cycle(original)
    traced = traced_module(original)
    for name, given in inputs.items():
        method = getattr(original, name)
        function = original if name == "forward" else method
        names = parameter_names(method)
        arguments = Arguments.of(given, names, options.by_keyword)
        record_method(traced, original, name, function, arguments, options)
    return traced


def _trace_function(func: Any, given: Any, options: TraceOptions) -> ScriptFunction:
    owner = getattr(func, "__self__", None)
    if isinstance(owner, nn.Module):
        raise AttributeError(
            "trace doesn't support compiling individual module's functions: trace the method "
            f"{func.__name__} with minits.trace_module"
        )
    arguments = Arguments.of(given, parameter_names(func), options.by_keyword)
    graph = record_function(func, arguments, options)
    full_name = qualified_name(func) if hasattr(func, "__name__") else "__torch__.forward"
    name = full_name.rpartition(".")[2]  # `_lambda` of a lambda
    made = GraphFunction(name, STATE.unique_name(full_name), graph, arguments.names)
    original = func if inspect.isroutine(func) else None
    return ScriptFunction(made, original)


def _module_of(func: Any) -> nn.Module | None:
    """Return the module that is traced if `func` is one, or is the `forward` of one."""
    if isinstance(func, nn.Module):
        return func
    owner = getattr(func, "__self__", None)
    is_forward = isinstance(owner, nn.Module) and func.__name__ == "forward"
    return owner if is_forward else None
