"""Functions that are called in C, and calls of them.

    static int32_t quotient(int64_t a, int64_t b, int64_t *result, mts_value *out)
    ...
    int64_t q;
    int32_t fault = quotient(n, 3, &q, out);
    if (fault) return fault < 0 ? fault : fault + 4;

One that may raise returns the number of its site. Each call has sites of its own, in a row: to the
number, the caller adds how many it has before them. One that never raises, and has one result,
returns it. Results are the caller's to release; what is passed is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from minits.ir.graph import Graph, Node, Value
from minits.native.c_types import HELD, NotNative, c_type, c_type_of
from minits.native.calls import CALL, Call
from minits.native.control_flow import end_block
from minits.native.function_body import FunctionBody
from minits.records import replace
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter
    from minits.native.printer import FunctionPrinter

PRINT = "int32_t (*print)(const char *, int64_t)"
"""The parameter for what a program prints."""


class Callee(FunctionBody):
    """A function that others call.

    owner: one of these that Python or a caller of the library calls
    depth: the number of calls that lead to its nodes in the graph from which it is
    nodes: those of the graph at first, in order
    """

    def __init__(
        self, owner: FunctionPrinter, graph: Graph, name: str, depth: int, nodes: list[Node]
    ) -> None:
        super().__init__(graph, owner.tags, has_handles=True)
        self.owner, self.name, self.depth = owner, name, depth
        self.has_python, self.shared = owner.has_python, owner.shared
        self.takes_shortcuts = owner.takes_shortcuts
        self.numbers = {node: number for number, node in enumerate(nodes)}
        self.writes = False
        """Whether it may write to a list, a tensor or an attribute."""
        self.text = ""
        """The function in C, after those that it calls first, once it is printed."""
        self.raises = True
        """Whether it may return the number of a site, or that there is no memory."""

    @property
    def returns_result(self) -> bool:
        return not self.raises and len(self.graph.outputs) == 1

    def literal(self, content: Any) -> str:
        return self.owner.literal(content)

    def retype(self, value: Value, type: t.Type) -> None:
        self.owner.retype(value, type)

    def constant_tensor(self, content: torch.Tensor) -> str:
        """Raise `NotNative`: constants that are tensors are parameters of the owner."""
        raise NotNative(self.graph.block.end, t.TENSOR.annotation)

    def number_of_group(self, node: Node) -> int:
        """Raise `NotNative`: the owner has the groups."""
        raise NotNative(node, node.kind)

    def define(self, printer: BlockPrinter) -> None:
        """Print the function, after those that it calls. Raises `NotNative`."""
        self.keep_names_of_callees()
        parameters = [c_type(value).of(self.names.of(value)) for value in self.graph.inputs]
        body = printer.within(self)
        self.raises = any("return " in line for line in body.lines)
        returned = "int32_t" if self.raises else "void"
        if self.returns_result:
            returned = self._return(body)
        else:
            parameters += self._give(body)
        if self.has_lists:
            parameters.append("mts_list **pool")
        if self.prints and self.has_python:
            parameters.append(PRINT)
        if any(site.told for site in self.sites):
            parameters.append("mts_value *out")
        space = "" if returned.endswith("*") else " "
        head = f"static {returned}{space}{self.name}({', '.join(parameters) or 'void'})"
        self.text = "\n".join([*self.definitions, head, "{", *body.lines, "}", ""])

    def _return(self, body: BlockPrinter) -> str:
        """Return the only result; return its type."""
        (output,) = self.graph.outputs
        type = c_type(output)
        if not body.held:
            text = body.read(output)
            body.line(f"return {f'mts_retain({text})' if type is HELD else text};")
            return type.name
        (target,) = Node(self.graph, "prim::Return", (), [output.type]).outputs
        name = self.names.new("result")
        self.names.put(target, name)
        body.line(f"{type.of(name)};")
        end_block(body, [target], [output], was_set=False)
        body.line(f"return {name};")
        return type.name

    def _give(self, body: BlockPrinter) -> list[str]:
        """Let parameters point to the results, and return these parameters."""
        outputs = self.graph.outputs
        targets = Node(self.graph, "prim::Return", (), [each.type for each in outputs]).outputs
        parameters = []
        for target in targets:
            name = f"*{self.names.new('result')}"
            self.names.put(target, name)
            parameters.append(c_type(target).of(name))
        if not body.raised:
            end_block(body, targets, outputs, was_set=False)
            if self.raises:
                body.line("return 0;")
        return parameters


def print_call(printer: BlockPrinter, node: Node) -> None:
    """Print a call. Raises `NotNative`."""
    call: Call = node["call"]
    function, callee = printer.function, call.callee
    if printer.ending is not None:
        raise NotNative(node, CALL)
    if not callee.text:
        callee.define(printer)
        function.definitions.append(callee.text)
    printer.show(node)
    function.has_lists |= callee.has_lists
    function.writes_lists |= callee.writes_lists
    function.prints |= callee.prints
    function.has_shortcuts |= callee.has_shortcuts
    given = [_given(printer, value, callee) for value in node.inputs]
    results = [function.names.of(value) for value in node.outputs]
    if not callee.returns_result:
        for value, name in zip(node.outputs, results, strict=True):
            printer.line(f"{c_type(value).of(name)};")
        given += [f"&{name}" for name in results]
    given += ["pool"] if callee.has_lists else []
    given += ["print"] if callee.prints and callee.has_python else []
    given += ["out"] if any(site.told for site in callee.sites) else []
    text = f"{callee.name}({', '.join(given)})"
    if callee.returns_result:
        printer.line(f"{c_type(node.output).of(results[0])} = {text};")
    elif callee.raises:
        _print_fault(printer, call, text)
    else:
        printer.line(f"{text};")
    for value, name in zip(node.outputs, results, strict=True):
        if c_type_of(value.type) is HELD:
            printer.hold(name)
            printer.tensors.add(value)


def _given(printer: BlockPrinter, value: Value, callee: Callee) -> str:
    """Return the expression of an argument; of an item of a list, which the callee may take out of
    it, the variable that holds it meanwhile."""
    if callee.writes and c_type(value) is HELD:
        return printer.variable(value)
    return printer.read(value)


def _print_fault(printer: BlockPrinter, call: Call, text: str) -> None:
    """Print a call that may raise, and the end of the program where it does."""
    function, callee = printer.function, call.callee
    fault, before = function.names.new("fault"), len(function.sites)
    for site in callee.sites:
        at = call.nodes[callee.numbers[site.at or site.node]]
        function.sites.append(replace(site, at=at))
    printer.line(f"int32_t {fault} = {text};")
    number = f"{fault} < 0 ? {fault} : {fault} + {before}" if before and callee.sites else fault
    printer.line(f"if ({fault}) return {number};")
