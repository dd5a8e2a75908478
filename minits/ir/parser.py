"""Text to graph: the inverse of `minits.ir.printer`, by the grammar `grammar/ir.lark`.

What text does not hold cannot come back: the attributes and methods of a class, the function behind
a `Function` constant, and tensors that are printed as `<Tensor>`. Numbers of unnamed values are
kept, so that printing a parsed graph gives the text again.

Source: torch/csrc/jit/ir/irparser.cpp. Differs: source comments become ranges.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import torch
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from minits.diagnostics import CompileError, error
from minits.grammar import read_grammar
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.type_parser import TypeBuilder
from minits.source import SourceFile, SourceRange
from minits.types import types as t

_RANGE = re.compile(r"#\s*(.*):(\d+):(\d+)\s*$")
_OCTAL = re.compile(r"\\([0-7]{3})")


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return Lark(
        read_grammar("ir.lark"), parser="lalr", maybe_placeholders=True, propagate_positions=True
    )


def parse_graph(text: str, filename: str = "<ir>", classes: Iterable[t.ClassType] = ()) -> Graph:
    """Read the text of a graph. Raises `CompileError` (TS9xx) with the range of a fault.

    `classes` are those that the text may name; any other gets a new type, which has no attributes.
    """
    source = SourceFile(filename, text)
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as fault:
        raise _syntax_error(source, fault) from None
    return _GraphBuilder(source, TypeBuilder(classes)).build(tree)


def _syntax_error(source: SourceFile, fault: UnexpectedInput) -> CompileError:
    start = len(source.text)
    found = "the end of the text"
    if (
        isinstance(fault, (UnexpectedCharacters, UnexpectedToken))
        and fault.pos_in_stream is not None
    ):
        at_end = isinstance(fault, UnexpectedToken) and fault.token.type == "$END"
        if not at_end:
            start = fault.pos_in_stream
            found = repr(source.text[start : start + 20].split("\n")[0])
    elif not isinstance(fault, UnexpectedEOF):
        found = str(fault)
    loc = SourceRange(source, start, min(start + 1, len(source.text)))
    fix = "write operations as %y : Type = kind(%x), each on a line, as a graph is printed"
    return error(loc, "TS901", f"this is not the text of a graph: found {found}", fix=fix)


class _GraphBuilder:
    """Builds one graph; blocks see the values of the blocks around them."""

    def __init__(self, source: SourceFile, types: TypeBuilder | None = None) -> None:
        self.source = source
        self.types = types or TypeBuilder()
        self.graph = Graph()
        self.values: dict[str, Value] = {}
        self.groups: dict[str, Node] = {}

    def build(self, tree: Tree[Token]) -> Graph:
        """Return the graph. Raises `CompileError` (TS9xx)."""
        main, *attached = tree.children
        self.body(main, self.graph.block)
        self._reserve_numbers()
        for item in attached:
            name, inner = item.children
            group = self.groups.get(str(name))
            if group is None:
                message = f"no node of the graph is named {name}: this is its subgraph"
                raise error(self.where(name), "TS902", message, fix="name a node, or remove it")
            subgraph = _GraphBuilder(self.source, self.types)
            subgraph.body(inner, subgraph.graph.block)
            subgraph._reserve_numbers()
            group.set_attr("Subgraph", "g", subgraph.graph)
        return self.graph

    def _reserve_numbers(self) -> None:
        numbers = [value.unique for value in self.values.values()]
        self.graph.values_made = max(numbers, default=-1) + 1

    def body(self, tree: Any, block: Block) -> None:
        """Read `graph` or `block`: declarations, nodes, results."""
        parts = [part for part in tree.children if isinstance(part, Tree)]
        declarations, *nodes, results = parts
        for declaration in declarations.children:
            if declaration is not None:
                self.declare(declaration, block.param)
        for node in nodes:
            self.node(node, block)
        for value in self.read_values(results):
            block.add_output(value)

    def node(self, tree: Tree[Any], block: Block) -> None:
        declarations, operation, inputs, comment, *blocks = tree.children
        node = self.operation(operation)
        for value in self.read_values(inputs):
            node.add_input(value)
        if comment is not None:
            node.range = _range(comment)
        block.append(node)
        outer = dict(self.values)
        for inner in blocks:
            self.values = dict(outer)
            self.body(inner, node.add_block())
        self.values = outer
        for declaration in declarations.children:
            if declaration is not None:
                self.declare(declaration, node)

    def operation(self, tree: Tree[Any]) -> Node:
        kind, extra = str(tree.children[0]), tree.children[1]
        if tree.data == "python_op":
            node = Node(self.graph, "prim::PythonOp").set_attr(
                "name", "s", kind[1:].removesuffix("[]")
            )
            scalars = (
                [] if extra is None else [self.literal(item) for item in extra.children if item]
            )
            return node.set_attr("scalar_args", "ival", tuple(scalars))
        if tree.data == "group":
            node = Node(self.graph, kind.rpartition("_")[0])
            self.groups[kind] = node
        else:
            node = Node(self.graph, kind)
        for attribute in extra.children if extra is not None else ():
            self.attribute(node, attribute)
        return node

    def attribute(self, node: Node, tree: Tree[Any]) -> None:
        if tree.data == "types":
            node.set_attr(
                "types", "tys", [self.types.build(item) for item in tree.children if item]
            )
            return
        name, literal = tree.children
        value = self.literal(literal)
        node.set_attr(str(name), _attribute_kind(value), value)

    def declare(self, tree: Tree[Any], node: Node) -> None:
        """Define an output of a node. Raises `CompileError` (TS903) for a name that is taken."""
        token, type_ = tree.children
        name = str(token)[1:]
        if name in self.values:
            fix = "give one of the two values another name"
            raise error(self.where(token), "TS903", f"%{name} is defined twice", fix=fix)
        value = node.add_output(t.TENSOR if type_ is None else self.types.build(type_))
        _settle_constant(node, value.type)
        if name.isdigit():
            value.unique = int(name)
        else:
            value.set_name(name)
        self.values[name] = value

    def read_values(self, tree: Tree[Any]) -> list[Value]:
        return [self.read(token) for token in tree.children if token is not None]

    def read(self, token: Token) -> Value:
        """Return the value of a name. Raises `CompileError` (TS904) if it is not defined."""
        value = self.values.get(token[1:])
        if value is None:
            fix = "define it on a line before, or as an input of the graph"
            raise error(
                self.where(token), "TS904", f"{token} is used before it is defined", fix=fix
            )
        return value

    def literal(self, tree: Tree[Any]) -> Any:
        """Return the value of a literal. Raises `CompileError` (TS905) for a shortened tensor."""
        items = [item for item in tree.children if item is not None]
        match str(tree.data):
            case "integer":
                return int(items[0])
            case "float":
                return float(items[0])
            case "complex":
                return complex(str(items[0]))
            case "string":
                return _unquote(items[0])
            case "device":
                return torch.device(_unquote(items[0]))
            case "generator":
                return torch.Generator(_unquote(items[0])).manual_seed(int(items[1]))
            case "true" | "false" | "none":
                return {"true": True, "false": False, "none": None}[str(tree.data)]
            case "list":
                return [self.literal(item) for item in items]
            case "tuple":
                return tuple(self.literal(item) for item in items)
            case "dict":
                values = [self.literal(item) for item in items]
                return dict(zip(values[::2], values[1::2], strict=True))
            case "annotated":
                return self.literal(items[1])
            case "boxed":
                return torch.tensor(self.literal(items[0]))
            case _:
                message = f"{items[0]} stands for a value that the text leaves out"
                fix = "make it an input of the graph"
                raise error(self.where(items[0]), "TS905", message, fix=fix)

    def where(self, token: Token) -> SourceRange:
        assert token.start_pos is not None and token.end_pos is not None
        return SourceRange(self.source, token.start_pos, token.end_pos)


def _attribute_kind(value: Any) -> str:
    """Return the kind of the attribute that holds a literal."""
    if isinstance(value, torch.Tensor):
        return "t"
    kinds: dict[type, str] = {int: "i", bool: "i", float: "f", complex: "c", str: "s"}
    return kinds.get(type(value), "ival")


def _settle_constant(node: Node, type: t.Type) -> None:
    """Make the value of a float constant a float: old text may print it as `1`."""
    if node.kind == "prim::Constant" and type == t.FLOAT and node.get("value") is not None:
        node.set_attr("value", "f", float(node["value"]))


def _range(token: Token) -> SourceRange | None:
    match = _RANGE.match(token)
    if match is None:
        return None
    return SourceRange.at(match[1], int(match[2]), int(match[3]))


def _unquote(token: Token) -> str:
    """Read a quoted string; octal escapes are bytes of UTF-8."""
    plain = _OCTAL.sub(lambda match: f"\\x{int(match[1], 8):02x}", token)
    text: str = ast.literal_eval(plain)
    if plain == str(token):
        return text
    return text.encode("latin-1").decode("utf-8", "replace")
