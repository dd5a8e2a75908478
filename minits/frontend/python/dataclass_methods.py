"""The methods that `@dataclass` writes: without source, so it is written again, in TorchScript.

    @dataclass(order=True)          def __init__(self, x: float, y: float):
    class Point:                      self.x = x
        x: float                      self.y = y
        y: float                    def __lt__(self, other: Point) -> bool: ...

A method that the class defines itself is left alone.

Source: torch/jit/_dataclass_impls.py, whose bodies these are, down to the line.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from dataclasses import Field
from keyword import iskeyword
from typing import Any, Optional

from minits import torch_internals as internals
from minits.diagnostics import IN_EXTENDED, not_supported
from minits.frontend.python.scopes import ClassScope, ClosureScope, PythonScope
from minits.frontend.python.sources import has_class_source
from minits.live_annotations import python_signature
from minits.source import SourceFile
from minits.syntax import parse_function, tree
from minits.users_objects import is_frozen

_DIFFER, _NOT_EQUAL = "val1 != val2", "not val1 == val2"
"""Tests for different fields: torch's, and one for fields that are dataclasses (no `__ne__`)."""
_OF_FROZEN = ("__setattr__", "__delattr__")
_GENERATED = "<string>"
"""The file name that Python gives to the code of such a method."""


@dataclasses.dataclass(frozen=True, slots=True)
class GeneratedMethod:
    """The tree of a method, with the values of its defaults and the scope of its names."""

    definition: tree.FunctionDef
    defaults: dict[str, Any]
    scope: PythonScope


def generated_method(
    cls: Any, name: str, function: Any, around: ClassScope
) -> GeneratedMethod | None:
    """Return the method `name` of a dataclass; None if its source can be found, or none is known.

    Raises `NotSupportedError` for a default factory, and in the torch dialect for a class without
    source.
    """
    original: Any = inspect.unwrap(function)
    code = getattr(original, "__code__", None)  # a function of C has none
    is_generated = code is not None and code.co_filename == _GENERATED
    if is_generated and name in _OF_FROZEN and is_frozen(cls):
        raise not_supported(
            None,
            "TS608",
            f"the source of {cls.__name__}.{name} cannot be found: frozen=True writes it",
            notes=[IN_EXTENDED],
            fix="leave out frozen=True",
        )
    if not (dataclasses.is_dataclass(cls) and is_generated and name in (*_BODIES, "__init__")):
        return None
    if around.dialect == "torch" and not has_class_source(around.cls):
        raise not_supported(
            None,
            "TS608",
            f"the source of the dataclass {around.cls.__name__} cannot be found",
            notes=[IN_EXTENDED],
            fix="define the class in a file",
        )
    names = _Names(around)
    if name == "__init__":
        head, body, defaults = _initializer(cls, original, names)
    else:
        (head, body), defaults = _BODIES[name](cls), {}
        if name == "__eq__" and around.dialect == "extended":
            body = [line.replace(_DIFFER, _NOT_EQUAL) for line in body]
    text = "\n".join([f"def {name}{head}:", *(f"  {line}" for line in body)])
    file = SourceFile(f"__torch_jit_dataclass/{around.cls.__name__}/{name}", text, 0)
    return GeneratedMethod(
        parse_function(file), defaults, ClosureScope(original, around.dialect, names)
    )


class _Names(PythonScope):
    """The annotations of `__init__`, by names made for them."""

    def __init__(self, around: PythonScope) -> None:
        super().__init__(around.dialect)
        self.around = around
        self.annotations: dict[str, Any] = {}

    def lookup(self, name: str) -> Any:
        return self.annotations[name] if name in self.annotations else self.around.lookup(name)

    def names(self) -> list[str]:
        return [*self.annotations, *self.around.names()]

    def optional(self, annotation: Any) -> Any:
        """Return the annotation of a parameter that may be left out, for a list to be made."""
        self.annotations["Optional"] = Optional
        return f"Optional[{annotation}]" if isinstance(annotation, str) else annotation | None

    def add(self, field: str, annotation: Any) -> str:
        """Return the text that stands for an annotation: its own name, if no other class has it."""
        if isinstance(annotation, str):
            return annotation
        name = f"{field}_type"
        if isinstance(annotation, type) and annotation.__name__.isidentifier():
            name = annotation.__name__
        taken = {known for known, other in self.annotations.items() if other is not annotation}
        while name in taken or iskeyword(name):
            name = f"{name}_"
        self.annotations[name] = annotation
        return name


def _initializer(cls: Any, function: Any, names: _Names) -> tuple[str, list[str], dict[str, Any]]:
    _require_compilable_fields(cls, names.dialect)
    made = {f.name: f for f in dataclasses.fields(cls) if _is_made(f)}
    texts, only_initialize = ["self"], []
    parameters = list(python_signature(function).parameters.values())[1:]
    for parameter in parameters:
        annotation = parameter.annotation
        if isinstance(annotation, dataclasses.InitVar):
            only_initialize.append(parameter.name)
            annotation = annotation.type
        default = "" if parameter.default is inspect.Parameter.empty else " = ..."
        if parameter.name in made:
            annotation = names.optional(annotation)
        texts.append(f"{parameter.name}: {names.add(parameter.name, annotation)}{default}")
    body = [line for field in dataclasses.fields(cls) for line in _stored(field, names)]
    if hasattr(cls, "__post_init__"):
        body.append(f"self.__post_init__({', '.join(only_initialize)})")
    defaults = {
        parameter.name: None if parameter.name in made else parameter.default
        for parameter in parameters
        if parameter.default is not inspect.Parameter.empty
    }
    return f"({', '.join(texts)}) -> None", body or ["pass"], defaults


def _require_compilable_fields(cls: Any, dialect: str) -> None:
    """Raise `NotSupportedError` for a field whose value `__init__` cannot assign."""
    for field in dataclasses.fields(cls):
        name = f"the field '{field.name}' of {cls.__name__}"
        if field.default_factory is not dataclasses.MISSING:
            if dialect == "torch" or field.default_factory not in (list, dict):
                raise not_supported(
                    None,
                    "TS608",
                    f"{name} has a default factory, which TorchScript cannot call",
                    notes=[IN_EXTENDED] if field.default_factory in (list, dict) else [],
                    fix="make the default None, and the value in __post_init__",
                )
        elif not field.init and (dialect == "torch" or field.default.__class__ not in _LITERALS):
            has_literal = field.default.__class__ in _LITERALS
            raise not_supported(
                None,
                "TS608",
                f"{name} is no parameter (init=False), so that __init__ does not declare it",
                notes=[IN_EXTENDED] if has_literal else [],
                fix=f"make it a parameter: {field.name}: {_spelled(field.type)} = {field.default!r}"
                if has_literal
                else f"give it a default, and let it be a parameter: {field.name}: int = 0",
            )


def _spelled(annotation: Any) -> str:
    """Return the text of a field's type; a file may have its annotations as texts."""
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _is_made(field: Field[Any]) -> bool:
    return field.default_factory is not dataclasses.MISSING


def _stored(field: Field[Any], names: _Names) -> list[str]:
    """Return the lines of `__init__` that assign a field."""
    name = field.name
    if not _is_made(field):
        return [f"self.{name} = {name if field.init else repr(field.default)}"]
    made, display = f"{name}_made", "[]" if field.default_factory is list else "{}"
    lines = [f"{made}: {names.add(made, field.type)} = {display}"]
    if field.init:
        lines.append(f"if {name} is not None: {made} = {name}")
    return [*lines, f"self.{name} = {made}"]


_LITERALS = (bool, int, float, str, type(None))


def _repr(cls: Any) -> tuple[str, list[str]]:
    shown = ", ".join(f"{f.name}=self.{f.name}" for f in dataclasses.fields(cls) if f.repr)
    return "(self) -> str", [f"return '{cls.__name__}({shown})'"]


def _hash(cls: Any) -> tuple[str, list[str]]:
    return "(self) -> int", ["raise NotImplementedError('dataclasses have no hash')"]


def _equality(cls: Any) -> tuple[str, list[str]]:
    return _comparison(cls, [f"if {_DIFFER}: return False"], True, "return False")


def _order(operator: str) -> Any:
    def compare(cls: Any) -> tuple[str, list[str]]:
        sign = operator[0]
        inner = [f"if val1 {sign} val2: return True", f"elif val2 {sign} val1: return False"]
        unlike = f"raise TypeError('Cannot compare {cls.__name__} with None')"
        return _comparison(cls, inner, operator.endswith("="), unlike)

    return compare


def _comparison(cls: Any, inner: list[str], if_equal: bool, unlike: str) -> tuple[str, list[str]]:
    """Compare field by field; `unlike` is what happens when only one of two is None."""
    body: list[str] = []
    for field in dataclasses.fields(cls):
        if field.compare:
            body += [f"val1 = self.{field.name}", f"val2 = other.{field.name}"]
            body += _refined(field, inner, unlike)
    return f"(self, other: {cls.__name__}) -> bool", [*body, f"return {if_equal}"]


def _refined(field: Field[Any], inner: list[str], unlike: str) -> Iterator[str]:
    if not internals.is_optional(field.type):
        yield from inner
        return
    yield "if val1 is not None and val2 is not None:"
    yield from (f"  {line}" for line in inner)
    yield "elif (val1 is None) != (val2 is None):"
    yield f"  {unlike}"


_BODIES: dict[str, Any] = {
    "__repr__": _repr,
    "__hash__": _hash,
    "__eq__": _equality,
    "__lt__": _order("<"),
    "__le__": _order("<="),
    "__gt__": _order(">"),
    "__ge__": _order(">="),
}
