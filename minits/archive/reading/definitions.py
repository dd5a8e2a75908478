"""The classes and functions of an archive, made of its code when they are first named.

A class is entered before its attributes are read, these before its methods' signatures, and bodies
are compiled last: so classes may name each other in a circle.

Source: torch/csrc/jit/serialization/import_source.cpp (`SourceImporterImpl`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from torch import nn

from minits.archive.errors import ArchiveError
from minits.archive.reading.class_bodies import ClassBody, read_body
from minits.archive.reading.code_files import CodeFiles, fault
from minits.archive.reading.code_scope import CodeScope
from minits.archive.reading.debug_ranges import ArchiveFunction
from minits.archive.reading.enums import make_enum
from minits.archive.reading.literals import literal
from minits.archive.reading.old_packed_params import type_of_attribute
from minits.archive.reading.type_reader import dotted_name, read_type
from minits.archive.reading.upgraders import refuse_older_division
from minits.diagnostics import CompileError
from minits.frontend.calls.literal_defaults import literal_defaults
from minits.frontend.modules.hooks import Hooks
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.python.script_classes import InterfaceMethod, ObjectSelf
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.signature import read_signature
from minits.ir.named_devices import Moved, moved_value
from minits.ops.named_tuples import named_tuple_class
from minits.ops.schema import Argument, Schema
from minits.passes.wrapped_numbers import wrap_numbers
from minits.source import SourceFile, SourceRange
from minits.syntax import parse_expression, tree
from minits.syntax.fence import require_archive_code
from minits.syntax.signed_numbers import with_signed_numbers
from minits.types import types as t
from minits.types.type_parts import count_parts
from minits.types.types import Type

Defined = Type | CompiledFunction
python_type = type
MakeClass = Callable[[t.ClassType], type]
"""Returns the Python class whose instances are the objects of a script class."""
GetConstant = Callable[[str, SourceRange], tuple[Any, Type]]
"""Returns the value and the type of `CONSTANTS.c0`."""


class Definitions:
    """The classes and functions of one archive, by qualified names."""

    def __init__(
        self,
        files: CodeFiles,
        constant: GetConstant,
        make_class: MakeClass,
        moved: Moved | None = None,
    ) -> None:
        """Make nothing yet. `moved`: tells where the devices go that the code names."""
        self.files, self.constant, self._make_class = files, constant, make_class
        self.moved = moved
        self.limits, self.version = files.container.limits, files.container.version
        self.scope = CodeScope(self)
        self._found: dict[str, Defined] = {}
        self._being_made: set[str] = set()
        self._infos: dict[t.ClassType, ModuleInfo] = {}

    # ---- Names ---------------------------------------------------------------------------------

    def find(self, name: str) -> Defined | None:
        """Return a class, NamedTuple, enum or function; None if there is none of that name."""
        if name not in self._found:
            definition = self.files.find(name)
            if definition is None:
                return None
            if isinstance(definition, tree.FunctionDef):
                self._found[name] = self._function(name, definition)
            else:
                self._make(name, definition)
        return self._found[name]

    def type(self, name: str) -> Type | None:
        found = self.find(name)
        return found if isinstance(found, Type) else None

    def type_of_text(self, text: str, record: str) -> Type:
        """Return the type that the tag of a list or dict names. Raises `ArchiveError`."""
        if len(text) > self.limits.type_text:
            raise ArchiveError("the text of a type is too long", record)
        try:
            node = parse_expression(SourceFile(record, text))
            return self.limited(read_type(node, self.type, self.limits.nesting), record)
        except CompileError as why:
            raise ArchiveError(str(why), record) from None

    def limited(self, type: Type, record: str, offset: int | None = None) -> Type:
        """Return the type. Raises `ArchiveError` if it has too many parts to be compared."""
        count = count_parts(type)
        if count > self.limits.type_parts:
            message = (
                f"a type has {min(count, 10**9)} parts; at most {self.limits.type_parts} are read"
            )
            raise ArchiveError(message, record, offset)
        return type

    def info(self, type: t.ClassType) -> ModuleInfo:
        """Return the `ModuleInfo` of a module's class."""
        return self._infos[type]

    def hook(self, type: t.ClassType, name: str) -> CompiledFunction | None:
        info = self._infos.get(type)
        hooks = None if info is None else info.hooks
        return hooks.by_name.get(name) if isinstance(hooks, ArchiveHooks) else None

    def compile(self) -> None:
        """Compile every method of every class that was named. Raises `CompileError`."""
        done: set[str] = set()
        while len(done) < len(self._found):
            for name in [name for name in self._found if name not in done]:
                done.add(name)
                for function in self._functions_of(self._found[name]):
                    function.ensure_defined()
                    wrap_numbers(function.graph)

    def _functions_of(self, found: Defined) -> Iterator[CompiledFunction]:
        if isinstance(found, t.ClassType) and not found.is_interface:
            yield from list(found.methods.values())
            if found in self._infos:
                before, after = self._infos[found].hooks.compiled(self._infos[found])
                yield from (*before, *after)

    # ---- Classes -------------------------------------------------------------------------------

    def _make(self, name: str, definition: tree.ClassDef) -> None:
        if name in self._being_made:
            raise fault(definition, f"{name} is made of itself")
        self._being_made.add(name)
        base = dotted_name(definition.bases[0]) if definition.bases else ""
        body = read_body(definition)
        match base:
            case "" | "Module":
                self._declare(name, body, is_module=base == "Module")
            case "Interface" | "ModuleInterface":
                self._declare_interface(name, body, is_module=base == "ModuleInterface")
            case "NamedTuple":
                self._found[name] = self._named_tuple(name, body, definition)
            case "Enum":
                members = [(key, self._literal(node)) for key, node in body.assigned.items()]
                self._found[name] = make_enum(name, members, definition)
            case _:
                raise fault(definition, f"archives have no classes of the base {base}")
        if body.assigned and base != "Enum":
            node = next(iter(body.assigned.values()))
            raise fault(node, "only enums assign values to names without a type")

    def _declare(self, name: str, body: ClassBody, is_module: bool) -> None:
        type = t.ClassType(name, is_module=is_module)
        self._found[name] = type
        parameters = body.lists.get("__parameters__", ())
        buffers = body.lists.get("__buffers__", ())
        for attribute, annotation in body.attributes.items():
            type.attributes[attribute] = t.Attribute(
                attribute,
                type_of_attribute(name, attribute, self.scope.type(annotation)),
                attribute in parameters,
                attribute in buffers,
            )
        for constant, node in body.constants.items():
            type.constants[constant] = self._literal(node)
        functions = {key: self._method(type, node) for key, node in body.methods.items()}
        type.methods.update((k, f) for k, f in functions.items() if k not in body.hook_names)
        type.properties.update(_properties(type))
        type.overloads.update(_overloads(type))
        if is_module:
            type.cls = _module_class(type)
            self._infos[type] = self._module_info(type, body, functions)
        else:
            type.cls = self._make_class(type)

    def _module_info(
        self, type: t.ClassType, body: ClassBody, functions: dict[str, CompiledFunction]
    ) -> ModuleInfo:
        assert type.cls is not None
        info = ModuleInfo(type.cls, type)
        lacking = [hook for names in body.hooks for hook in names if hook not in functions]
        if lacking:
            raise ArchiveError(f"the class {type.name} has no hook {lacking[0]}", "code")
        before, after = ([functions[name] for name in names] for names in body.hooks)
        info.hooks = ArchiveHooks(before, after)
        for name, attribute in type.attributes.items():
            child = self._infos.get(attribute.type)  # type: ignore[call-overload]
            if child is not None:
                info.submodules[name] = child
        return info

    def _named_tuple(self, name: str, body: ClassBody, definition: tree.ClassDef) -> t.TupleType:
        elements = tuple(map(self.scope.type, body.attributes.values()))
        made = t.TupleType(elements, name, tuple(body.attributes))
        self.limited(made, definition.range.source.filename, definition.range.start)
        try:
            named_tuple_class(made)
        except ValueError as why:
            raise fault(definition, f"this is no NamedTuple: {why}") from None
        return made

    def _declare_interface(self, name: str, body: ClassBody, is_module: bool) -> None:
        type = t.ClassType(name, is_module=is_module, is_interface=True)
        self._found[name] = type
        for method, definition in body.methods.items():
            declared = read_signature(method, definition, self.scope, {}, True)
            returns = declared.returns or (Argument("", t.NONE),)
            arguments = (Argument("self", type), *declared.arguments)
            type.methods[method] = InterfaceMethod(method, Schema(method, "", arguments, returns))

    # ---- Functions -----------------------------------------------------------------------------

    def _method(self, type: t.ClassType, definition: tree.FunctionDef) -> CompiledFunction:
        return self._function(f"{type.name}.{definition.name}", definition, ObjectSelf(type))

    def _function(
        self, name: str, definition: tree.FunctionDef, itself: ObjectSelf | None = None
    ) -> CompiledFunction:
        refuse_older_division(definition, self.version)
        made = ArchiveFunction(
            definition.name,
            name,
            with_signed_numbers(definition),
            self.scope,
            itself=itself,
            defaults=literal_defaults(definition, self._literal),
            check=require_archive_code,
        )
        made.ranges, made.limited = self.files.ranges(definition), self.limited
        made.moved = self.moved
        return made

    def _literal(self, node: tree.expr) -> Any:
        value = literal(node, self._named)
        return value if self.moved is None else moved_value(value, self.moved)

    def _named(self, name: str, node: tree.expr) -> Any:
        first, _, last = name.rpartition(".")
        if first == "CONSTANTS":
            return self.constant(last, node.range)[0]
        found = self.type(first)
        if not isinstance(found, t.EnumType) or last not in dict(found.members):
            return None
        cls: Any = found.cls
        return cls[last]


class ArchiveHooks(Hooks):
    """The hooks of an archive's module: functions that are compiled already."""

    def __init__(self, before: list[CompiledFunction], after: list[CompiledFunction]) -> None:
        super().__init__(before, after)
        self.by_name = {hook.name: hook for hook in (*before, *after)}
        for hook in self.by_name.values():
            hook.is_hook = True

    def compiled(self, info: ModuleInfo) -> tuple[list[CompiledFunction], list[CompiledFunction]]:
        before, after = self.functions
        return list(before), list(after)


def _module_class(type: t.ClassType) -> type[nn.Module]:
    """Return an empty class of modules with the name of the class that was compiled."""
    return python_type(type.short_name, (nn.Module,), {})


def _properties(type: t.ClassType) -> Iterator[tuple[str, tuple[str, str | None]]]:
    """Yield each property's name with its getter and its setter, or None.

    They are recognised by method names: `__size_getter`, `__size_setter`.
    """
    for name in type.methods:
        if name.startswith("__") and name.endswith("_getter"):
            of = name.removeprefix("__").removesuffix("_getter")
            setter = f"__{of}_setter"
            yield of, (name, setter if setter in type.methods else None)


def _overloads(type: t.ClassType) -> dict[str, tuple[str, ...]]:
    """Return the overloads among methods, `forward__0`, by the name that they share, `forward`.

    Archives have no other mark of them. A method or attribute of that name comes first.
    """
    found: dict[str, tuple[str, ...]] = {}
    taken = {"", *type.methods, *type.attributes}
    for name in type.methods:
        shared, _, number = name.rpartition("__")
        if number.isdecimal() and shared not in taken:
            found[shared] = (*found.get(shared, ()), name)
    return found
