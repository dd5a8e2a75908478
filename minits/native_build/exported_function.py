"""A function or method of a library: parameters that are lists as such, one result, its sites.

    int32_t edit_distance(mts_list *a, mts_list *b, mts_list **pool, mts_value *out)

The library makes the lists of an argument before the call (`c/boxes.c`), where a function that
Python calls makes them itself, of arrays. A tuple that is returned is one value, too.
"""

from __future__ import annotations

import re
from typing import Any

from minits.ir.constants import to_python
from minits.ir.graph import Node, Value
from minits.native import lists, tuples
from minits.native.blocks import BlockPrinter
from minits.native.c_types import HELD, STATE, NotNative, c_type, node_of
from minits.native.named_tuples import check_names
from minits.native.names import OF_C_LIBRARY, Names, unique
from minits.native.printer import FunctionPrinter
from minits.native.sites import Site
from minits.native.tasks import TASK
from minits.native_build.messages import expose_messages
from minits.native_build.programs import Exported
from minits.native_build.type_codes import TypeCodes
from minits.native_build.warnings_shown import show_warnings
from minits.native_build.weight_writes import writes_to_weights
from minits.records import dataclass, field
from minits.types import types as t


@dataclass(slots=True, eq=False)
class FileNames:
    """The names of one C file: of its functions, types, and the strs that are constants.

    functions: those that are taken; at first those of the library itself
    """

    functions: dict[str, None] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    types: TypeCodes = field(default_factory=TypeCodes)

    def function(self, wanted: str) -> str:
        """Return a name like the one wanted that no other function has."""
        base = f"v_{wanted}" if wanted in OF_C_LIBRARY else wanted
        name = unique(Names().new(base), self.functions)
        self.functions[name] = None
        return name

    def text(self, content: str) -> str:
        """Return the name of a constant; no variable of a program begins with `mts_`."""
        return self.texts.setdefault(content, f"mts_constant_{len(self.texts)}")


_DERIVATIVES = ("aten::grad", "aten::backward")
_CURE_OF_DERIVATIVES = (
    "torch's C interface has no derivatives: return what is differentiated, whose gradient the "
    "caller takes by torch::autograd::grad (a library records it), or write the formula"
)


class ExportedFunction(FunctionPrinter):
    """Prints a function of a library, without the helpers that it names."""

    has_python = False

    def __init__(self, program: Exported, file: FileNames) -> None:
        """Read a program. Raises `NotNative` for derivatives."""
        for node in program.graph.nodes_of_kind(*_DERIVATIVES):
            raise NotNative(node, node.kind, _CURE_OF_DERIVATIVES)
        graph = expose_messages(program.graph)
        self._warning_count = show_warnings(graph)
        super().__init__(graph, program.name)
        self.writes_to_weights = writes_to_weights(self.graph)
        first = self.graph.inputs[:1]
        self.has_state = any(getattr(value.type, "name", None) == STATE for value in first)
        self.name = file.function(self.name)
        self.parameters: list[str] = []
        self.result_code = "n"
        """The code of the result's type, known once it is printed."""
        self._file = file

    def own_text(self) -> str:
        """Return the function, after those that only it calls first. Raises `NotNative`."""
        check_names(self._given)
        for task in self.graph.nodes_of_kind(TASK):  # errors of tasks are raised by Python
            raise NotNative(task, task.kind)
        self.keep_names_of_callees()
        body = BlockPrinter(self, depth=1)
        if self._warning_count:
            body.line(f"bool mts_warned[{self._warning_count}] = {{0}};")
        self.parameters = [
            text for value in self.inputs for text in self._parameters(value, body)()
        ]
        body.block(self.graph.block)
        if not body.raised:
            self._give(body)
        self.has_lists = any(re.search(r"\bpool\b", line) for line in body.lines)
        parameters = [*self.parameters, *(["mts_list **pool"] if self.has_lists else [])]
        head = f"static int32_t {self.name}({', '.join([*parameters, 'mts_value *out'])})"
        return "\n".join([*self.definitions, head, "{", *body.lines, "}"])

    def call_text(self) -> str:
        """Return the expression of a call, of `state`, `arguments`, `pool` and `out`."""
        given = [
            "state" if index < 0 else f"arguments[{index}].{c_type(value).slot}"
            for index, value in enumerate(self.graph.inputs, -1 if self.has_state else 0)
            if value in self.inputs
        ]
        return f"{self.name}({', '.join([*given, *(['pool'] if self.has_lists else []), 'out'])})"

    def place_of(self, site: Site) -> Node | None:
        """Return the node that tells the line of a site: one without a range is where the one
        before it is."""
        if site.at is not None:
            return site.at
        found = None
        for node in self.graph.all_nodes():
            found = node if node.range is not None else found
            if node is site.node:
                break
        return found

    def literal(self, content: Any) -> str:
        if not isinstance(content, str):
            return super().literal(content)
        self.has_lists = True
        return self._file.text(content)

    def _plain_parameters(self, value: Value, body: BlockPrinter) -> list[str]:
        type = c_type(value)
        if type is HELD:
            self.has_lists = True  # it was made in the pool of the call
        return [type.of(self.names.of(value))]

    def _give(self, body: BlockPrinter) -> None:
        (output,) = self.graph.outputs
        self.result_code = self._file.types.of(output.type, node_of(output))
        body.line(f"out[0].{c_type(output).slot} = {self._whole(body, output)};")
        body.line("return 0;")

    def _whole(self, body: BlockPrinter, value: Value) -> str:
        """Return the expression of a result; a tuple is made here, as nothing before has it."""
        type, content = value.type, to_python(value)
        if not isinstance(type, t.TupleType):
            return body.read(value)
        if isinstance(content, tuple):
            name = self.names.new("result")
            lists.print_items(body, type, content, name)
            return name
        if value.node.kind != "prim::TupleConstruct" or tuples.is_held(value):
            return body.read(value)
        texts = [self._whole(body, item) for item in value.node.inputs]
        name = self.names.new("result")
        body.make_named(name, tuples.made(type, texts))
        return name
