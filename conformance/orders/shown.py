"""The text of a compilation: graphs and code, results of calls, or the refusal.

Names that torch mangles, since another class or function has the name already, and the numbers of
warnings tell of the order in which things were compiled; they are left out.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

import minits
from conformance.case import Call
from conformance.case import Program as CaseProgram
from conformance.foreign.instances import instance
from conformance.minits_implementation import Minits, _entry_points
from conformance.values import encode
from minits.diagnostics import CompileError
from minits.ir.canonical import canonicalize
from minits.ir.printer import print_graph
from minits.runtime.script_variants import VariadicFunction
from minits.types import types as t

_PROCESS = re.compile(r"\.___torch_mangle_\d+|(?<=warn_id=)\d+|(?<=0x)[0-9a-f]{6,}")
_MINITS = Minits()


def shown(program: Any, dialect: str = "torch") -> str:
    """Compile a program; return what that shows."""
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    try:
        target = made(program)
    except Exception as error:
        return f"not made: {type(error).__name__}"
    text = "\n".join(_told(program, target, dialect))
    return _PROCESS.sub("", text)


def made(program: Any) -> Any:
    """Return the object to compile: of a class of modules an instance. Raises as a class does."""
    if isinstance(program, CaseProgram):
        return program.make()
    return instance(program) if _is_module_class(program) else program


def _is_module_class(program: Any) -> bool:
    return inspect.isclass(program) and issubclass(program, nn.Module)


def _told(program: Any, target: Any, dialect: str) -> Iterator[str]:
    try:
        compiled = minits.script(target, dialect=dialect)
    except CompileError as refusal:
        yield f"refused: {refusal}"
        return
    except Exception as error:
        yield f"raises: {type(error).__name__}: {error}"
        return
    yield from _functions(compiled)
    if isinstance(program, CaseProgram):
        for number, call in enumerate(_calls(program)):
            torch.manual_seed(number)
            yield _outcome(compiled, call)


def _calls(program: CaseProgram) -> list[Call]:
    try:
        return program.calls()
    except Exception:  # what makes them was changed
        return []


def _functions(compiled: Any) -> Iterator[str]:
    """The graph and code of everything compiled, methods of script classes too."""
    if isinstance(compiled, type):
        waiting = [(name, method) for name, method in _methods(compiled)]
    elif isinstance(compiled, VariadicFunction):
        waiting = []  # it is compiled anew for each kind of call
    else:
        waiting = list(_entry_points(compiled))
    seen: set[int] = set()
    while waiting:
        name, function = waiting.pop(0)
        function = getattr(function, "_minits", function)
        if id(function) in seen or not hasattr(function, "graph"):
            continue
        seen.add(id(function))
        yield f"{name}\n{print_graph(canonicalize(function.graph, keep_names=True), ranges=True)}"
        waiting += _called(function.graph)


def _methods(cls: type) -> list[tuple[str, Any]]:
    from minits.compilation_state import STATE

    type_ = STATE.types.get(cls)
    return list(type_.methods.items()) if isinstance(type_, t.ClassType) else []


def _called(graph: Any) -> Iterator[tuple[str, Any]]:
    for node in graph.all_nodes():
        if node.kind == "prim::CallFunction":
            callee = node.inputs[0].type.function
            yield callee.qualified_name, callee
        elif node.kind == "prim::CallMethod":
            owner = node.inputs[0].type
            method = getattr(owner, "methods", {}).get(node["name"])
            if method is not None:
                yield f"{owner.name}.{method.name}", method


def _outcome(compiled: Any, call: Call) -> str:
    try:
        result = _MINITS.call(compiled, call)
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    return str(encode(result))
