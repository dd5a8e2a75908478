"""Names that mean Python objects: a function's globals and closure, or what a frame sees.

Source: torch/_jit_internal.py (`createResolutionCallbackFromClosure`,
`createResolutionCallbackFromFrame`).
"""

from __future__ import annotations

import builtins
import inspect
import operator
import typing
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from types import FrameType
from typing import TYPE_CHECKING, Any

import torch

from minits.compilation_state import STATE
from minits.diagnostics import CompileError
from minits.frontend.python.python_values import to_sugared
from minits.frontend.python.sources import function_definition
from minits.frontend.python.wrappers import TORCH, wrapped_function
from minits.frontend.values.builtins import FunctionValue
from minits.frontend.values.qualified_names import qualified_name
from minits.frontend.values.sugared_value import SugaredValue
from minits.lazily import lazily
from minits.live_annotations import annotations_of
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.torch_internals import MODIFIER
from minits.types.annotations import DEFAULT_NAMES, type_from_annotation
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.function import CompiledFunction

required_class_type: Callable[..., Type | None] = lazily(
    "minits.frontend.python.class_registry:required_class_type"
)


class PythonScope:
    """Names that mean Python objects."""

    def __init__(self, dialect: str = "torch") -> None:
        self.dialect = dialect
        self._attributes: dict[tuple[int, str], tuple[Any, Any]] = {}
        self.called: dict[CompiledFunction, None] = {}
        """The functions that the program was found to call."""
        self.classes: dict[type, Type | None] = {}
        """Classes that the program names, with their types at that time."""

    def lookup(self, name: str) -> Any:
        """Return the object that a name means. Raises `KeyError`."""
        raise NotImplementedError

    def names(self) -> list[str]:
        """Return the names that are known here. Each kind of scope defines it: this raises."""
        raise NotImplementedError

    def value(self, name: str, loc: SourceRange, emitter: Emitter) -> SugaredValue | None:
        try:
            found = self.lookup(name)
        except KeyError:
            return None
        return None if found is None else to_sugared(found, loc, emitter)

    def type(self, annotation: tree.expr) -> Type:
        def class_type(cls: Any) -> Type | None:
            try:
                found = required_class_type(cls, dialect=self.dialect)
                if cls in STATE.types and STATE.types[cls] is found:  # a type of modules is not
                    self.classes[cls] = found
                return found
            except CompileError as fault:
                if self.user is None:
                    raise
                loc = origin(annotation)
                fault = fault.located(loc)
                raise fault.called_from(qualified_name(cls), self.user, loc) from None

        return type_from_annotation(annotation, self._type_lookup, class_type)

    def note(self, module: Any, name: str, value: Any) -> None:
        """Record the value that an attribute of a Python module had when the program read it."""
        self._attributes[id(module), name] = (module, value)

    @property
    def user(self) -> str | None:
        """The name of the function whose globals and closure these are; None for another scope."""
        return None

    def _type_lookup(self, name: str) -> Any:
        try:
            return self.lookup(name)
        except KeyError:
            return DEFAULT_NAMES[name]


class CallerScope(PythonScope):
    """The locals and globals of a running Python frame.

    Locals are copied: names that are bound later are not among them.
    """

    def __init__(self, frame: FrameType, dialect: str = "torch") -> None:
        super().__init__(dialect)
        names, shared = frame.f_locals, frame.f_globals
        self._tables = (shared,) if names is shared else (dict(names), shared)
        self.functions: dict[str, CompiledFunction] = {}
        """The functions of the text that is compiled here."""

    def lookup(self, name: str) -> Any:
        """The object bound to a name: a local, a global or a builtin. Raises `KeyError`."""
        for table in (*self._tables, vars(builtins)):
            if name in table:
                return table[name]
        raise KeyError(name)

    def value(self, name: str, loc: SourceRange, emitter: Emitter) -> SugaredValue | None:
        if name in self.functions:
            return FunctionValue(self.functions[name])
        return super().value(name, loc, emitter)

    def names(self) -> list[str]:
        return [*self.functions, *(name for table in self._tables for name in table)]


class CallbackScope(PythonScope):
    """Names that mean what a function of the caller returns for them, unless that is None."""

    def __init__(self, callback: Callable[[str], Any], dialect: str = "torch") -> None:
        super().__init__(dialect)
        self._callback = callback

    def lookup(self, name: str) -> Any:
        found = self._callback(name)
        return vars(builtins)[name] if found is None else found

    def names(self) -> list[str]:
        return []


class ClassScope(PythonScope):
    """The names that methods of a class share: the class, names of all closures, annotations.

    An annotation is evaluated where its method is defined. A name that only annotations use is in
    no closure: it is taken from the evaluated annotation, or from the scope `around` the class.
    """

    def __init__(
        self, cls: type, dialect: str = "torch", around: PythonScope | None = None
    ) -> None:
        super().__init__(dialect)
        self.cls, self.around = cls, around

    def lookup(self, name: str) -> Any:
        if name == self.cls.__name__:
            return self.cls
        if name not in self._names and self.around is not None:
            return self.around.lookup(name)
        return self._names[name]

    def names(self) -> list[str]:
        return [self.cls.__name__, *self._names]

    @cached_property
    def _names(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name in vars(self.cls):
            function = getattr(self.cls, name)
            if inspect.isroutine(function) and hasattr(function, "__code__"):
                found.update(_closure(function))
                found.update(_named_annotations(function))
        return found


def _closure(function: Any) -> dict[str, Any]:
    found, function = {}, wrapped_function(function)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):
            found[name] = cell.cell_contents
    return found


def _named_annotations(function: Any) -> dict[str, Any]:
    """Return a mapping from names to types, of the annotations that are a single name."""
    try:
        definition = function_definition(function)
    except CompileError:  # a method without source names nothing
        return {}
    written = {parameter.arg: parameter.annotation for parameter in definition.args.args}
    written["return"] = definition.returns
    live = annotations_of(function)
    return {
        annotation.id: live[parameter]
        for parameter, annotation in written.items()
        if isinstance(annotation, tree.Name) and parameter in live
    }


def _parts(function: Any) -> tuple[Any, ...]:
    """Return the replaceable parts of a function: code, defaults, and mark (`torch.jit.ignore`)."""
    names = ("__code__", "__defaults__", MODIFIER)
    return tuple(getattr(function, name, None) for name in names)


class ClosureScope(PythonScope):
    """The globals and closure of a Python function.

    around: where else names are looked for, before those that are built in.
    """

    def __init__(
        self, function: Any, dialect: str = "torch", around: PythonScope | None = None
    ) -> None:
        super().__init__(dialect)
        self.function = function
        self._written = wrapped_function(function)
        self.around = around
        self._seen: dict[str, Any] = {}
        self._made_of = _parts(function)

    @property
    def user(self) -> str:
        return str(self.function.__qualname__.rpartition("<locals>.")[2])

    def lookup(self, name: str) -> Any:
        found = self._seen[name] = self._lookup(name)
        return found

    def is_current(self) -> bool:
        """Return whether the function, and all that was looked up so far, still is what it was."""
        return (
            all(map(operator.is_, _parts(self.function), self._made_of))
            and all(self._find(name) is value for name, value in self._seen.items())
            and all(
                getattr(module, name, None) is value
                for (_, name), (module, value) in self._attributes.items()
            )
        )

    def _find(self, name: str) -> Any:
        try:
            return self._lookup(name)
        except KeyError:
            return None

    def _lookup(self, name: str) -> Any:
        function = self._written
        if name == TORCH:
            return torch
        if name in function.__code__.co_freevars:
            cell = function.__closure__[function.__code__.co_freevars.index(name)]
            with suppress(ValueError):  # nothing is bound yet, as a class is by its decorator
                return cell.cell_contents
        elif name in function.__globals__:
            return function.__globals__[name]
        if self.around is not None:
            with suppress(KeyError):
                return self.around.lookup(name)
        if hasattr(typing, name):
            return getattr(typing, name)
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise KeyError(name)

    def names(self) -> list[str]:
        return [*self._written.__globals__, *self._written.__code__.co_freevars]
