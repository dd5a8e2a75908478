"""Classes as the code of an archive has them.

    class Net(Module):
      __parameters__ = ["weight", ]
      __buffers__ = []
      weight : Tensor
      training : bool
      size : Final[int] = 3
      def forward(self: __torch__.Net,
        x: Tensor) -> Tensor:
        return torch.mul(x, self.weight)

NamedTuples and enums have fields only, interfaces only the first lines of their methods.

Source: torch/csrc/jit/serialization/python_print.cpp (`printNamedType`, `printClass`).
Differs: NamedTuples are written without defaults, which torch's reader does not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minits.archive.printing.constants import ConstantTable
from minits.archive.printing.printer import print_function, print_method
from minits.archive.printing.source_map import MappedText, joined
from minits.archive.writing.qualified_names import Named
from minits.frontend.values.function import CompiledFunction
from minits.ops.schema import Argument, Schema
from minits.types import types as t
from minits.types.inference import infer_type

Hooks = tuple[list[CompiledFunction], list[CompiledFunction]]
"""Hooks that run before and after forward."""


class ClassPrinter:
    """Prints the definitions of one file.

    numbers: those that the file's variables got to differ.
    """

    def __init__(self, constants: ConstantTable) -> None:
        self.constants = constants
        self.spelling = constants.spelling
        self.numbers: dict[str, int] = {}

    def definition(self, thing: Named, name: str, hooks: Hooks) -> MappedText:
        """Return the definition of a class or function, under the last part of its name."""
        match thing:
            case t.TupleType():
                return MappedText(self.named_tuple(thing, name))
            case t.EnumType():
                return MappedText(self.enum(thing, name))
            case t.ClassType(is_interface=True):
                return MappedText(self.interface(thing, name))
            case t.ClassType(is_module=True):
                return self.module(thing, name, hooks)
            case t.ClassType():
                return self.script_class(thing, name)
        return print_function(thing, self.constants, name, self.numbers)

    def named_tuple(self, type: t.TupleType, name: str) -> str:
        fields = zip(type.fields, type.elements, strict=True)
        lines = [f"  {field} : {self.spelling.type(element)}" for field, element in fields]
        return _class(name, "NamedTuple", lines)

    def enum(self, type: t.EnumType, name: str) -> str:
        literal = self.constants.literal
        lines = [
            f"  {member} = {literal(value, type.value_type)}" for member, value in type.members
        ]
        return _class(name, "Enum", lines)

    def interface(self, type: t.ClassType, name: str) -> str:
        lines = []
        for method, declared in type.methods.items():
            lines += [f"  def {method}({self._signature(declared.schema)}:", "    pass"]
        return _class(name, "ModuleInterface" if type.is_module else "Interface", lines)

    def _signature(self, schema: Schema) -> str:
        parameters = ["self", *map(self._parameter, schema.arguments[1:])]
        return f"{', '.join(parameters)}) -> {self.spelling.type(schema.returns[0].type)}"

    def _parameter(self, argument: Argument) -> str:
        return f"{argument.name}: {self.spelling.type(argument.type)}"

    def script_class(self, type: t.ClassType, name: str) -> MappedText:
        head = _class(name, "", [*self._attributes(type)])
        return joined([MappedText(head), *self._methods(type)])

    def module(self, type: t.ClassType, name: str, hooks: Hooks) -> MappedText:
        attributes = type.attributes.values()
        lines = [
            self._names("__parameters__", [each.name for each in attributes if each.is_parameter]),
            self._names("__buffers__", [each.name for each in attributes if each.is_buffer]),
        ]
        before, after = hooks
        if before:
            lines.append(self._names("__forward_pre_hooks__", [hook.name for hook in before]))
        if after:
            lines.append(self._names("__forward_hooks__", [hook.name for hook in after]))
        lines += [*self._attributes(type), *self._constants(type.constants)]
        head = MappedText(_class(name, "Module", lines))
        return joined([head, *self._methods(type), *self._hooks(type, hooks)])

    def _names(self, label: str, names: list[str]) -> str:
        return f"  {label} = [{''.join(f'{self.spelling.string(name)}, ' for name in names)}]"

    # ---- Parts ---------------------------------------------------------------------------------

    def _attributes(self, type: t.ClassType) -> Iterator[str]:
        """Yield the declarations of attributes; one with an odd name (`0`, `if`) is quoted."""
        for index, attribute in enumerate(type.attributes.values()):
            text = self.spelling.type(attribute.type)
            if self.spelling.is_attribute(attribute.name):
                yield f"  {attribute.name} : {text}"
                continue
            if index == 0:
                yield "  __annotations__ = []"
            yield f"  __annotations__[{self.spelling.string(attribute.name)}] = {text}"

    def _constants(self, constants: dict[str, Any]) -> Iterator[str]:
        """Yield the constants of a class, for use from Python: the code has them inlined."""
        for name, value in constants.items():
            if self.spelling.is_attribute(name):
                type = infer_type(value)
                text = self.constants.literal(value, type)
                yield f"  {name} : Final[{self.spelling.type(type)}] = {text}"

    def _methods(self, type: t.ClassType) -> Iterator[MappedText]:
        for name, method in saved_methods(type).items():
            yield print_method(method, self.constants, name, type, self.numbers)

    def _hooks(self, type: t.ClassType, hooks: Hooks) -> Iterator[MappedText]:
        before, after = hooks
        for hook in dict.fromkeys([*after, *before]):
            yield print_method(hook, self.constants, hook.name, type, self.numbers)


def saved_methods(type: t.ClassType) -> dict[str, CompiledFunction]:
    """Return the methods that have a graph: for a method with `*args`, only its variants."""
    return {name: method for name, method in type.methods.items() if not method.is_variadic}


def _class(name: str, base: str, lines: list[str]) -> str:
    header = f"class {name}({base}):" if base else f"class {name}:"
    return "".join(f"{line}\n" for line in (header, *lines))
