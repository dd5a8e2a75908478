"""The nodes of a block as statements of C: which expression goes where.

A value of the graph is a variable, or is written where it is used if that is once, in the same
block. A variable is assigned once but for those that a loop carries. What reads an item of a list
is computed before the next statement that may write one.

A variable of a list or a str holds it (`mts_retain`): those that nothing holds any longer end with
the block of the last variable that did.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from minits.codegen.uses import is_constant, is_used, resolve, uses_of
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Block, Node, Value
from minits.native import complex_numbers, enums, lists, nodes, tensor_calls
from minits.native.builder import GUARD
from minits.native.c_types import HELD, NotNative, c_type, is_number
from minits.native.endings import Ending
from minits.native.expressions import SIMPLE, filled, in_parentheses, without_true
from minits.native.lifetimes import Lifetimes
from minits.native.operator_rows import Operator
from minits.native.rows_of_nodes import is_excluded, is_identity, row_of, slots_of, writes
from minits.native.torch_interface import FAILS
from minits.ops.properties import schema_of
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.function_body import FunctionBody

_DEEPEST = 60
"""Characters of an expression that still goes into another one."""
_TAKES_OUT = ("aten::pop", "aten::popitem")
_MADE = (t.ListType, t.DictType, t.TupleType)
"""Types of constants that are made where they stand."""
_DEPTHS = {"prim::Enter": 1, "prim::Exit": -1}
"""The change in the number of managers that are entered."""
_WIDEST = 100
"""Characters of a line that several short statements share."""


class BlockPrinter:
    """Prints the nodes of one block. It has `raised` if the block's end is not reached."""

    def __init__(self, function: FunctionBody, depth: int, shown: str = "") -> None:
        self.function = function
        self.ending: Ending | None = None
        """The end of the block where the program raises; without, that of the function."""
        self.depth = depth
        self.lines: list[str] = []
        self.held: list[str] = []
        """The variables of lists that are declared here."""
        self.raised = False
        self.tensors = Lifetimes(self)
        self.has_read = False
        """Whether an expression that was read since this was last set reads items of lists."""
        self.checked: set[str] = set()
        """Conditions of values that stay as they are, under which the program has been left."""
        self._pending: dict[Value, str] = {}
        self._reading: dict[Value, None] = {}
        """Those that are pending and read items of lists."""
        self._shown = shown
        """The line of the program that was shown last."""

    def block(self, block: Block) -> None:
        depth = 0
        for node in block.nodes:
            if self.raised:  # what is reached now are the ends of managers
                depth += _DEPTHS.get(node.kind, 0)
                if depth >= 0:
                    continue
                depth = 0
            if self._reading and writes(node):
                self._read_before(node)
            self._node(node)
            self.tensors.end_after(node)

    def branch(self, block: Block) -> BlockPrinter:
        """Return a printer that has printed the nodes of an inner block."""
        branch = BlockPrinter(self.function, self.depth + 1, self._shown)
        branch.checked |= self.checked
        branch.ending = self.ending
        branch.block(block)
        return branch

    def apart(self, block: Block, ending: Ending) -> BlockPrinter:
        """Return a printer that has printed the nodes of a block which ends in another way."""
        branch = BlockPrinter(self.function, self.depth + 1, self._shown)
        branch.ending = ending
        branch.block(block)
        return branch

    def within(self, function: FunctionBody) -> BlockPrinter:
        """Return a printer that has printed the nodes of another function."""
        body = BlockPrinter(function, depth=1)
        body.block(function.graph.block)
        return body

    # ---- Lines and expressions -------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def show(self, node: Node) -> None:
        """Write the line of the program that a node is from, if it is another one."""
        if node.range is None:
            return
        source, number = node.range.source, node.range.begin.line
        text = source.line(number).strip().rstrip("\\")  # which would continue a comment of C
        shown = f"{source.filename.rpartition('/')[2]}:{number}: {text}"
        if shown != self._shown:
            self._shown = shown
            self.line(f"// {shown}")

    def read(self, value: Value) -> str:
        """Return the expression that a value is. Raises `NotNative`."""
        value = resolve(value)
        content = to_python(value)
        if content is not NOT_CONSTANT and not isinstance(value.type, _MADE):
            if c_type(value) is HELD and is_number(value.type):
                raise NotNative(value.node, value.type.annotation)
            return self.function.literal(content)
        if value.node.kind == "prim::Uninitialized":
            return c_type(value).zero
        if value.type == t.TENSOR and not self.function.has_handles:
            return self.function.elements.snapshot(self, value)
        if value in self._reading:
            del self._reading[value]
            self.has_read = True
        return self._pending.pop(value, None) or self.function.names.of(value)

    def operand(self, value: Value) -> str:
        """Return the expression of a value, in parentheses where it needs them."""
        return in_parentheses(self.read(value))

    def variable(self, value: Value) -> str:
        """Return the expression of a value that can be written several times: no computation."""
        value = resolve(value)
        is_fixed, waits = value not in self._reading, value in self._pending
        text = self.read(value)
        if is_fixed and SIMPLE.fullmatch(text) and "(" not in text:
            if waits:
                self._pending[value] = text
            return text
        if value.node.kind == "prim::Constant":
            return f"({text})"
        self._declare(value, text)
        return self.function.names.of(value)

    def keep(self, value: Value) -> None:
        """Let a value be read several times, by a name if it is no variable yet."""
        self.variable(value)
        if (value := resolve(value)) in self._pending:
            self._declare(value, self.read(value))

    def waits_with(self, name: str) -> bool:
        """Return whether an expression that waits for its use reads a variable."""
        word = re.compile(rf"\b{name}\b")
        return any(word.search(text) for text in self._pending.values())

    def finish(self, value: Value, text: str, reads: bool = False) -> None:
        """Let an expression wait for its use, or assign it to the value's variable.

        reads: it reads items of lists, which may be others later.
        """
        uses = list(uses_of(value))
        if not uses:
            return
        if len(uses) == 1 and not value.has_name and len(text) < _DEEPEST:
            user = uses[0].user
            if user.owner is value.node.owner and not _ends_round(user):
                self._pending[value] = text
                if reads:
                    self._reading[value] = None
                return
        self._declare(value, text)

    def make(self, value: Value, text: str) -> None:
        """Declare the variable of a new list; the function ends where there is no memory for it."""
        self.make_named(self.function.names.of(value), text)
        self.tensors.add(value)

    def make_named(self, name: str, text: str) -> None:
        """Declare a variable of this name for a new list."""
        self.hold(name)
        self.line(f"{HELD.of(name)} = {text};")
        self.line(f"if (!{name}) return MTS_NO_MEMORY;")

    def make_or_none(self, name: str, is_given: str, text: str) -> None:
        """Declare a variable of this name for a new list, or for None (0) if it is not given."""
        self.hold(name)
        self.line(f"{HELD.of(name)} = {is_given} ? {text} : 0;")
        self.line(f"if (!{name} && {is_given}) return MTS_NO_MEMORY;")

    def take_tensor(self, value: Value, handle: str) -> None:
        """Take over the handle of a tensor that a call has returned, or let it go."""
        if is_used(value):
            self.make(value, f"mts_tensor_of(pool, (void *){handle})")
        else:
            self.line(f"aoti_torch_delete_tensor_object((void *){handle});")

    def hold(self, name: str) -> None:
        """Note the variable of a list that is declared here."""
        self.function.has_lists = True
        self.held.append(name)

    def _declare(self, value: Value, text: str) -> None:
        type, name = c_type(value), self.function.names.of(value)
        if type is HELD:
            self.hold(name)
            text = f"mts_retain({text})"
            self.tensors.add(value)
        self.line(f"{type.of(name)} = {text};")

    def _read_before(self, node: Node) -> None:
        """Assign what is pending and reads items of lists, but for what `node` itself reads."""
        operands = {*map(resolve, node.inputs)}
        for value in [value for value in self._reading if value not in operands]:
            del self._reading[value]
            self._declare(value, self._pending.pop(value))

    # ---- Nodes -----------------------------------------------------------------------------

    def _node(self, node: Node) -> None:
        if not nodes.print_node(self, node):
            self._operator(node)

    def _operator(self, node: Node) -> None:
        if GUARD in node.attributes:
            operands = [self.variable(value) for value in node.inputs if not is_constant(value)]
            self.show(node)
            self.leave_if(filled(node[GUARD], operands), node)
            return
        if not self.function.has_handles and self.function.elements.print_node(self, node):
            return
        if is_identity(node):
            self.finish(node.output, self.read(node.inputs[0]))
            return
        if enums.print_enum(self, node):
            return
        row = row_of(node)
        if row is None and self.function.has_handles and tensor_calls.is_call(node):
            tensor_calls.print_call(self, node)
            return
        if row is None:
            raise NotNative(node, node.kind)
        self._retype(node)
        for output in filter(is_used, node.outputs):
            c_type(output)
        self.show(node)
        if lists.is_of_items(node):
            lists.print_of_items(self, node)
            return
        self.has_read = False
        operands = self._operands(node, row)
        reads = row.reads or self.has_read
        slots = slots_of(node)
        if row.raises is not None and not is_excluded(row.raises, node):
            self.leave_if(filled(row.raises, operands, *slots), node)
        texts = [without_true(filled(text, operands, *slots)) for text in row.results]
        if row.writes:
            self._write(node, texts[0], row)
            if len(texts) > 1:
                self.finish(node.output, texts[1], reads=True)
        elif row.allocates:
            self.make(node.output, texts[0])
        else:
            for output, text in zip(node.outputs, texts, strict=True):
                self.finish(output, text, reads)

    def _retype(self, node: Node) -> None:
        """Give numbers the types that elements have: what a `Scalar` is, is known by its dtype.

        Raises `NotNative` for an operator that has no overload for these.
        """
        if any(output.type == t.NUMBER for output in node.outputs):
            schema = schema_of(node)
            if schema is None:  # of a bool: `x.item() * r` is of a Scalar and a float
                raise NotNative(node, node.kind)
            for output, returned in zip(node.outputs, schema.returns, strict=True):
                self.function.retype(output, returned.type)

    def _write(self, node: Node, text: str, row: Operator) -> None:
        """Write a statement. An operator that returns its own list shares the variable."""
        self.function.writes_lists = True
        if node.kind == "aten::popitem":
            self.make(node.output, text)
        elif row.allocates:
            self.function.has_lists = True
            self.line(f"if (!{text}) return MTS_NO_MEMORY;")
        elif node.kind == "aten::pop":
            type, name = c_type(node.output), self.function.names.of(node.output)
            if is_used(node.output):
                self.line(f"{type.of(name)} = {text};")
                if type is HELD:
                    self.hold(name)  # which the list held before
            else:
                self.line(f"mts_release({text});" if type is HELD else f"{text};")
        else:
            self.line(f"{text};")
        if len(row.results) == 1 and node.outputs and node.kind not in _TAKES_OUT:
            self.function.names.share(resolve(node.inputs[0]), node.output)

    def _operands(self, node: Node, row: Operator) -> list[str]:
        """Return the operands' texts. What is written several times is a variable."""
        if node.kind == "aten::slice":
            return lists.operands_of_slice(self, node)
        texts = "".join([*row.results, row.raises or ""])
        is_told = row.raises is not None and not is_excluded(row.raises, node)
        found = []
        for index, value in enumerate(node.inputs):
            is_repeated = is_told or texts.count(f"{{{index}}}") > 1
            found.append(self.variable(value) if is_repeated else self.operand(value))
        if node.inputs and all(to_python(value) is not NOT_CONSTANT for value in node.inputs):
            found[0] = f"({c_type(node.inputs[0]).name}){found[0]}"  # literals of C have 32 bits
        return found

    def check(self, condition: str, node: Node) -> None:
        """Write the end of a program that raises under a condition, unless that is known to be not.

        The condition is one of values that are not assigned again.
        """
        if condition not in self.checked:
            self.checked.add(condition)
            self.leave_if(condition, node)

    def leave(self, node: Node) -> None:
        """Write the end of a program that raises; no other node of the block is reached."""
        self.show(node)
        for text in self._leaving(node):
            self.line(text)
        self.raised = True

    def leave_if(self, condition: str, node: Node) -> None:
        """Write the end of a program that raises under a condition."""
        self.write_if(condition, self._leaving(node, FAILS.search(condition) is not None))

    def write_if(self, condition: str, leaving: list[str]) -> None:
        """Write short statements under a condition."""
        head = f"if ({condition}) {{"
        on_one = " ".join([head, *leaving, "}"])
        if len(on_one) + 4 * self.depth <= _WIDEST:
            self.line(on_one)
            return
        self.line(head)
        for text in leaving:
            self.line(f"    {text}")
        self.line("}")

    def _leaving(self, node: Node, is_torch: bool = False) -> list[str]:
        """Return the statements at the end of a program that raises."""
        number, told = self.function.site(node, is_torch)
        boxes = complex_numbers.told_boxes(self, told)
        if self.ending is not None:
            if boxes:
                raise NotNative(node, t.COMPLEX.annotation)
            return self.ending.leaving(self, number, told)
        outs = [
            f"out[{slot}].{c_type(value).slot} = {self.variable(value)};"
            for slot, value in enumerate(told, len(self.function.shared))
            if value not in boxes
        ]
        return [*boxes.values(), *outs, f"return {number};"]

    def stopping(self, fault: str) -> list[str]:
        """Return the statements where a function of Python that C calls has raised."""
        return [f"return {fault};"] if self.ending is None else self.ending.with_fault(fault)


def _ends_round(node: Node) -> bool:
    """Return whether a node returns the values of a loop's next round."""
    owner = node.owner.owning_node
    return node.kind == "prim::Return" and owner is not None and owner.kind == "prim::Loop"
