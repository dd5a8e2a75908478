"""minits."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch

import minits
import minits.api  # what the first use of minits imports, once for all cases that are forked
import minits.freezing.freeze
import minits.runtime.fusing
import minits.tracing.trace
from conformance.case import Call
from conformance.implementations import CompileFault, FunctionText, RunFault
from minits.codegen.python import compile_graph
from minits.diagnostics import CompileError, NotSupportedError
from minits.internal_error import InternalError
from minits.ir.canonical import canonicalize
from minits.ir.printer import print_graph
from minits.native.modes import loops_in
from minits.ops.errors import ScriptRaise, as_script_error
from minits.runtime import interpreter
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.plan import Plan
from minits.runtime.script_variants import VariadicFunction


class Minits:
    """`minits.script`."""

    def version(self) -> str:
        return f"minits {minits.__version__}"

    def compile(self, program: Any) -> Any:
        with warnings.catch_warnings():  # torch.jit leaves a wrapper out without a word
            warnings.filterwarnings("ignore", ".* is compiled without its decorator")
            return minits.script(program)

    def trace(self, program: Any, example: Any, **options: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if isinstance(example, dict):
                return minits.trace_module(program, example, check_trace=False, **options)
            return minits.trace(program, example, check_trace=False, **options)

    def freeze(self, program: Any, **options: Any) -> Any:
        return minits.freeze(minits.script(program), **options)

    def save(self, compiled: Any, file: Any) -> None:
        minits.save(compiled, file)

    def load(self, file: Any) -> Any:
        return minits.load(file)

    def install(self) -> None:
        """Put minits in the place of torch.jit, in this process, for PyTorch's own tests."""
        from conformance.upstream.adapter.install import install

        install()

    def compile_fault(self, error: Exception) -> CompileFault | None:
        if not isinstance(error, CompileError):
            return None
        first = error.diagnostics[0]
        kind = "NotSupportedError" if isinstance(error, NotSupportedError) else "CompileError"
        message = f"{first.message} [{first.code}]"
        if first.range is None:
            return CompileFault(kind, message, None, None)
        return CompileFault(kind, message, first.range.source.filename, first.range.begin.line)

    def functions(self, compiled: Any) -> Iterator[FunctionText]:
        seen: set[str] = set()
        waiting = list(_entry_points(compiled))
        while waiting:
            name, function = waiting.pop(0)
            if name in seen:
                continue
            seen.add(name)
            graph = canonicalize(function.graph, keep_names=True)
            yield FunctionText(name, print_graph(graph, ranges=True), function.code)
            waiting += _called_functions(function.graph)

    def call(self, compiled: Any, call: Call) -> Any:
        return self.target(compiled, call)(*call.args, **call.kwargs)

    def target(self, compiled: Any, call: Call) -> Any:
        """What a call is of: the program, or the method of a module."""
        if isinstance(compiled, torch.nn.Module):
            return getattr(compiled, call.method)
        return compiled

    def run_fault(self, error: Exception) -> RunFault | None:
        if isinstance(error, InternalError):
            return None
        if isinstance(error, ArgumentError):
            return RunFault("arguments", str(error))
        lines = tuple(_lines(error))
        if isinstance(error, ScriptRaise):
            name = error.class_name or "RuntimeError"
            return RunFault("raised", f"{name}: {error.message}", lines)
        return RunFault("failed", f"{type(error).__name__}: {error}", lines)

    def ways(self, compiled: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
        """Further ways to run a function, which must agree: the interpreter, Python without plans.

        They take arguments by position. A module has none.
        """
        if isinstance(compiled, minits.ScriptFunction):
            graph = compiled.inlined_graph
            yield "interpreter", lambda *args: interpreter.run(graph, *args)
            yield "generated code", _with_script_errors(compile_graph(graph, "program"))

    def ran_as(self, compiled: Any) -> list[str]:
        functions = [function for _, function in _entry_points(compiled)]
        plans = [plan for function in functions for plan in getattr(function, "_plans", ())]
        return [_ran_as(plan) for plan in plans]


def _with_script_errors(run: Callable[..., Any]) -> Callable[..., Any]:
    """What a call does to errors of torch's functions, which generated code lets through."""

    def call(*args: Any) -> Any:
        try:
            return run(*args)
        except Exception as error:
            raise as_script_error(error) from None

    return call


def _ran_as(plan: Any) -> str:
    if not isinstance(plan, Plan):
        return "read from disk"
    if plan.native is not None:
        if not plan.native.is_built:
            return f"not built: {plan.native.report()}"
        return "native, asking" if plan.native.native.asks_python else "native"
    if loops_in(plan.run):
        return "loops"
    remarks = [remark.code for remark in plan.remarks if remark.code.startswith("not-native")]
    return remarks[0] if remarks else "not asked for"


def _lines(error: Exception) -> Iterator[tuple[str, int]]:
    """The lines of the program that its traceback goes through, the innermost last."""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.lineno is not None:
            yield frame.filename, frame.lineno


def _entry_points(compiled: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(compiled, VariadicFunction):  # it has a graph for each way in which it is called
        return
    if not isinstance(compiled, minits.ScriptModule):
        yield compiled.qualified_name, compiled
        return
    for module in compiled.modules():
        for name in module.method_names():
            yield f"{module.qualified_name}.{name}", module.compile_method(name)


def _called_functions(graph: Any) -> Iterator[tuple[str, Any]]:
    """The functions that `graph` calls, in its order, with their qualified names."""
    for node in graph.all_nodes():
        if node.kind == "prim::CallFunction":
            callee = node.inputs[0].type.function
            yield callee.qualified_name, minits.ScriptFunction(callee)
