"""Python objects that are not compiled: calls of them run in Python (`@ignore`).

    @torch.jit.ignore
    def report(x: Tensor) -> None: ...

    def f(x: Tensor) -> Tensor:
        report(x)                 # %2 : NoneType = ^report[]()(%x): a prim::PythonOp
        return x

Source: torch/csrc/jit/python/python_sugared_value.cpp (`PythonValue`).
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from minits import torch_internals as internals
from minits.diagnostics import CompileError, error
from minits.edits import replacing
from minits.frontend.calls import hints
from minits.frontend.calls.schema_matching import NamedValue, match_schema
from minits.frontend.calls.schema_mismatches import Mismatch
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ir.constants import insert_constant
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.types import types as t

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter


def _name_of_call(function: Any) -> str:
    """Return the name of a function that is called in Python; of `F.apply` it is the class's."""
    owner = getattr(function, "__self__", None)
    named = owner if getattr(owner, "apply", None) == function else function
    return getattr(named, "__name__", "<python_value>")


class PythonValue(SugaredValue):
    """A Python object that is not compiled; calls of it run in Python (`@ignore`)."""

    def __init__(self, value: Any, module: Value | None = None) -> None:
        self.value = value
        self.module = module

    @property
    def kind(self) -> str:  # type: ignore[override]
        return f"python value of type '{type(self.value).__name__}'"

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """Return a static method of a class that is not compiled, such as a class of modules."""
        static = inspect.getattr_static(self.value, name, None)
        if inspect.isclass(self.value) and isinstance(static, staticmethod):
            from minits.frontend.python.python_values import to_sugared

            return to_sugared(static.__func__, loc, emitter)
        return super().attr(loc, emitter, name)

    def as_value(self, loc: SourceRange, emitter: Emitter) -> Value:
        """Refuse to be a value of the graph. Raises `CompileError` (TS301)."""
        fix, edit = hints.for_global(self.value), None
        if loc.text.isidentifier() and isinstance(self.value, (int, float, str)):
            edit = replacing(loc, repr(self.value), is_safe=False)
        message = f"{self.kind} cannot be used as a value"
        raise error(loc, "TS301", message, fix=fix, edit=edit)

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit a `prim::PythonOp`. Raises `CompileError` where the arguments do not match."""
        from minits.frontend.python.python_functions import python_schema

        self._check_callable(loc)
        graph = emitter.graph
        given = [NamedValue(self.module), *args] if self.module is not None else list(args)
        schema = python_schema(
            self.value, len(given), n_binders, self.module.type if self.module else None
        )
        matched = match_schema(schema, graph, loc, given, kwargs)
        if isinstance(matched, Mismatch):
            from minits.frontend.calls.no_match import no_match

            raise no_match(loc, schema.name, [matched], given, kwargs)
        if internals.is_dropped(self.value):
            return SimpleValue(_dropped(emitter, loc, matched.return_types[0]))
        node = graph.emit("prim::PythonOp", matched.inputs, matched.return_types, loc)
        node.set_attr("name", "s", _name_of_call(self.value))
        node.set_attr("pyobj", "py", self.value)
        return SimpleValue(node.output)

    def _check_callable(self, loc: SourceRange) -> None:
        from minits.frontend.python.python_functions import takes_names_when_bound

        if not _is_python_callable(self.value):
            if inspect.isclass(self.value):
                message = f"Cannot instantiate class '{self.value.__name__}' in a script function"
                raise error(loc, "TS403", message, fix="make the object outside of it")
            fix = hints.for_python(self.value)
            raise error(loc, "TS403", f"cannot call a {self.kind}", fix=fix)
        if self.module is None and takes_names_when_bound(self.value):
            raise _bound(self.value, loc)


def _bound(value: Any, loc: SourceRange) -> CompileError:
    """A class method, named through its class, or the method of an object that is not compiled."""
    if inspect.isclass(getattr(value, "__self__", None)):
        return error(
            loc,
            "TS403",
            f"cannot call the class method {value.__qualname__} through its class",
            fix="make it a static method, or call it on an object of the class",
        )
    name = getattr(value, "__qualname__", f"{type(value).__qualname__}.__call__")
    return error(
        loc,
        "TS403",
        f"cannot call {name}, a method that is bound to a Python object",
        fix="call a function that is marked with torch.jit.ignore, and that calls the method",
    )


def _is_python_callable(value: Any) -> bool:
    """Return whether a value is a function, a method, an object with such a `__call__`, or a class
    without source, such as `reversed`, which torch calls too.
    """
    if inspect.isclass(value):
        return not _has_source(value)
    called = (
        value if inspect.isroutine(value) else inspect.getattr_static(type(value), "__call__", None)
    )
    return inspect.isfunction(called) or inspect.ismethod(called)


def _has_source(cls: type) -> bool:
    try:
        inspect.getsource(cls)
    except (OSError, TypeError):
        return False
    return True


def _dropped(emitter: Emitter, loc: SourceRange, result: t.Type) -> Value:
    """Emit a call of an `@unused` function, which raises; return a placeholder of its type."""
    from minits.frontend.values.builtin_calls import emit_builtin_call

    graph = emitter.graph
    message = "This Python function is annotated to be ignored and cannot be run"
    text = insert_constant(graph, message)
    emit_builtin_call(graph, loc, "prim::RaiseException", [text])
    return graph.emit("prim::Uninitialized", [], [result]).output
