"""Graphs of torch.jit as our graphs, for tests: thousands of real programs before a line is
compiled here.

`graph_from_torch(torch.jit.script(f).graph)` copies nodes, names, types, attributes and the begin
of each source range (torch's bindings do not tell where a range ends).
"""

from __future__ import annotations

import linecache
import re
from functools import cache
from typing import Any

import torch

from minits.ir.graph import Block, Graph, Node, Value
from minits.source import SourceFile, SourceRange
from minits.types import types as t

SIMPLE = {
    type_.name: type_
    for type_ in vars(t).values()
    if isinstance(type_, t.SimpleType)
}  # fmt: skip
LOC = re.compile(r"# (.*):(\d+):(\d+)\s*$")


@cache
def source_file(filename: str) -> SourceFile:
    return SourceFile(filename, "".join(linecache.getlines(filename)))


class TypeConverter:
    """Torch's types as ours; each class becomes one `ClassType` (not told from a module)."""

    def __init__(self) -> None:
        self.classes: dict[str, t.ClassType] = {}

    def convert(self, type_: Any) -> t.Type:
        text = str(type_)
        if text in SIMPLE:
            return SIMPLE[text]
        return getattr(self, "_" + type_.kind(), self._unknown)(type_)

    def _unknown(self, type_: Any) -> t.Type:
        raise NotImplementedError(f"{type_.kind()}: {type_}")

    def _ListType(self, type_: Any) -> t.Type:
        return t.ListType(self.convert(type_.getElementType()))

    def _OptionalType(self, type_: Any) -> t.Type:
        return t.OptionalType(self.convert(type_.getElementType()))

    def _FutureType(self, type_: Any) -> t.Type:
        return t.FutureType(self.convert(type_.getElementType()))

    def _DictType(self, type_: Any) -> t.Type:
        return t.DictType(self.convert(type_.getKeyType()), self.convert(type_.getValueType()))

    def _UnionType(self, type_: Any) -> t.Type:
        return t.UnionType(tuple(map(self.convert, type_.containedTypes())))

    def _TupleType(self, type_: Any) -> t.Type:
        elements = tuple(map(self.convert, type_.elements()))
        name = type_.annotation_str
        if name.startswith("Tuple["):
            return t.TupleType(elements)
        return t.TupleType(elements, name, tuple(f"_{i}" for i in range(len(elements))))

    def _ClassType(self, type_: Any) -> t.Type:
        name = type_.qualified_name()
        if name not in self.classes:
            self.classes[name] = t.ClassType(name)
        return self.classes[name]

    def _EnumType(self, type_: Any) -> t.Type:
        text = str(type_)
        return t.EnumType(text[5:-1], t.INT, ())

    def _FunctionType(self, type_: Any) -> t.Type:
        return t.FunctionType(None)

    def _TensorType(self, type_: Any) -> t.Type:
        return t.TENSOR

    def _NumberType(self, type_: Any) -> t.Type:
        return t.NUMBER

    def _IntType(self, type_: Any) -> t.Type:
        return t.INT


class _GraphConverter:
    def __init__(self, types: TypeConverter) -> None:
        self.types = types
        self.values: dict[int, Value] = {}
        self.graph = Graph()

    def block(self, theirs: Any, ours: Block) -> None:
        for value in theirs.inputs():
            self.declare(value, ours.add_input(self.types.convert(value.type())))
        for node in theirs.nodes():
            self.node(node, ours)
        for value in theirs.outputs():
            ours.add_output(self.values[value.unique()])

    def node(self, theirs: Any, block: Block) -> None:
        ours = self.graph.create(
            theirs.kind(), [self.values[v.unique()] for v in theirs.inputs()], []
        )
        ours.range = self.range_of(theirs)
        for name in theirs.attributeNames():
            self.attribute(theirs, ours, name)
        block.append(ours)
        for value in theirs.outputs():  # before the blocks, as torch numbers them
            self.declare(value, ours.add_output(self.types.convert(value.type())))
        for inner in theirs.blocks():
            self.block(inner, ours.add_block())

    def attribute(self, theirs: Any, ours: Node, name: str) -> None:
        kind = theirs.kindOf(name)
        if kind == "g":
            ours.set_attr(name, kind, graph_from_torch(theirs.g(name), self.types))
        elif ours.kind == "prim::Constant" and name == "value":
            ours.set_attr(name, _constant_kind(theirs), theirs.output().toIValue())
        else:
            read = {"cs": theirs.c, "is": getattr(theirs, "is")}.get(kind) or getattr(theirs, kind)
            value = read(name)
            if kind in ("ty", "tys"):
                value = (
                    self.types.convert(value) if kind == "ty" else [*map(self.types.convert, value)]
                )
            ours.set_attr(name, kind, value)

    def declare(self, theirs: Any, ours: Value) -> None:
        if isinstance(ours.type, t.TupleType):
            ours.type = _with_field_names(ours.type, theirs)
        self.values[theirs.unique()] = ours
        if not theirs.debugName().isdigit():
            ours.set_name(theirs.debugName())

    def range_of(self, theirs: Any) -> SourceRange | None:
        loc = LOC.search(str(theirs).split("\n", 1)[0])
        if loc is None:
            return None
        line, column = int(loc[2]), int(loc[3])
        source = source_file(loc[1])
        if line > len(source.line_starts):  # text of torch's own, such as its builtin functions
            return SourceRange.at(loc[1], line, column)
        start = source.line_starts[line - 1]
        offset = start + len(source.line(line).encode()[:column].decode())
        return SourceRange(source, offset, offset + 1)


def _constant_kind(node: Any) -> str:
    """The bindings call a complex attribute `cs`; a device is printed through its string."""
    kind = node.kindOf("value")
    return "c" if kind == "cs" else kind


def _with_field_names(type_: t.TupleType, theirs: Any) -> t.TupleType:
    """The bindings do not tell a NamedTuple's fields; the text of the value's node does."""
    if type_.name is None:
        return type_
    text = str(theirs.node()).split(f"%{theirs.debugName()} : NamedTuple(", 1)[1]
    names, depth = [], 0
    for match in re.finditer(r"[(\[]|[)\]]|(\w+) : ", text):
        depth += match[0] in "(["
        depth -= match[0] in ")]"
        if depth < 0:
            break
        if match[1] and depth == 0:
            names.append(match[1])
    return t.TupleType(type_.elements, type_.name, tuple(names))


def graph_from_torch(graph: Any, types: TypeConverter | None = None) -> Graph:
    """Copy a `torch._C.Graph`."""
    converter = _GraphConverter(types or TypeConverter())
    converter.block(graph, converter.graph.block)
    return converter.graph


def script(program: Any) -> Graph:
    """Compile with torch.jit and copy the graph."""
    return graph_from_torch(torch.jit.script(program).graph)
