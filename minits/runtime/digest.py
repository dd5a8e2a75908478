"""A digest that identifies a program across processes: a hash of all that its plans depend on.

A plan is made of a function's graph and of the graphs of all that it calls; these have types, and
the classes among them attributes. The digest is a hash of their text. What cannot be written down,
as a tensor that is a constant or a function that stays Python, has no digest.

Class types and source files are not part of a plan that is written down: they are those of the
process that reads it, told by their numbers in the order in which they are met (`externals`).

Names of classes are written without the numbers that tell equal ones apart, which depend on what
was compiled before; constants are written as they are, even one that looks like such a name.
"""

from __future__ import annotations

import hashlib
import sys
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import torch

from minits.frontend.values.function import CompiledFunction
from minits.identity import Identity
from minits.ir.graph import Block, Graph, Node
from minits.name_mangling import demangled
from minits.package_digest import package_files
from minits.records import dataclass
from minits.recursion import deep_recursion
from minits.source import SourceRange
from minits.types import types as t
from minits.types.types import Type

_OPERATORS = ("aten::", "prim::", "prims::")
"""Operators of other libraries may be different ones in the next process."""
_CONSTANTS = (
    type(None), bool, int, float, complex, str,
    torch.dtype, torch.device, torch.layout, torch.memory_format,
)  # fmt: skip


class Untold(Exception):
    """Raised for a program that depends on an object which has no text that could be hashed."""


@dataclass(frozen=True, slots=True)
class Digest:
    """`text` is the hash; `externals` are the class types and source files of the program."""

    text: str
    externals: list[Any]


@deep_recursion()
def digest_of(function: CompiledFunction) -> Digest | None:
    """Return the digest of a function; None where it has none."""
    walk = _Walk()
    try:
        walk.functions(function)
    except Untold:
        return None
    hashed = hashlib.sha256("\n".join(walk.lines).encode(errors="backslashreplace"))
    return Digest(hashed.hexdigest(), walk.externals)


class _Walk:
    """Writes a line for each node, function and class that is reached."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.externals: list[Any] = []
        self._numbers: dict[Identity, int] = {}
        self._reached: list[CompiledFunction] = []
        self._classes: list[t.ClassType] = []
        self._texts: dict[Type, str] = {}

    def functions(self, first: CompiledFunction) -> None:
        self._reach(first)
        for function in self._reached:  # which grows
            self.lines.append(f"function {demangled(function.name)} {self._schema(function)}")
            self._block(function.graph.block)
        for type in self._classes:
            attributes = [
                f"{each.name} {self._type(each.type)} {each.is_parameter} {each.is_buffer}"
                for each in type.attributes.values()
            ]
            self.lines.append(f"class {demangled(type.name)} {type.is_module} {attributes}")

    def _schema(self, function: CompiledFunction) -> list[str]:
        schema = function.schema
        return [
            f"{each.name} {self._type(each.type)} {each.kwarg_only} "
            f"{self._content(each.default) if each.has_default else '-'}"
            for each in (*schema.arguments, *schema.returns)
        ]

    def _reach(self, function: CompiledFunction) -> int:
        if Identity(function) not in self._numbers:
            self._reached.append(function)
        return self._number(function)

    def _number(self, thing: Any) -> int:
        return self._numbers.setdefault(Identity(thing), len(self._numbers))

    def _external(self, thing: Any) -> int:
        if Identity(thing) not in self._numbers:
            self.externals.append(thing)
        return self._number(thing)

    def _block(self, block: Block) -> None:
        inputs = [(value.unique, self._type(value.type)) for value in block.inputs]
        self.lines.append(f"block {inputs}")
        for node in block.nodes:
            self._node(node)
        self.lines.append(f"return {[value.unique for value in block.outputs]}")

    def _node(self, node: Node) -> None:
        if not node.kind.startswith(_OPERATORS) or node.kind == "prim::PythonOp":
            raise Untold(node.kind)
        inputs = [value.unique for value in node.inputs]
        outputs = [(value.unique, self._type(value.type)) for value in node.outputs]
        attributes = [
            f"{name} {attr.kind} {self._content(attr.value)}"
            for name, attr in node.attributes.items()
        ]
        self.lines.append(f"{node.kind} {inputs} {outputs} {attributes} {self._range(node.range)}")
        if node.kind == "prim::CallMethod":
            self._method(node)
        for block in node.blocks:
            self._block(block)

    def _method(self, node: Node) -> None:
        type = node.inputs[0].type
        method = type.methods.get(node["name"]) if isinstance(type, t.ClassType) else None
        if not isinstance(method, CompiledFunction) or t.is_interface(type):
            raise Untold("a method of an interface, or of a class of C++")
        self._reach(method)

    def _range(self, loc: SourceRange | None) -> str:
        if loc is None:
            return ""
        source = loc.source
        if Identity(source) not in self._numbers:
            self.lines.append(f"source {source.filename} {source.first_line}")
        line = bisect_right(source.line_starts, loc.start)  # a space may become a new line
        return f"{self._external(source)} {line} {loc.start} {loc.end}"

    def _content(self, content: Any) -> str:
        if isinstance(content, Graph):
            self._block(content.block)
            return "graph"
        if isinstance(content, Type):
            return self._type(content)
        if isinstance(content, (list, tuple)):
            return f"{type(content).__name__}({', '.join(map(self._content, content))})"
        if type(content) not in _CONSTANTS:
            raise Untold(type(content).__name__)
        return repr(content)

    def _type(self, type: Type) -> str:
        found = self._texts.get(type)
        if found is None:
            found = self._texts[type] = self._text(type)
        return found

    def _text(self, type: Type) -> str:
        match type:
            case t.ClassType():
                if Identity(type) not in self._numbers:
                    self._classes.append(type)
                return f"{demangled(type.name)} {type.is_interface} {self._external(type)}"
            case t.FunctionType(function=CompiledFunction()):
                return f"function {self._reach(type.function)}"
            case t.SimpleType():
                return type.name
        name = "" if not isinstance(type, t.TupleType) else self._name_and_fields(type)
        return f"{type.__class__.__name__}{name}({', '.join(map(self._type, _parts(type)))})"

    def _name_and_fields(self, type: t.TupleType) -> str:
        return f" {demangled(type.name or '')} {type.fields} {self._content(type.defaults)}"


def _parts(type: Type) -> Iterable[Type]:
    """Return the types that a type is made of. Raises Untold for those that have no text."""
    match type:
        case t.ListType() | t.OptionalType() | t.FutureType() | t.AwaitType() | t.RRefType():
            return (type.element,)
        case t.DictType():
            return type.key, type.value
        case t.TupleType():
            return type.elements
        case t.UnionType():
            return type.members
    raise Untold(str(type))


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Return a hash of the versions: of the files of minits, of torch and of Python."""
    parts = [*package_files(), torch.__version__, str(torch.version.git_version), sys.version]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
