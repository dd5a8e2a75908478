"""A graph as one C function: control flow, and which expression goes where.

    def total(n: int) -> int:            int32_t total(int64_t n, mts_value *out)
        s = 0                            {
        for i in range(n):                   int64_t s = 0;
            s += i * i                       for (int64_t i = 0; i < n; i++) {
        return s                                 s = s + i * i;
                                             }
                                             out[0].i = s;
                                             return 0;
                                         }

A value of the graph is a variable, or is written where it is used if that is once, in the same
block. A variable is assigned once but for those that a loop carries.

The function returns 0, or the number of the site where the program raises (`sites.py`); `out` has
the results then, or what the site tells. Every line of the program stands before its statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePath

from minits.codegen.integer_bounds import operator_key
from minits.codegen.uses import ALIASES, is_used, resolve, uses_of
from minits.ir.constants import NOT_CONSTANT, has_containers, to_python
from minits.ir.copying import clone_graph
from minits.ir.graph import Block, Graph, Node, Value
from minits.native.c_types import C_TYPES, CType, literal
from minits.native.expressions import (
    SIMPLE,
    choice,
    filled,
    in_parentheses,
    loop_head,
    negated,
    without_true,
)
from minits.native.names import Names
from minits.native.prelude import prelude
from minits.native.scalar_operators import SCALAR_OPERATORS, Operator
from minits.native.sites import Site, told_values
from minits.passes.pipeline import run_pipeline
from minits.types import types as t
from minits.types.int64 import MAX_INT

_DEEPEST = 60
"""Characters of an expression that still goes into another one."""
_COMPARED_TO_ZERO = re.compile(r"\{(\d)\} == 0(\.0)?")


class NotNative(Exception):
    """Native code does not have a node or a type. `node` is where, `what` its operator or type."""

    def __init__(self, node: Node, what: str) -> None:
        super().__init__(f"{what} is not native")
        self.node, self.what = node, what


class FunctionPrinter:
    """Prints one function. `sites` are the places where it may raise, numbered from 1.

    `graph` is a copy of the one given, whose blocks have the elements of tuples.
    """

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph = graph = clone_graph(graph)
        run_pipeline(graph, "native")
        self.names = Names()
        self.name = self.names.new(name)
        self.sites: list[Site] = []
        self.inputs = [value for value in graph.inputs if is_used(value)]
        self.results = [*_leaves(graph.outputs)]

    def text(self) -> str:
        """Return the whole C text: the function, after what it needs. Raises `NotNative`."""
        parameters = [f"{_c_type(value).name} {self.names.of(value)}" for value in self.inputs]
        body = _BlockPrinter(self, depth=1)
        body.block(self.graph.block)
        if not body.raised:
            for number, value in enumerate(self.results):
                body.line(f"out[{number}].{_c_type(value).slot} = {body.read(value)};")
            body.line("return 0;")
        head = f"int32_t {self.name}({', '.join([*parameters, 'mts_value *out'])})"
        text = "\n".join([head, "{", *body.lines, "}", ""])
        return f"{prelude(text)}\n\n{text}"

    def site(self, node: Node) -> tuple[int, list[Value]]:
        """Return the number of a new site, and the values that it tells."""
        told = told_values(node)
        self.sites.append(Site(node, told))
        return len(self.sites), told


class _BlockPrinter:
    """Prints the nodes of one block. It has `raised` if the block's end is not reached."""

    def __init__(self, function: FunctionPrinter, depth: int, shown: str = "") -> None:
        self.function = function
        self.depth = depth
        self.lines: list[str] = []
        self.pending: dict[Value, str] = {}
        self.raised = False
        self._shown = shown
        """The line of the program that was shown last."""

    def block(self, block: Block) -> None:
        for node in block.nodes:
            if self.raised:
                return
            self._node(node)

    # ---- Lines and expressions -------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def _show(self, node: Node) -> None:
        """Write the line of the program that a node is from, if it is another one."""
        if node.range is None:
            return
        source, number = node.range.source, node.range.begin.line
        text = source.line(number).strip().rstrip("\\")  # which would continue a comment of C
        shown = f"{PurePath(source.filename).name}:{number}: {text}"
        if shown != self._shown:
            self._shown = shown
            self.line(f"// {shown}")

    def read(self, value: Value) -> str:
        """Return the expression that a value is."""
        value = resolve(value)
        content = to_python(value)
        if content is not NOT_CONSTANT:
            _c_type(value)
            return literal(content)
        if value.node.kind == "prim::Uninitialized":
            return _c_type(value).zero
        return self.pending.pop(value, None) or self.function.names.of(value)

    def operand(self, value: Value) -> str:
        """Return the expression of a value, in parentheses where it needs them."""
        return in_parentheses(self.read(value))

    def _variable(self, value: Value) -> str:
        """Return the expression of a value that can be written several times: no computation."""
        text = self.read(value)
        if SIMPLE.fullmatch(text) and "(" not in text:
            return text
        value = resolve(value)
        if value.node.kind == "prim::Constant":
            return f"({text})"
        self.line(f"{_c_type(value).name} {self.function.names.of(value)} = {text};")
        return self.function.names.of(value)

    def _finish(self, value: Value, text: str) -> None:
        """Let an expression wait for its use, or assign it to the value's variable."""
        uses = list(uses_of(value))
        if not uses:
            return
        if len(uses) == 1 and not value.has_name and len(text) < _DEEPEST:
            user = uses[0].user
            if user.owner is value.node.owner and not _ends_round(user):
                self.pending[value] = text
                return
        self.line(f"{_c_type(value).name} {self.function.names.of(value)} = {text};")

    # ---- Nodes -----------------------------------------------------------------------------

    def _node(self, node: Node) -> None:
        match node.kind:
            case "prim::Constant" | "prim::Uninitialized" | "prim::TupleConstruct":
                pass  # where they are used
            case "prim::If":
                self._if(node)
            case "prim::Loop":
                self._loop(node)
            case "prim::RaiseException":
                self._show(node)
                self._leave(node)
                self.raised = True
            case _ if node.kind in ALIASES or _is_of_message(node):
                pass
            case _:
                self._operator(node)

    def _operator(self, node: Node) -> None:
        row = SCALAR_OPERATORS.get(operator_key(node) or node.kind)
        if row is None:
            raise NotNative(node, node.kind)
        self._show(node)
        operands = self._operands(node, row)
        if row.raises is not None and not _is_excluded(row.raises, node):
            self.line(f"if ({filled(row.raises, operands)}) {{")
            self.depth += 1
            self._leave(node)
            self.depth -= 1
            self.line("}")
        for output, text in zip(node.outputs, row.results, strict=True):
            self._finish(output, without_true(filled(text, operands)))

    def _operands(self, node: Node, row: Operator) -> list[str]:
        """Return the operands' texts. What is written several times is a variable."""
        texts = [*row.results, *([row.raises] if row.raises else [])]
        found = []
        for index, value in enumerate(node.inputs):
            count = sum(text.count(f"{{{index}}}") for text in texts)
            is_told = row.raises is not None and not _is_excluded(row.raises, node)
            found.append(self._variable(value) if count > 1 or is_told else self.operand(value))
        if node.inputs and all(to_python(value) is not NOT_CONSTANT for value in node.inputs):
            found[0] = f"({_c_type(node.inputs[0]).name}){found[0]}"  # literals of C have 32 bits
        return found

    def _leave(self, node: Node) -> None:
        """Write the end of a program that raises."""
        number, told = self.function.site(node)
        for slot, value in enumerate(told):
            self.line(f"out[{slot}].{_c_type(value).slot} = {self._variable(value)};")
        self.line(f"return {number};")

    # ---- If --------------------------------------------------------------------------------

    def _if(self, node: Node) -> None:
        used = [index for index, value in enumerate(node.outputs) if is_used(value)]
        condition = self.read(node.inputs[0])
        branches = [self._branch(block) for block in node.blocks]
        plain = not any(branch.lines or branch.raised for branch in branches)
        if plain and len(used) == 1:
            results = [block.outputs[used[0]] for block in node.blocks]
            then, otherwise = (
                branch.operand(result) for branch, result in zip(branches, results, strict=True)
            )
            if all(to_python(result) is not NOT_CONSTANT for result in results):
                then = f"({_c_type(results[0]).name}){then}"  # literals of C have 32 bits
            self._show(node)
            self._finish(node.outputs[used[0]], choice(in_parentheses(condition), then, otherwise))
            return
        for index in used:
            value = node.outputs[index]
            self.line(f"{_c_type(value).name} {self.function.names.of(value)};")
        for branch, block in zip(branches, node.blocks, strict=True):
            for index in used if not branch.raised else ():
                branch.set(node.outputs[index], block.outputs[index])
        self._show(node)
        self._write_if(condition, *(branch.lines for branch in branches))

    def _branch(self, block: Block) -> _BlockPrinter:
        branch = _BlockPrinter(self.function, self.depth + 1, self._shown)
        branch.block(block)
        return branch

    def set(self, target: Value, source: Value) -> None:
        """Write an assignment to a variable that is there; nothing for what has no value."""
        source = resolve(source)
        name = self.function.names.of(target)
        if source.node.kind != "prim::Uninitialized" and (text := self.read(source)) != name:
            self.line(f"{name} = {text};")

    def _write_if(self, condition: str, then: list[str], otherwise: list[str]) -> None:
        if not then and not otherwise:
            return
        if not then:
            condition, then, otherwise = negated(condition), otherwise, []
        self.line(f"if ({condition}) {{")
        self.lines += then
        if otherwise:
            self.line("} else {")
            self.lines += otherwise
        self.line("}")

    # ---- Loop ------------------------------------------------------------------------------

    def _loop(self, node: Node) -> None:
        """Print `prim::Loop(most trips, condition, carried...)`.

        A carried variable is one of C, which is an input of the body and an output of the loop.
        """
        names, body = self.function.names, node.blocks[0]
        index, *carried = body.inputs
        self._show(node)
        most = self._most(node, index)
        more = self._condition(node, body)
        for value, output, start in zip(carried, node.outputs, node.inputs[2:], strict=True):
            name = names.share(value, output)
            self.line(f"{_c_type(value).name} {name} = {self.read(start)};")
        self.line(loop_head(names.of(index), most, more, bool(index.uses)))
        inner = self._branch(body)
        if not inner.raised:
            if more is not None:
                inner.line(f"{more} = {inner.read(body.outputs[0])};")
            inner.carry(carried, body.outputs[1:])
        self.lines += inner.lines
        self.line("}")

    def _most(self, node: Node, index: Value) -> str | None:
        """Return the greatest number of trips, None where there is none."""
        if to_python(node.inputs[0]) == MAX_INT:
            return None
        return self._variable(node.inputs[0])

    def _condition(self, node: Node, body: Block) -> str | None:
        """Declare a variable that tells whether a loop goes on; None for one that always does."""
        if to_python(node.inputs[1]) is True and to_python(body.outputs[0]) is True:
            return None
        name = self.function.names.new("more")
        self.line(f"bool {name} = {self.read(node.inputs[1])};")
        return name

    def carry(self, variables: list[Value], sources: list[Value]) -> None:
        """Assign to all variables at once, by copies of those that are still to be read."""
        names = self.function.names
        texts: list[str | None] = []
        written: set[str] = set()
        for variable, source in zip(variables, map(resolve, sources), strict=True):
            is_set = source.node.kind != "prim::Uninitialized"
            text = self.read(source) if is_set else None
            if text in written:
                copy = names.new("before")
                self.line(f"{_c_type(source).name} {copy} = {text};")
                text = copy
            texts.append(text)
            written.add(names.of(variable))
        for variable, text in zip(variables, texts, strict=True):
            if text is not None and text != names.of(variable):
                self.line(f"{names.of(variable)} = {text};")


def _is_excluded(condition: str, node: Node) -> bool:
    """Return whether an operator cannot raise: its divisor is a constant other than 0."""
    compared = _COMPARED_TO_ZERO.fullmatch(condition)
    return compared is not None and bool(to_python(node.inputs[int(compared[1])]))


def _ends_round(node: Node) -> bool:
    """Return whether a node returns the values of a loop's next round."""
    owner = node.owner.owning_node
    return node.kind == "prim::Return" and owner is not None and owner.kind == "prim::Loop"


def _is_of_message(node: Node) -> bool:
    """Return whether a node makes the message of an error and nothing else: Python computes it."""
    return bool(node.outputs) and all(
        output.type == t.STR
        and all(
            use.user.kind == "prim::RaiseException" or _is_of_message(use.user)
            for use in output.uses
        )
        for output in node.outputs
    )


def _leaves(values: Iterable[Value]) -> Iterable[Value]:
    """Yield the values of which results are made: the items of plain tuples in their place.

    Python has the tuples that are constants, and None.
    """
    for value in values:
        if isinstance(to_python(value), tuple):
            if has_containers(to_python(value)):
                raise NotNative(_node_of(value), value.type.annotation)
        elif value.node.kind == "prim::TupleConstruct":
            if isinstance(value.type, t.TupleType) and value.type.name is not None:
                raise NotNative(value.node, value.type.annotation)
            yield from _leaves(value.node.inputs)
        elif value.type != t.NONE:
            yield value


def _c_type(value: Value) -> CType:
    found = C_TYPES.get(value.type)
    if found is None:
        raise NotNative(_node_of(value), value.type.annotation)
    return found


def _node_of(value: Value) -> Node:
    """Return the node at which a value is met: that of its loop, or else the first that reads it,
    for the input of a block."""
    if value.node.kind != "prim::Param":
        return value.node
    loop = value.node.owner.owning_node
    return next(uses_of(value)).user if loop is None else loop
