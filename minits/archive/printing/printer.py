"""Graphs as Python source: the text of `.code`, character for character torch's.

Before:
    graph(%x.1 : Tensor, %n.1 : int):
      %2 : bool = prim::Constant[value=1]()
      %one : int = prim::Constant[value=1]()
      %x : Tensor = prim::Loop(%n.1, %2, %x.1)
        block0(%i : int, %x.5 : Tensor):
          %4 : Tensor = aten::neg(%x.5)
          %x.7 : Tensor = aten::add(%4, %i, %one)
          -> (%2, %x.7)
      return (%x)
After:
    def f(x: Tensor,
        n: int) -> Tensor:
      x0 = x
      for i in range(n):
        x0 = torch.add(torch.neg(x0), i)
      return x0

Constants and what `trees` says become parts of expressions; an expression that grows beyond 40
columns is cut, and all that is evaluated before the cut becomes statements of its own.

Source: torch/csrc/jit/serialization/python_print.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from minits.archive.printing.constants import ConstantTable, constants_in_use
from minits.archive.printing.expressions import Texts, expression_of
from minits.archive.printing.names import NameTable
from minits.archive.printing.source_map import MappedText, Statement, mapped_ranges
from minits.archive.printing.trees import find_inlined
from minits.frontend.values.function import CompiledFunction
from minits.internal_error import internal_errors
from minits.ir.constants import to_python
from minits.ir.graph import Block, Graph, Node, Value
from minits.ops.schema import Argument
from minits.passes.emission.modified_loops import with_python_loops
from minits.recursion import deep_recursion
from minits.types import types as t
from minits.types.subtyping import unwrap_optional

_LONG = 40  # columns
_MAX_INT = 2**63 - 1
_FORKS = {
    "prim::fork": ("fork", "__forked_function"),
    "prim::awaitable": ("awaitable", "__awaitable_function"),
}
"""The form that runs a nested function, and that function's name."""


@internal_errors("printing code")
@deep_recursion()
def print_code(function: CompiledFunction, constants: ConstantTable | None = None) -> str:
    """Return the Python source of a compiled function or method.

    Constants without a literal are added to `constants`.
    """
    printer = _CodePrinter(ConstantTable() if constants is None else constants)
    printer.function(function)
    return "".join(printer.out)


def print_function(
    function: CompiledFunction, constants: ConstantTable, name: str, numbers: dict[str, int]
) -> MappedText:
    """Return a function as an archive has it, under the last part of its name there."""
    printer = _CodePrinter(constants, 0, numbers)
    printer.definition(function, name, printer.parameters(function))
    return printer.mapped_text()


def print_method(
    function: CompiledFunction,
    constants: ConstantTable,
    name: str,
    owner: t.ClassType,
    numbers: dict[str, int],
) -> MappedText:
    """Return a method as the body of a class in an archive has it; a function becomes a method.

    numbers: those that variables of the file got to differ (see `NameTable`).
    """
    printer = _CodePrinter(constants, 1, numbers)
    printer.method(function, name, owner)
    return printer.mapped_text()


class _CodePrinter:
    """The state of printing one function.

    `names` are the variables that values were assigned to, `texts` the expressions of those that
    are not assigned but written where they are used; the inputs of a loop's body are written as the
    loop's results, which are assigned before the loop and at the end of each iteration.
    """

    def __init__(
        self, constants: ConstantTable, level: int = 0, numbers: dict[str, int] | None = None
    ) -> None:
        self.constants = constants
        self.expression_texts = Texts(self.use, constants)
        self.out: list[str] = []
        self.length = 0
        self.statements: list[Statement] = []
        self.level = level
        self.table = NameTable(constants.spelling.reserved, numbers)
        self.names: dict[Value, str] = {}
        self.texts: dict[Value, str] = {}
        self.inlined: set[Node] = set()
        self.annotated: set[Value] = set()
        self.scanned: dict[Node, int] = {}
        self.graphs: dict[CompiledFunction, Graph] = {}

    # ---- Text ----------------------------------------------------------------------------------

    def line(self, text: str, node: Node | None = None) -> None:
        """Write a line, which is there for a node."""
        indent = "  " * self.level
        if node is not None:
            self.statements.append(Statement(self.length + len(indent), text, node))
        self.out.append(f"{indent}{text}\n")
        self.length += len(self.out[-1])

    def mapped_text(self) -> MappedText:
        """Return the printed text, with the ranges of the program that its parts stand for."""
        inlined = {value: text for value, text in self.texts.items() if value not in self.names}
        return MappedText("".join(self.out), mapped_ranges(self.statements, inlined))

    @contextmanager
    def indented(self) -> Iterator[None]:
        self.level += 1
        yield
        self.level -= 1

    def type(self, type: t.Type) -> str:
        return self.constants.spelling.type(type)

    def graph(self, function: CompiledFunction) -> Graph:
        """Return the graph that is printed of a function."""
        if function not in self.graphs:
            self.graphs[function] = with_python_loops(self.constants.spelling.graph(function))
        return self.graphs[function]

    def use(self, value: Value) -> str:
        """Return the text of an operand: the name of its variable, or its expression."""
        name = self.names.get(value)
        return self.texts[value] if name is None else name

    def uses(self, values: Sequence[Value]) -> str:
        return ", ".join(map(self.use, values))

    def name(self, values: Sequence[Value]) -> None:
        """Give each value a variable of its own."""
        for value in values:
            self.names[value] = self.table.fresh_for(value)

    def is_long(self, text: str) -> bool:
        return len(text) + self.level * 2 >= _LONG

    # ---- Functions -----------------------------------------------------------------------------

    def function(self, function: CompiledFunction) -> None:
        is_method = function.itself is not None and not function.is_hook
        untyped = self.graph(function).inputs[:1] if is_method else []
        self.definition(function, function.name, self.parameters(function, untyped))

    def definition(self, function: CompiledFunction, name: str, parameters: list[str]) -> None:
        joined = ",\n    ".join(parameters)
        self.line(f"def {name}({joined}) -> {self.type(function.schema.returns[0].type)}:")
        self.body(self.graph(function).block)

    def method(self, function: CompiledFunction, name: str, owner: t.ClassType) -> None:
        """Print a method as a class in an archive has it; a function becomes one."""
        itself = []
        if function.itself is None:
            itself.append(f"{self.table.fresh('self')}: {self.type(owner)}")
        self.definition(function, name, itself + self.parameters(function))

    def parameters(self, function: CompiledFunction, untyped: Sequence[Value] = ()) -> list[str]:
        arguments, texts = function.schema.arguments, []
        with_default = self._first_with_default(arguments)
        for index, (argument, value) in enumerate(
            zip(arguments, self.graph(function).inputs, strict=True)
        ):
            self.names[value] = text = self.table.fresh(argument.name)
            if value not in untyped:
                text += f": {self.constants.spelling.parameter(argument)}"
                self.annotated.add(value)
            texts.append(text + self._default(argument) if index >= with_default else text)
        return texts

    def _first_with_default(self, arguments: Sequence[Argument]) -> int:
        """Return the index of the first parameter printed with its default.

        After it, all parameters have a default that can be printed.
        """
        first = len(arguments)
        while first and self.constants.spelling.takes_default(arguments[first - 1]):
            first -= 1
        return first

    def _default(self, argument: Argument) -> str:
        if not argument.has_default:
            return ""
        value = argument.default
        if isinstance(unwrap_optional(argument.type), t.ListType) and value is not None:
            is_number = isinstance(value, (bool, int, float))  # for a BroadcastingList
            value = [value] * (argument.size or 1) if is_number else list(value)
        return f"={self.constants.literal(value, argument.type)}"

    def body(self, block: Block) -> None:
        """Print a function's body; constants that are too long to be inlined come first."""
        self.inlined |= find_inlined(block)
        with self.indented():
            for node in constants_in_use(block):
                self._plain(node)
            self.block(block, has_more=bool(block.outputs))
            if block.outputs:
                self.line(f"return {self.uses(block.outputs)}", block.end)

    def block(self, block: Block, has_more: bool) -> None:
        lines = len(self.out)
        for node in block.nodes:
            if node.kind != "prim::Constant":
                self.node(node)
        if len(self.out) == lines and not has_more:
            self.line("pass")

    # ---- Statements ----------------------------------------------------------------------------

    def node(self, node: Node) -> None:
        writer = _STATEMENTS.get(node.kind)
        if writer is None:
            self._plain(node)
        else:
            writer(self, node)

    def _plain(self, node: Node) -> None:
        """Assign an expression, or keep it to be written where it is used."""
        text = expression_of(node, self.expression_texts)
        is_long_constant = node.kind == "prim::Constant" and self.is_long(text)
        if node not in self.inlined or is_long_constant:
            self._define(node, text)
            return
        self.texts[node.output] = text
        if self.is_long(text):
            self._split(node.output)

    def _define(self, node: Node, text: str) -> None:
        self.name(node.outputs)
        self.line(f"{self.uses(node.outputs)} = {text}" if node.outputs else text, node)

    def _split(self, value: Value) -> None:
        """Assign a too long expression to a variable, and before it those evaluated earlier."""
        user, offset = value.uses[0]
        found: list[Value] = []
        self._scan_long(user, offset, found)
        for earlier in reversed(found):
            self._define(earlier.node, self.use(earlier))

    def _scan_long(self, user: Node, offset: int, found: list[Value]) -> None:
        seen_up_to = self.scanned.get(user)
        first = 0 if seen_up_to is None else seen_up_to + 1
        for index in range(offset, first - 1, -1):
            value = user.inputs[index]
            if value.node.kind != "prim::Constant" and value.node in self.inlined:
                found.append(value)
        self.scanned[user] = offset
        if seen_up_to is None and user in self.inlined:
            outer, position = user.output.uses[0]
            self._scan_long(outer, position - 1, found)

    def _if(self, node: Node) -> None:
        self.name(node.outputs)
        for keyword, block in zip(
            (f"if {self.use(node.inputs[0])}:", "else:"), node.blocks, strict=True
        ):
            self.line(keyword, node)
            with self.indented():
                self.block(block, has_more=bool(node.outputs))
                self._assign(node.outputs, block.outputs, block.end)

    def _loop(self, node: Node) -> None:
        """A `for` where only the count ends the loop, a `while` where only the condition does.

        There are no others (`with_python_loops`).
        """
        body = node.blocks[0]
        self.name(node.outputs)
        for inner, output in zip(body.inputs[1:], node.outputs, strict=True):
            self.texts[inner] = self.names[output]
        for output, value in zip(node.outputs, node.inputs[2:], strict=True):
            self._assign_annotated(output, value, node)
        self.name(body.inputs[:1])
        counter = self.use(body.inputs[0])
        is_for = to_python(node.inputs[0]) != _MAX_INT
        if is_for:
            self.line(f"for {counter} in range({self.use(node.inputs[0])}):", node)
        else:
            self._assign(body.inputs[:1], node.inputs[1:2], node)
            self.line(f"while {counter}:", node)
        carried = body.inputs[1:] if is_for else body.inputs
        with self.indented():
            self.block(body, has_more=bool(carried))
            self._assign(carried, body.outputs[1:] if is_for else body.outputs, body.end)

    def _assign(self, targets: Sequence[Value], values: Sequence[Value], node: Node) -> None:
        """Assign in one statement; a target of Optional or Union type is annotated the first time.

        Python has no annotations in assignments to several targets.
        """
        if not targets:
            return
        annotation = ""
        first = targets[0]
        if len(targets) == 1 and _is_union(first) and first not in self.texts:
            if first not in self.annotated:
                annotation = f" : {self.type(first.type)}"
            self.annotated.add(first)
        self.line(f"{self.uses(targets)}{annotation} = {self.uses(values)}", node)

    def _assign_annotated(self, target: Value, value: Value, node: Node) -> None:
        annotation = ""
        if self._needs_annotation(target, value):
            annotation = f": {self.type(target.type)}"
        self.line(f"{self.use(target)}{annotation} = {self.use(value)}", node)

    def _needs_annotation(self, target: Value, value: Value) -> bool:
        if not _is_union(target):
            return target.type != value.type
        is_new = target not in self.annotated
        self.annotated.add(target)
        return is_new

    def _unpack(self, node: Node) -> None:
        """The comma before `=` makes it an unpacking also where there is one target."""
        self.name(node.outputs)
        targets = f"{self.uses(node.outputs)}, = " if node.outputs else ""
        self.line(targets + self.use(node.input), node)

    def _set_attribute(self, node: Node) -> None:
        owner, value = map(self.use, node.inputs)
        self.line(f"{owner}.{node['name']} = {value}", node)

    def _enter(self, node: Node) -> None:
        text = f"with {self.use(node.inputs[0])}"
        if node.output.uses:
            self.name(node.outputs)
            text += f" as {self.use(node.output)}"
        self.line(f"{text}:", node)
        self.level += 1

    def _exit(self, node: Node) -> None:
        if node.prev.kind == "prim::Enter":
            self.line("pass")
        self.level -= 1

    def _fork(self, node: Node) -> None:
        """Print the forked graph as a nested function that reads variables of the outer one."""
        form, function = _FORKS[node.kind]
        name = self.table.fresh(function)
        self.line(f"def {name}():")
        inner = with_python_loops(node["Subgraph"])
        for parameter, value in zip(inner.inputs, node.inputs, strict=True):
            self.names[parameter] = self.use(value)
        self.body(inner.block)
        self._define(node, f"{form}({name})")

    def _container_index(self, node: Node) -> None:
        container, key = map(self.use, node.inputs)
        self.name(node.outputs)
        annotation = self.type(node.output.type)
        self.line(f"{self.use(node.output)} : {annotation} = {container}[{key}]", node)


_STATEMENTS: dict[str, Callable[[_CodePrinter, Node], None]] = {
    "prim::If": _CodePrinter._if,
    "prim::Loop": _CodePrinter._loop,
    "prim::TupleUnpack": _CodePrinter._unpack,
    "prim::ListUnpack": _CodePrinter._unpack,
    "prim::SetAttr": _CodePrinter._set_attribute,
    "prim::Enter": _CodePrinter._enter,
    "prim::Exit": _CodePrinter._exit,
    "prim::fork": _CodePrinter._fork,
    "prim::awaitable": _CodePrinter._fork,
    "prim::ModuleContainerIndex": _CodePrinter._container_index,
}


def _is_union(value: Value) -> bool:
    return isinstance(value.type, (t.OptionalType, t.UnionType))
