"""Graphs as text: the text that torch prints, character for character.

Source: torch/csrc/jit/ir/ir.cpp (`Graph::print`, `Node::print`) and aten/src/ATen/core/ivalue.cpp
(`IValue::repr`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, NamedTuple

import torch

from minits.internal_error import internal_errors
from minits.ir.graph import Attr, Block, Graph, Node, Value
from minits.ir.value import new_tuple
from minits.ops.tensor_text import format_tensor, type_of_tensor
from minits.recursion import deep_recursion
from minits.torch_internals import CPP_OBJECT
from minits.types.types import DictType, ListType, TupleType, Type

MAX_TENSOR_ELEMENTS = 10  # torch prints larger ones as <Tensor>


class PrintedLine(NamedTuple):
    """A piece of a graph's text, and the node that it is of.

    The head of a graph or block is of its `param`, the line of what it returns of its `end`.
    """

    node: Node
    text: str


@internal_errors("printing a graph")
@deep_recursion()
def print_graph(graph: Graph, ranges: bool = True) -> str:
    """Return the text of a graph, with or without a `# file:line:column` after each node."""
    return "".join([line.text for line in _Printer(ranges).graph(graph)])


@internal_errors("printing a graph")
@deep_recursion()
def printed_lines(graph: Graph, ranges: bool = True) -> list[PrintedLine]:
    """Return the text of a graph by its nodes: joined, it is what `print_graph` returns."""
    return _Printer(ranges).graph(graph)


def print_node(node: Node, ranges: bool = True) -> str:
    """Return the text of one node and the blocks in it."""
    printer = _Printer(ranges)
    printer.node(node, 0)
    return "".join([line.text for line in printer.out])


class _Printer:
    def __init__(self, ranges: bool) -> None:
        self.ranges = ranges
        self.out: list[PrintedLine] = []
        self.groups: list[Node] = []

    def add(self, node: Node, text: str) -> None:
        self.out.append(new_tuple(PrintedLine, (node, text)))

    def graph(self, graph: Graph) -> list[PrintedLine]:
        block = graph.block
        inputs = _declarations(graph.inputs, separator=",\n      ")
        self.add(block.param, f"graph({inputs}):\n")
        for node in graph.nodes:
            self.node(node, 1)
        self.add(block.end, f"  return ({_references(graph.outputs)})\n")
        for number, group in enumerate(self.groups):
            head, *rest = _Printer(self.ranges).graph(group["Subgraph"])
            self.add(head.node, f"with {group.kind}_{number} = {head.text}")
            self.out += rest
        return self.out

    def node(self, node: Node, level: int) -> None:
        outputs = _declarations(node.outputs)
        if node.kind == "prim::Constant":
            outputs = f"%{node.output.name} : {_type_of_constant(node)}"
        head = f"{'  ' * level}{outputs} = {self.operation(node)}"
        inputs = _references(node.inputs)
        self.add(node, f"{head}({inputs}){_scope(node)}{self.comment(node)}\n")
        for index, block in enumerate(node.blocks):
            self.block(block, index, level + 1)

    def operation(self, node: Node) -> str:
        attributes = node.attributes
        if node.kind == "prim::PythonOp":
            return f"^{node['name']}{_python_op_attributes(node)}{_python_op_scalars(node)}"
        value = node.get("value") if node.kind == "prim::Constant" else None
        if isinstance(value, (list, dict)) and not value:
            return f"prim::Constant[value={annotated_empty(node.output.type)}]"
        if "Subgraph" in attributes:
            self.groups.append(node)
            attributes = {name: attr for name, attr in attributes.items() if name != "Subgraph"}
            return f"{node.kind}_{len(self.groups) - 1}{_attributes(attributes)}"
        return node.kind + _attributes(attributes)

    def comment(self, node: Node) -> str:
        return f" # {node.range}" if self.ranges and node.range is not None else ""

    def block(self, block: Block, index: int, level: int) -> None:
        indent = "  " * level
        self.add(block.param, f"{indent}block{index}({_declarations(block.inputs)}):\n")
        for node in block.nodes:
            self.node(node, level + 1)
        self.add(block.end, f"{indent}  -> ({_references(block.outputs)})\n")


def _declarations(values: Iterable[Value], separator: str = ", ") -> str:
    return separator.join(f"%{value.name} : {_type(value)}" for value in values)


def _type(value: Value) -> str:
    """Return the type as printed: that of a traced value tells which tensor the trace saw."""
    notes = value.node.graph.trace_notes
    return str(value.type) if notes is None else notes.type_of(value)


def _scope(node: Node) -> str:
    notes = node.graph.trace_notes
    found = None if notes is None else notes.scopes.get(node)
    return f", scope: {found}" if found else ""


def _type_of_constant(node: Node) -> str:
    """Return the type as printed: that of a tensor has its sizes, also inside a tuple."""
    value, notes = node.get("value"), node.graph.trace_notes
    if notes is not None and node.output in notes.types:
        return notes.types[node.output]
    if isinstance(value, (torch.Tensor, tuple)):
        return _type_of_value(value, node.output.type)
    return str(node.output.type)


def _type_of_value(value: Any, type: Type) -> str:
    if isinstance(value, torch.Tensor):
        return type_of_tensor(value)
    if isinstance(value, tuple) and isinstance(type, TupleType) and type.name is None:
        elements = map(_type_of_value, value, type.elements)
        return f"({', '.join(elements)})"
    return str(type)


def _references(values: Iterable[Value]) -> str:
    return ", ".join(f"%{value.name}" for value in values)


def _python_op_attributes(node: Node) -> str:
    own = ("name", "pyobj", "scalar_args")
    shown = {name: attr for name, attr in node.attributes.items() if name not in own}
    return _attributes(shown) or "[]"


def _python_op_scalars(node: Node) -> str:
    return "(" + ", ".join(map(repr, node.get("scalar_args", ()))) + ")"


def _attributes(attributes: dict[str, Attr]) -> str:
    if not attributes:
        return ""
    return f"[{', '.join(f'{name}={print_attribute(attr)}' for name, attr in attributes.items())}]"


def print_attribute(attr: Attr) -> str:
    """Return the text after `name=` in a node's brackets."""
    kind, value = attr
    if kind == "ty":
        return str(value)
    if kind == "tys":
        return f"[{', '.join(map(str, value))}]"
    if kind in ("g", "gs"):
        return "<Graph>" if kind == "g" else "[<Graphs>]"
    if kind == "ts":
        return "[<Tensors>]"
    if kind == "i":
        return str(int(value))
    if kind == "s":  # a device's constant holds its name
        return print_string(str(value))
    return print_value(value)


def print_value(value: Any) -> str:
    """Return a constant's text, as `IValue::repr` writes it."""
    if isinstance(value, torch.Tensor):
        return print_tensor(value)
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, Enum):
        return f"{_class_name(type(value))}.{value.name}"
    writer = _WRITERS.get(type(value))
    if writer is not None:
        return writer(value)
    if isinstance(value, tuple):
        return _print_tuple(value)
    if isinstance(value, (int, torch.dtype)):
        return str(value)
    if isinstance(value, CPP_OBJECT):
        return f"object({id(value):#x})"
    return f"object({value!r})"


def _class_name(cls: type) -> str:
    module = "" if cls.__module__ == "__main__" else f".{cls.__module__}"
    return f"__torch__{module}.{cls.__name__}"


def print_float(value: float) -> str:
    """Integral values below 1e10 get a bare point (`2.`); the rest 17 significant digits."""
    if math.isfinite(value) and abs(value) < 1e10 and value == int(value):
        sign = "-" if value == 0 and math.copysign(1, value) < 0 else ""
        return f"{sign}{int(value)}."
    if math.isnan(value):
        return "-nan" if math.copysign(1, value) < 0 else "nan"
    return f"{value:.17g}"


def print_complex(value: complex) -> str:
    """A part that is -0.0 is written as 0.0, as torch writes it."""
    sign = "+" if value.imag >= 0 else "-"
    return f"{print_float(value.real + 0.0)}{sign}{print_float(abs(value.imag))}j"


_ESCAPES = {
    "\\": "\\\\", "'": "\\'", '"': '\\"', "\a": "\\a", "\b": "\\b",
    "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v",
}  # fmt: skip


def print_string(text: str) -> str:
    """Quote a string; bytes of its UTF-8 form outside printable ASCII become octal escapes.

    torch computes the three digits of a byte from a signed char, so those of bytes from 0x80 on are
    the characters before "0", and so they are here.
    """
    parts = []
    for char in text:
        if char in _ESCAPES:
            parts.append(_ESCAPES[char])
        elif " " <= char <= "~":
            parts.append(char)
        else:
            parts += map(_octal_escape, char.encode("utf-8", "surrogatepass"))
    return f'"{"".join(parts)}"'


def _octal_escape(byte: int) -> str:
    signed = byte - 256 if byte > 127 else byte
    digits = (_truncated(signed, 64), _remainder(_truncated(signed, 8), 8), _remainder(signed, 8))
    return "\\" + "".join(chr(ord("0") + digit) for digit in digits)


def _truncated(value: int, divisor: int) -> int:
    return int(value / divisor)


def _remainder(value: int, divisor: int) -> int:
    return value - divisor * _truncated(value, divisor)


def print_tensor(tensor: torch.Tensor) -> str:
    """Return the text of a tensor: `{2}` for one element; beyond the maximum, `<Tensor>`."""
    if tensor.numel() == 1:
        return f"{{{_scalar(tensor.reshape(()).item())}}}"
    if tensor.numel() > MAX_TENSOR_ELEMENTS:
        return "<Tensor>"
    return format_tensor(tensor).replace("\n", " ")


def _scalar(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, complex):
        return f"({value.real:g},{value.imag:g})"
    return str(int(value))


def _print_tuple(items: tuple[Any, ...]) -> str:
    inner = ", ".join(map(print_value, items))
    return f"({inner},)" if len(items) == 1 else f"({inner})"


def _print_list(items: list[Any]) -> str:
    if items and all(isinstance(item, torch.Tensor) for item in items):
        return "[<Tensors>]"
    return f"[{', '.join(map(print_value, items))}]"


def _print_dict(items: dict[Any, Any]) -> str:
    return "{" + ", ".join(f"{print_value(k)}: {print_value(v)}" for k, v in items.items()) + "}"


def _print_generator(generator: torch.Generator) -> str:
    device = print_string(str(generator.device))
    return f"torch.Generator(device={device}, seed={generator.initial_seed()})"


_WRITERS: dict[type, Callable[[Any], str]] = {
    float: print_float,
    complex: print_complex,
    str: print_string,
    tuple: _print_tuple,
    list: _print_list,
    dict: _print_dict,
    torch.device: lambda device: f"torch.device({print_string(str(device))})",
    torch.Generator: _print_generator,
}


def annotated_empty(type: Type) -> str:
    """Return the text of an empty container constant, which carries its type."""
    assert isinstance(type, (ListType, DictType))
    return f"annotate({type.annotation}, {'[]' if isinstance(type, ListType) else '{}'})"
