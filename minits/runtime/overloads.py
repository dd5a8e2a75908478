"""Overloaded methods called from Python, as `forward` of an `nn.LSTM`.

    compiled(x)         runs `forward__0`, which takes a Tensor
    compiled(packed)    runs `forward__1`, which takes a PackedSequence

A call runs the first overload that takes the arguments. Tools that look into the call are shown the
Python method; an archive has none, and they are shown a choice by the classes of the arguments.

Source: none; a module that torch.jit has compiled has no `forward` then.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import MethodType, NoneType
from typing import Any, NoReturn

from torch import Tensor

from minits.live_annotations import python_signature
from minits.ops.schema import Schema
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.in_python import call_in_python, signature_of
from minits.runtime.script import ScriptFunction, ScriptMethod
from minits.runtime.script_variants import VariadicFunction, VariadicMethod
from minits.torch_internals import constant_to_dynamo, inlined_as, is_traced_by_torch
from minits.types import types as t
from minits.types.subtyping import union_members
from minits.users_objects import known_info

Overload = ScriptMethod | VariadicMethod
_CLASSES: dict[t.Type, tuple[type, ...]] = {
    t.TENSOR: (Tensor,), t.INT: (int,), t.FLOAT: (float, int), t.BOOL: (bool,), t.STR: (str,),
    t.NONE: (NoneType,),
}  # fmt: skip


class NoForward(RuntimeError, AttributeError):
    """Raised for what only a method with a graph has, where `forward` is none.

    A property raises it, so that `hasattr` finds it missing.
    """

    def __init__(self, name: str, methods: Sequence[str]) -> None:
        names = ", ".join(methods) or "it has none"
        super().__init__(
            f"{name} has no compiled method 'forward': ask one of its methods ({names})"
        )


class Overloads(VariadicFunction):
    """An overloaded method, bound to its module."""

    def __init__(self, name: str, overloads: Sequence[Overload], owner: Any) -> None:
        self._name = name
        self._overloads = overloads
        self._owner = owner
        self._choices = [(_classes(each._minits.schema), each) for each in overloads]
        self.__name__ = name
        original = self._original()
        if original is not None:
            self.__wrapped__, self.__doc__ = original, original.__doc__
        super().__init__(overloads[0]._minits)

    @inlined_as(call_in_python)
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the first overload that takes the arguments. Raises `ArgumentError`."""
        if is_traced_by_torch():
            return self.in_python()(*args, **kwargs)
        for method in self._overloads[:-1]:
            try:
                return method(*args, **kwargs)
            except ArgumentError:
                continue
        try:
            return self._overloads[-1](*args, **kwargs)
        except ArgumentError:
            method = _closest(self._choices, args, kwargs)
            if method is self._overloads[-1]:
                raise
        return method(*args, **kwargs)  # raises the error that tells more

    def bind(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[ScriptFunction, dict[str, Any]]:
        """Return the overload for a call, and the keyword arguments."""
        for method in self._overloads:
            try:
                script, named = _bound(method, args, kwargs)
                script.bound(args, named)
            except ArgumentError:
                continue
            return script, named
        return _bound(_closest(self._choices, args, kwargs), args, kwargs)

    def plan_report(self) -> str:
        """A report, for people, of the plans of each overload."""
        return "\n".join(f"{each.name}: {each.plan_report()}" for each in self._overloads)

    def _refuse(self) -> NoReturn:
        """Raise `NoForward`: only the overloads have a schema, a graph and code."""
        raise NoForward(
            known_info(self._owner).cls.__name__, [each.name for each in self._overloads]
        )

    schema = graph = inlined_graph = code = code_with_constants = property(_refuse)

    # ---- Python ----------------------------------------------------------------------------------

    def in_python(self) -> Callable[..., Any]:
        """Return a Python function that does the same, for tools that look into it."""
        self.prepare_python()
        return self._python

    @constant_to_dynamo
    def prepare_python(self) -> None:
        """Make that function, if it is not there."""
        if "_python" in self.__dict__:
            return
        original = self.__dict__.get("__wrapped__")
        self._python: Callable[..., Any] = self._chosen() if original is None else original

    def _original(self) -> Any:
        """Return the method of Python that all overloads were made of, or None."""
        methods = [each.__dict__.get("__wrapped__") for each in self._overloads]
        is_as_written = all(each._minits.is_as_written for each in self._overloads)
        functions = {getattr(each, "__func__", None) for each in methods}
        return methods[0] if is_as_written and len(functions) == 1 else None

    def _chosen(self) -> Callable[..., Any]:
        """Return a Python function that chooses by classes of arguments, which tools can trace."""
        choices = [
            (classes, each.in_python())
            for classes, each in self._choices
            if isinstance(each, ScriptFunction)
        ]

        def chosen(module: Any, *args: Any, **kwargs: Any) -> Any:
            return _closest(choices, args, kwargs)(*args, **kwargs)

        return MethodType(chosen, self._owner)

    @property
    def __code__(self) -> Any:
        """The code object of that function, which tools ask for file and line."""
        return self.in_python().__code__

    @property
    def __signature__(self) -> inspect.Signature:
        """The signature of the original; of an archive's method, that of the first overload."""
        original = self.__dict__.get("__wrapped__")
        if original is not None:
            return python_signature(original)
        return signature_of(self._minits.schema, is_bound=True)

    # ---- Names -----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self._name

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Return the parts that pickle carries: the module, and the name of the method."""
        return getattr, (self._owner, self._name)

    def __repr__(self) -> str:
        return f"<minits.Overloads {self._minits.qualified_name.rpartition('.')[0]}.{self._name}>"


def _bound(
    method: Overload, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[ScriptFunction, dict[str, Any]]:
    return method.bind(args, kwargs) if isinstance(method, VariadicMethod) else (method, kwargs)


Classes = list[tuple[str, tuple[type, ...]]]
"""The parameters of an overload in order, with the classes that their arguments have."""


def _closest(
    choices: Sequence[tuple[Classes, Any]], args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """Return the function of the first choice that takes as many arguments as any of them."""
    best, most = choices[0][1], -1
    for classes, function in choices:
        fitting = sum(
            isinstance(value, expected) for value, (_, expected) in zip(args, classes, strict=False)
        )
        fitting += sum(name in kwargs and isinstance(kwargs[name], e) for name, e in classes)
        if fitting > most:
            best, most = function, fitting
    return best


def _classes(schema: Schema) -> Classes:
    """Return the parameters of a method but `self`, and the classes that their arguments have."""
    return [
        (each.name, tuple(cls for member in union_members(each.type) for cls in _of(member)))
        for each in schema.arguments[1:]
    ]


def _of(type: t.Type) -> tuple[type, ...]:
    if isinstance(type, t.TupleType):
        return (tuple,)
    if isinstance(type, t.ListType):
        return (list, tuple)
    if isinstance(type, t.DictType):
        return (dict,)
    return _CLASSES.get(type, (object,))
