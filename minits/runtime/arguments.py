"""Python values into compiled code and out of it.

A call's arguments are bound to the schema's parameters and made values of their types.

Source: torch/csrc/jit/python/pybind_utils.h (`createStackForSchema`, `toPyObject`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from minits.bounded_cache import BoundedCache
from minits.compilation_state import known_class
from minits.lazily import lazily
from minits.ops.from_python import (
    Converter,
    converter,
    dict_converter,
    list_converter,
    optional_converter,
    unchanged,
)
from minits.ops.named_tuples import named_tuple_class
from minits.ops.numbers_from_python import Unfit
from minits.ops.schema import Argument, Schema
from minits.runtime import argument_faults
from minits.types import types as t
from minits.types.remembered import remembered
from minits.types.type_parts import contained_types
from minits.types.types import Type

class_types = lazily("minits.frontend.python.class_registry:class_types")


class Binder:
    """Binds the arguments of calls to the parameters of one schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._converters = [argument_converter(argument) for argument in schema.arguments]
        self._count = len(schema.arguments)
        self._by_position = not any(argument.kwarg_only for argument in schema.arguments)

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Return the values of all parameters in order. Raises `ArgumentError`."""
        if len(args) == self._count and not kwargs and self._by_position:
            values: list[Any] = []
            try:
                for convert, value in zip(self._converters, args, strict=True):
                    values.append(convert(value))
            except Unfit as unfit:
                details = str(unfit)
            else:
                return values
            position = len(values)
            argument = self.schema.arguments[position]
            raise argument_faults.wrong_type(self.schema, argument, args[position], details)
        return self._bind_by_name(args, kwargs)

    def _bind_by_name(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        schema = self.schema
        given_count = len(args) + len(kwargs)
        if given_count > self._count:
            raise argument_faults.too_many(schema, given_count)
        positional = [argument for argument in schema.arguments if not argument.kwarg_only]
        if len(args) > len(positional):
            raise argument_faults.too_many_positional(schema, len(positional), len(args))
        given = dict(zip((argument.name for argument in positional), args, strict=False))
        given_by_name = {**kwargs, **given}
        values = [
            self._value_for(argument, convert, given_by_name)
            for argument, convert in zip(schema.arguments, self._converters, strict=True)
        ]
        known = {argument.name for argument in schema.arguments}
        for name in kwargs:
            if name not in known:
                raise argument_faults.unknown(schema, name)
            if name in given:
                raise argument_faults.given_twice(schema, name)
        return values

    def _value_for(self, argument: Argument, convert: Converter, given: Mapping[str, Any]) -> Any:
        if argument.name not in given:
            if argument.has_default and argument.size is None:
                return argument.default
            if argument.has_default:  # perhaps one number for a list of known length
                return convert(argument.default)
            raise argument_faults.missing(self.schema, argument)
        value = given[argument.name]
        try:
            return convert(value)
        except Unfit as unfit:
            details = str(unfit)
        raise argument_faults.wrong_type(self.schema, argument, value, details)


class ByPosition:
    """Makes of calls that give arguments by name those that give all of them by position.

    owners: 1 if the schema's first parameter is the object of a method, which is not given
    """

    def __init__(self, schema: Schema, owners: int = 0) -> None:
        self._arguments = schema.arguments[owners:]
        self._made: BoundedCache[Any, Placing | None] = BoundedCache(MOST_FORMS)

    def placed(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """Return the arguments up to the last that is given, with defaults between them.

        None for a call that is to be refused, or that gives what has no position.
        """
        form = (len(args), *kwargs)
        if form not in self._made:
            self._made.put(form, self._placing(len(args), list(kwargs)))
        place = self._made.get(form)
        return None if place is None else place(args, kwargs)

    def _placing(self, given: int, names: Sequence[str]) -> Placing | None:
        known = [argument.name for argument in self._arguments if not argument.kwarg_only]
        if not names or not set(names) <= set(known[given:]):
            return None
        parts, defaults = ["*args"], dict[str, Any]()
        for argument in self._arguments[given : 1 + max(map(known.index, names))]:
            if argument.name in names:
                parts.append(f"kwargs[{argument.name!r}]")
            elif argument.has_default and argument.size is None:
                name = f"default{len(defaults)}"
                parts.append(name)
                defaults[name] = argument.default
            else:
                return None
        placing: Placing = eval(f"lambda args, kwargs: ({', '.join(parts)})", defaults)
        return placing


Placing = Callable[[Sequence[Any], Mapping[str, Any]], tuple[Any, ...]]
MOST_FORMS = 64
"""Forms of calls, which are the number of arguments by position and the names of others."""


def bind_arguments(schema: Schema, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """Return the values of all parameters in order. Raises `ArgumentError`."""
    return Binder(schema).bind(args, kwargs)


def argument_converter(argument: Argument) -> Converter:
    """Return the function that makes a Python object a value of a parameter."""
    convert = converter(argument.type)
    if _asks_for_classes(argument.type):
        return lambda value: convert(_with_known_classes(value))
    return convert if argument.size is None else _repeating(convert, argument.size)


@remembered
def _asks_for_classes(type: Type) -> bool:
    """Return whether objects of classes that no program has named yet may be of a type."""
    if isinstance(type, t.ClassType):
        return type.is_interface
    return type == t.ANY or any(map(_asks_for_classes, contained_types(type)))


def _with_known_classes(value: Any) -> Any:
    """Return a value whose objects' classes have been compiled, if they can be."""
    if isinstance(value, (list, tuple, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            _with_known_classes(item)
    elif not isinstance(value, _BUILT_IN) and known_class(value) is None:
        class_types(value.__class__)
    return value


_BUILT_IN = (int, float, complex, str, bytes, type(None), torch.Tensor)
"""Subclasses of these are the same type in TorchScript, not script classes."""


def _repeating(convert: Converter, size: int) -> Converter:
    """Return a converter of lists of length `size` that accepts a number, too: 2 is [2, 2]."""

    def convert_list(value: Any) -> Any:
        return convert([value] * size if value.__class__ in (int, float) else value)

    return convert_list


def _tuple_converter(
    make: Callable[[Any], Any], converters: Sequence[Converter | None]
) -> Converter:
    """Return a converter that makes a tuple of converted items with `make`.

    A NamedTuple is made again by its own class.
    """

    def convert_tuple(value: Any) -> Any:
        items = (
            item if convert is None else convert(item)
            for convert, item in zip(converters, value, strict=True)
        )
        return getattr(value, "_make", make)(items)

    return convert_tuple


@remembered
def result_converter(type: Type) -> Converter | None:
    """Return the function that makes results NamedTuples where their types say so, or None."""
    match type:
        case t.TupleType(elements=elements, name=name):
            inner = [result_converter(element) for element in elements]
            if name is None and not any(inner):
                return None
            return _tuple_converter(tuple if name is None else named_tuple_class(type), inner)
        case t.ListType(element=element):
            convert_item = result_converter(element)
            return None if convert_item is None else list_converter(convert_item)
        case t.OptionalType(element=element):
            convert = result_converter(element)
            return None if convert is None else optional_converter(convert)
        case t.DictType(value=element):
            convert_value = result_converter(element)
            return None if convert_value is None else dict_converter(unchanged, convert_value)
    return None
