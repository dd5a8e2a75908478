"""`super()` in methods, in the extended dialect: the parents' methods, compiled for the same self.

    class Scaled(Base):
        def forward(self, x):              =  def forward(self, x):
            return super().forward(x) * 2         return self._super_Base_forward(x) * 2

                                              def _super_Base_forward(self, x):
                                                  ...  # the body of Base.forward

Which class a method is found in is decided while compiling, by the order of the bases (the MRO) of
the class of `self`, as in Python.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import torch

from minits import torch_internals as internals
from minits.compilation_journal import enter
from minits.diagnostics import CompileError, error
from minits.frontend.python.compiled_functions import make_compiled_function
from minits.frontend.python.python_values import to_sugared
from minits.frontend.python.scopes import ClassScope, PythonScope
from minits.frontend.python.uncompiled import PythonValue
from minits.frontend.values.builtins import NoneResult
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.simple_value import MethodValue
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.types import Type


def emit_super(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """`super()`, or `super(C, self)` which means the same in a method of `C`.

    Raises `CompileError`.
    """
    if len(call.args) not in (0, 2) or call.keywords:
        raise _misplaced(call, "takes no arguments, or the class and self")
    itself = _self_parameter(emitter, call)
    value = itself.as_value(origin(call), emitter)
    type = value.type
    cls = _class_around(emitter, call)
    if not isinstance(type, t.ClassType) or type.cls is None or not issubclass(type.cls, cls):
        raise _misplaced(call, f"stands in no method of a class that inherits from {cls.__name__}")
    return Parents(itself, value, type.cls.__mro__[type.cls.__mro__.index(cls) + 1 :])


def _self_parameter(emitter: Emitter, call: tree.Call) -> SugaredValue:
    """Return the sugared value of the method's first parameter."""
    parameters = emitter.function.definition.args
    first = next(iter((*parameters.posonlyargs, *parameters.args)), None)
    if emitter.function.itself is None or first is None:
        raise _misplaced(call, "stands in no method")
    given = call.args[1] if call.args else None
    if given is not None and not (isinstance(given, tree.Name) and given.id == first.arg):
        raise _misplaced(call, f"takes {first.arg} as its second argument")
    return emitter.lookup(first.arg, origin(call))


def _class_around(emitter: Emitter, call: tree.Call) -> type:
    """Return the class in whose body the method stands."""
    name = "__class__"  # Python's name of it, in methods that say `super`
    if call.args:
        name = call.args[0].id if isinstance(call.args[0], tree.Name) else ""
    try:
        found = emitter.scope.lookup(name) if isinstance(emitter.scope, PythonScope) else None
    except KeyError:
        found = None
    if not inspect.isclass(found):
        raise _misplaced(call, "stands in a class that is not known while compiling")
    return found


def _misplaced(call: tree.Call, why: str) -> CompileError:
    return error(origin(call), "TS711", f"super() {why}", fix="call it in a method: super().f(x)")


class Parents(SugaredValue):
    """The value of `super()`: an object, and the classes of the MRO that its methods come from."""

    kind = "super object"

    def __init__(self, itself: SugaredValue, value: Value, classes: tuple[type, ...]) -> None:
        self.itself, self.value, self.classes = itself, value, classes

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """The first method, static method or property of this name among the parent classes.

        Raises `CompileError` (TS302) where none of them defines one in Python.
        """
        base, member = next(self._defining(name), (object, None))
        if isinstance(member, staticmethod):
            return to_sugared(member.__func__, loc, emitter)
        if isinstance(member, property) and member.fget is not None:
            return self._method(emitter, base, name, member.fget).call(loc, emitter, [], [])
        if inspect.isfunction(member) and base is not torch.nn.Module:
            return self._method(emitter, base, name, member)
        if base is object and name == "__init__":
            return _Nothing()
        cls = self.classes[0].__name__
        raise error(
            loc,
            "TS302",
            f"super object has no method '{name}' that can be compiled: {cls} and its bases define "
            "none in Python",
            fix=f"define {name} in {cls}",
        )

    def has_attr(self, loc: SourceRange, emitter: Emitter, name: str) -> bool:
        return any(True for _ in self._defining(name))

    def _defining(self, name: str) -> Iterator[tuple[type, Any]]:
        return ((base, vars(base)[name]) for base in self.classes if name in vars(base))

    def _method(self, emitter: Emitter, base: type, name: str, function: Any) -> SugaredValue:
        if internals.is_ignored(function):
            return PythonValue(function, self.value)
        type = self.value.type
        assert isinstance(type, t.ClassType)
        key = f"_super_{self._unique_name(type.cls, base)}_{name}"
        if key not in type.methods:
            method = make_compiled_function(
                function,
                emitter.dialect,
                emitter.function.itself,
                key,
                around=ClassScope(base, emitter.dialect),
            )
            method.qualified_name = f"{type.name}.{key}"
            method.is_initializer = name == "__init__"
            enter(type.methods, key, method)
        return MethodValue(self.value, (key,))

    @staticmethod
    def _unique_name(cls: Any, base: type) -> str:
        """Return a base's name, with a number where other bases of the class have it too."""
        namesakes = [each for each in cls.__mro__ if each.__name__ == base.__name__]
        return f"{base.__name__}{namesakes.index(base) or ''}"


class _Nothing(SugaredValue):
    """`object.__init__`, which does nothing."""

    kind = "method"

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit nothing. Raises `CompileError` for arguments."""
        if args or kwargs:
            message = "object.__init__ takes no arguments"
            raise error(loc, "TS405", message, fix="write super().__init__()")
        return NoneResult()
