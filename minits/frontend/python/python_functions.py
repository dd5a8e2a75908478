"""Functions that stay Python: the schemas by which compiled code calls them.

Source: torch/csrc/jit/python/python_sugared_value.cpp (`PythonValue::getSchema`) and
torch/jit/annotations.py (`get_signature`).
"""

from __future__ import annotations

import inspect
from typing import Any

import torch

from minits.diagnostics import CompileError, error
from minits.frontend.python.class_registry import class_types
from minits.frontend.python.scopes import ClosureScope
from minits.frontend.python.sources import function_definition
from minits.frontend.values.type_comments import read_comment
from minits.live_annotations import annotations_of, python_signature
from minits.ops.schema import Argument, Schema
from minits.source import SourceRange
from minits.syntax import tree
from minits.types import types as t
from minits.types.annotations import type_from_python
from minits.types.types import Type


def python_schema(function: Any, n_arguments: int, n_binders: int, module: Type | None) -> Schema:
    """Return the schema by which compiled code calls a Python function with `n_arguments`.

    Without annotations and type comment all is Tensor: as many results as variables take them.
    What goes into `*args` may have any type. Raises `CompileError`.
    """
    if inspect.isclass(function):
        numbered = tuple(Argument(str(index), t.TENSOR) for index in range(n_arguments))
        return Schema(function.__name__, "", numbered, (Argument("0", _tensors(n_binders)),))
    function = _routine(function)
    parameters = python_signature(function).parameters.values()
    starred = _starred(function)
    names = [p.name for p in parameters if p not in starred]
    arguments: list[Argument] = []
    if module is not None:
        if not names:
            raise _no_self(function)
        arguments.append(Argument(names.pop(0), module))
    types, result = _types(function, names)
    if types is None:
        types = [t.TENSOR] * len(names)
        result = _tensors(n_binders)
    arguments += [Argument(name, type) for name, type in zip(names, types, strict=True)]
    if starred:
        more = range(len(arguments), n_arguments)
        arguments += [Argument(f"{starred[0].name}_{index}", t.ANY) for index in more]
    return Schema(function.__qualname__, "", tuple(arguments), (Argument("0", result),))


def takes_names_when_bound(function: Any) -> bool:
    """Return whether a method bound to its object has parameters with names: torch.jit counts
    the object as one of them, and knows no type for it. `*args` has a type for each argument.
    """
    function = _routine(function)
    return inspect.ismethod(function) and not _starred(function)


def _routine(function: Any) -> Any:
    function = getattr(function, "original_fn", function)
    return function if inspect.isroutine(function) else function.__call__


def _starred(function: Any) -> list[inspect.Parameter]:
    """The parameter `*args`, if there is one."""
    parameters = python_signature(function).parameters.values()
    return [p for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL]


def _tensors(count: int) -> Type:
    return {0: t.NONE, 1: t.TENSOR}.get(count, t.TupleType((t.TENSOR,) * count))


def _no_self(function: Any) -> CompileError:
    code = inspect.unwrap(function).__code__
    return error(
        SourceRange.of_line(code.co_filename, code.co_firstlineno),
        "TS607",
        f"the method {function.__qualname__} does not have a self argument",
        fix="add the parameter, or make it a static method",
    )


def _types(function: Any, names: list[str]) -> tuple[list[Type] | None, Type]:
    annotations = _resolved_annotations(function)
    if not annotations:
        return _commented_types(function, names)
    types = [_type(annotations.get(name, torch.Tensor)) for name in names]
    return types, _type(annotations.get("return", torch.Tensor))


def _type(annotation: Any) -> Type:
    return type_from_python(annotation, class_types) or t.TENSOR


def _resolved_annotations(function: Any) -> dict[str, Any]:
    try:
        return inspect.get_annotations(function, eval_str=True)
    except Exception:  # an annotation that Python itself cannot evaluate
        return annotations_of(function)


def _commented_types(function: Any, names: list[str]) -> tuple[list[Type] | None, Type]:
    """The types of `# type: (int) -> Tensor`; None where there is no such comment."""
    function = inspect.unwrap(function)
    try:
        definition = function_definition(function)
    except CompileError:  # what stays Python need not be written in a way that minits reads
        return None, t.TENSOR
    arguments = definition.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    comment = read_comment(definition, [p for p in parameters if p.arg in names], "torch")
    if comment is None:
        return None, t.TENSOR
    scope = ClosureScope(function)

    def type_of(written: tree.expr | None) -> Type:
        return t.TENSOR if written is None else scope.type(written)

    return [type_of(written) for written in comment[0]], type_of(comment[1])
