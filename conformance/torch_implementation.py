"""torch.jit, the oracle."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import torch

from conformance.case import Call
from conformance.implementations import CompileFault, FunctionText, RunFault

_LINE = re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+)')
_OF_TRACER = re.compile(r" # [^\n]*/torch/jit/_trace\.py:\d+:\d+$", re.M)
_TRACER = "torch.jit._trace."
"""A part of the names of functions in that file, which are compiled as others are."""
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
_SCHEMA_FAULT = re.compile(r"Declaration: |is missing value for argument|Unknown keyword argument")


def without_tracers_lines(text: str) -> str:
    """Drop the lines in torch's tracer itself, which are no lines of what is traced."""
    return _OF_TRACER.sub("", text)


class TorchJit:
    """`torch.jit.script`."""

    def version(self) -> str:
        return f"torch {torch.__version__.partition('+')[0]}"

    def compile(self, program: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.jit.script(program)

    def trace(self, program: Any, example: Any, **options: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if isinstance(example, dict):
                return torch.jit.trace_module(program, example, check_trace=False, **options)
            return torch.jit.trace(program, example, check_trace=False, **options)

    def freeze(self, program: Any, **options: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.jit.freeze(torch.jit.script(program), **options)

    def save(self, compiled: Any, file: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.jit.save(compiled, file)

    def load(self, file: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.jit.load(file)

    def install(self) -> None:
        """Do nothing: torch.jit is in its place."""

    def compile_fault(self, error: Exception) -> CompileFault | None:
        text = str(error)
        line = _LINE.search(text)
        message = next((line.strip() for line in text.splitlines() if line.strip()), "")
        return CompileFault(
            kind=type(error).__name__,
            message=_ADDRESS.sub("0x...", message),
            file=line["file"] if line else None,
            line=int(line["line"]) if line else None,
        )

    def functions(self, compiled: Any) -> Iterator[FunctionText]:
        seen: set[str] = set()
        waiting = list(_entry_points(compiled))
        while waiting:
            name, function = waiting.pop(0)
            if name in seen:
                continue
            seen.add(name)
            graph = str(torch._C._jit_pass_canonicalize(function.graph, True))
            if _TRACER not in name:
                graph = without_tracers_lines(graph)
            yield FunctionText(name, graph, function.code)
            waiting += _called_functions(function.graph)

    def call(self, compiled: Any, call: Call) -> Any:
        target = compiled
        if isinstance(compiled, torch.jit.ScriptModule):
            target = getattr(compiled, call.method)
        return target(*call.args, **call.kwargs)

    def ran_as(self, compiled: Any) -> list[str]:
        return []

    def run_fault(self, error: Exception) -> RunFault | None:
        text = str(error)
        if _SCHEMA_FAULT.search(text):
            return RunFault("arguments", text.splitlines()[0])
        lines = tuple((line["file"], int(line["line"])) for line in _LINE.finditer(text))
        message = text.rstrip("\n").rpartition("\n")[2]
        kind = "raised" if isinstance(error, torch.jit.Error) else "failed"
        return RunFault(kind, message, lines)


def _entry_points(compiled: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(compiled, torch.jit.ScriptModule):
        yield compiled.qualified_name, compiled
        return
    for module in compiled.modules():
        type_name = module._c._type().qualified_name()
        for name in module._c._method_names():
            yield f"{type_name}.{name}", module._c._get_method(name)


def _called_functions(graph: Any) -> Iterator[tuple[str, Any]]:
    """The functions that `graph` calls, in its order, with their qualified names."""
    unit = torch.jit._state._python_cu
    for node in graph.findAllNodes("prim::CallFunction"):
        name = str(next(node.inputs()).type())
        yield name, unit.find_function(name)
