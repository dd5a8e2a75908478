"""A graph as one C function.

    def total(n: int) -> int:            int32_t total(int64_t n, mts_value *out)
        s = 0                            {
        for i in range(n):                   int64_t s = 0;
            s += i * i                       for (int64_t i = 0; i < n; i++) {
        return s                                 s = s + i * i;
                                             }
                                             out[0].i = s;
                                             return 0;
                                         }

The function returns 0, the number of the site where the program raises (`sites.py`), or
`MTS_NO_MEMORY`; `out` has the results then, or what the site tells. Every line of the program
stands before its statements.

Where there are lists, `pool` links all that a call has made: the caller ends them, by the second
function of the text, once it has read the results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import Any

import torch

from minits.codegen.uses import is_used
from minits.ir.constants import has_containers, to_python
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node, Value
from minits.ir.walks import types_in
from minits.native import texts
from minits.native.attributes import Attributes, take_attributes
from minits.native.awaits import begin_awaits
from minits.native.blocks import BlockPrinter
from minits.native.c_types import (
    HELD,
    ElementType,
    NotNative,
    c_type,
    has_tensors,
    holds_object,
    is_number,
    is_plain,
    is_tagged,
    literal,
    node_of,
)
from minits.native.callees import PRINT, Callee
from minits.native.complex_numbers import box_complex_items
from minits.native.decompositions import decompose, records_otherwise
from minits.native.dynamic_numbers import box_numbers
from minits.native.elements import Kind
from minits.native.enums import number_of
from minits.native.function_body import FunctionBody
from minits.native.grad_modes import set_grad_modes
from minits.native.known_modules import KnownModules
from minits.native.lengths import fold_lengths
from minits.native.lifting import Lifted, lift_constants
from minits.native.managers import place_exits
from minits.native.methods import with_methods
from minits.native.named_tuples import check_names
from minits.native.names import Names, unique
from minits.native.optional_numbers import BOX, make_boxes
from minits.native.outlining import outline_calls
from minits.native.parameters import parameters_of
from minits.native.prelude import prelude
from minits.native.questions import ask_python
from minits.native.shortcuts import NEGATING, may_take
from minits.native.tags import Tags, make_tags
from minits.native.tasks import begin_tasks
from minits.native.tensor_calls import asks_torch
from minits.passes.fusion.fuse import groups_of
from minits.passes.pipeline import run_pipeline
from minits.types import types as t

_CONTAINERS = (t.ListType, t.DictType)
_OBJECTS = (torch.Generator, torch.Stream)
"""The classes of constants that are Python's objects."""


class FunctionPrinter(FunctionBody):
    """Prints one function.

    `graph` is a copy of the one given, whose blocks have the elements of tuples.
    """

    def __init__(
        self,
        graph: Graph,
        name: str,
        kinds: Sequence[Kind | None] = (),
        is_part: bool = False,
        call: Sequence[Any] | None = None,
        outlines: bool = True,
    ) -> None:
        has_handles = not kinds and not is_part
        self.modules = modules = KnownModules(call or ())
        self._given = graph = with_methods(graph, modules) if has_handles else graph
        modules.call = ()  # which would live as long as the plan
        graph = clone_graph(graph)
        self.groups = groups_of(graph)
        """The fused groups, by the numbers of those that the plan's function calls."""
        if _carries_tuples(graph):
            run_pipeline(graph, "native")
        if has_handles and not self.groups:
            place_exits(graph)
        self.has_tasks = has_handles and begin_tasks(graph)
        if has_handles:
            begin_awaits(graph)
        questions = ask_python(graph) if has_handles else []
        self.attributes = Attributes() if is_part else take_attributes(graph)
        self._types: dict[Value, t.Type] = {}
        """By value: its type in the program, where it has another one in C."""
        self.records_otherwise = False
        """Whether gradients are others than those of the program, which then is to be Python."""
        tags = self._convert(graph, has_handles)
        self.sets_grad_mode = bool(graph.nodes_of_kind("aten::set_grad_enabled"))
        """Whether the mode is to be set back where the program raises."""
        self.lifted = lift_constants(graph) if has_handles else []
        super().__init__(graph, tags, has_handles)
        self.questions = questions
        self.takes_shortcuts = has_handles and may_take(graph, bool(questions))
        self._outlines = outlines
        self.callees: list[Callee] = []
        given = zip(graph.inputs, kinds, strict=False)
        self.kinds = {value: kind for value, kind in given if kind is not None}
        self.name = self.names.new(name)
        first = self.attributes.first.values()
        self.inputs = [value for value in graph.inputs if is_used(value) or value in first]
        lists = [each for each in self.inputs if isinstance(each.type, _CONTAINERS)]
        self.shared = [each for each in lists if is_part or each in self.attributes.read]
        """Lists and dicts of the caller, which sees them written to: the first slots of `out`.

        So is the object whose attributes are those that are set.
        """
        if self.attributes.state is not None:
            self.shared.append(self.attributes.state)
        self._handles: list[str] = []
        """The parameters of tensors that are within constants."""
        self._texts: dict[str, str] = {}
        """The names of the strs that are constants."""

    def _convert(self, graph: Graph, has_handles: bool) -> Tags:
        """Make operators those that C has, and nodes of the conversions between values in C.

        A graph of plain values has no conversions. Raises `NotNative`.
        """
        tags = Tags()
        converts = not all(map(is_plain, types_in(graph.block)))
        if converts and has_handles:
            make_tags(graph, tags)
        fold_lengths(graph)
        if converts:
            self._types = box_complex_items(graph)
            make_boxes(graph)
        if has_handles:
            set_grad_modes(graph)
            self.records_otherwise = records_otherwise(graph)
            decompose(graph)
            if converts:
                box_numbers(graph)
        return tags

    @property
    def written(self) -> list[Value]:
        """The inputs that are tensors and may be written to, known once it is printed."""
        return [value for value in self.kinds if self.names.of(value) in self.elements.written]

    @property
    def graphs(self) -> list[Graph]:
        """The graph, and those of the functions that it calls."""
        return [self.graph, *(callee.graph for callee in self.callees)]

    @property
    def results(self) -> list[Value]:
        """The values of which results are made."""
        return [*_leaves(self.graph.outputs)]

    @cached_property
    def is_of_tensors(self) -> bool:
        """Return whether operators of torch are called, known once it is printed."""
        nodes = [node for graph in self.graphs for node in graph.all_nodes()]
        made = [value for node in nodes for value in node.outputs]
        return self.has_handles and (
            any(has_tensors(value.type) for value in (*self.graph.inputs, *made))
            or any(map(asks_torch, nodes))
        )

    @property
    def makes_negative_bits(self) -> bool:
        """Return whether tensors may stand for the negatives of what their memory has."""
        return any(graph.nodes_of_kind(*NEGATING) for graph in self.graphs)

    @property
    def views(self) -> list[int]:
        """The outputs that are numbers, and to the program views of tensors or tensors it has."""
        outputs = enumerate(self.graph.outputs)
        return [index for index, value in outputs if value in self.elements.aliases]

    @property
    def gives_elements(self) -> bool:
        """Return whether an output is a tensor to the program."""
        return any(isinstance(value.type, ElementType) for value in self.results)

    @property
    def end(self) -> str:
        """The name of the function that ends all lists of a call."""
        return f"{self.name}_end"

    def text(self) -> str:
        """Return the whole C text: the function, after what it needs. Raises `NotNative`."""
        check_names(self._given)
        if not self.has_handles:
            self._check_tensors()
        self._outline()
        body = BlockPrinter(self, depth=1)
        told = [self._parameters(value, body) for value in self.inputs]
        for slot, value in enumerate(self.shared):
            body.line(f"out[{slot}].list = {self.names.of(value)};")
        if self.attributes.state is not None:
            state = self.names.of(self.attributes.state)
            for number, value in self.attributes.first.items():
                body.line(f"mts_put_list({state}, {number}, {self.names.of(value)});")
        body.block(self.graph.block)
        if not body.raised:
            self.has_lists |= any(c_type(value) is HELD for value in self.results)  # or None
            for number, value in enumerate(self.results, len(self.shared)):
                body.line(f"out[{number}].{c_type(value).slot} = {body.read(value)};")
            body.line("return 0;")
        self._check_shared()
        if not self.has_handles:
            self._check_numbers()
        for value in self.results:
            if self.may_hold_object(value.type):  # of Python, which C does not make
                raise NotNative(node_of(value), value.type.annotation)
        if self.elements.has_snapshots and self.elements.written:
            raise NotNative(self.graph.block.end, "Tensor")
        parameters = [each for parameters in told for each in parameters()] + self._handles
        if self.has_lists:
            parameters.append("mts_list **pool")
        if self.prints:
            parameters.append(PRINT)
        if self.asks:
            parameters += ["mts_asking ask", "void *asker"]
        if self.calls_groups:
            parameters.append("mts_group *const *groups")
        head = f"int32_t {self.name}({', '.join([*parameters, 'mts_value *out'])})"
        lines = [head, "{", *body.lines, "}", ""]
        if self.has_lists:
            lines += ["", f"void {self.end}(mts_list **pool)", "{", "    mts_free_all(pool);", "}"]
        text = "\n".join([*texts.definitions(self._texts), *self.definitions, *lines, ""])
        return f"{prelude(text)}\n\n{text}"

    def _outline(self) -> None:
        """Let what is inlined several times be functions."""
        if not self.has_handles or not self._outlines:
            return
        taken = {self.name, self.end}

        def new_name(wanted: str) -> str:
            taken.add(name := unique(Names().new(wanted), taken))
            return name

        outline_calls([self], new_name, opens=False)
        self.keep_names_of_callees()

    def _check_tensors(self) -> None:
        """Check that nothing holds tensors, and nothing is tagged. Raises `NotNative`."""
        for node in self.graph.all_nodes():
            for value in (*node.inputs, *node.outputs):
                holds_some = has_tensors(value.type) and value.type != t.TENSOR
                if holds_some or is_tagged(value.type):
                    raise NotNative(node, value.type.annotation)

    def _check_numbers(self) -> None:
        """Check that the types of all numbers are known. Raises `NotNative`."""
        for node in self.graph.all_nodes():
            for value in (*node.inputs, *node.outputs):
                if is_number(value.type):
                    raise NotNative(node, value.type.annotation)

    def _check_shared(self) -> None:
        """Check that no list in a list of the caller is written to, or given out.

        It would be another one than the caller's. Raises `NotNative`.
        """
        gives = any(c_type(value) is HELD for value in self.results)
        for value in self.shared if gives or self.writes_lists else ():
            type = value.type
            inner = type.value if isinstance(type, t.DictType) else getattr(type, "element", t.INT)
            if isinstance(inner, (t.ListType, t.DictType)):
                raise NotNative(node_of(value), type.annotation)

    def constant_tensor(self, content: torch.Tensor) -> str:
        """Return the expression of a new tensor, which is a constant of the program."""
        value = self.graph.add_input("constant", t.TENSOR)
        self.lifted.append(Lifted(value, content))
        self.inputs.append(value)
        handle = self.names.new("constant_handle")
        self._handles.append(f"void *{handle}")
        return f"mts_tensor_given(pool, {handle})"

    def _constant_object(self, content: torch.Generator | torch.Stream) -> str:
        """Return the parameter that has the address of an object, which Python keeps."""
        type = t.GENERATOR if isinstance(content, torch.Generator) else t.STREAM
        if not self.has_python:
            raise NotNative(self.graph.block.end, type.annotation)
        value = self.graph.add_input("constant", type)
        self.lifted.append(Lifted(value, content))
        self.inputs.append(value)
        self._handles.append(f"int64_t {self.names.of(value)}")
        return self.names.of(value)

    def number_of_group(self, node: Node) -> int:
        """Return the number of a fused group, which the function calls."""
        self.has_lists = self.calls_groups = True
        return self.groups.index(node)

    def literal(self, content: Any) -> str:
        """Return the text of a constant number, str, object of Python, member of an enum or None.

        Raises `NotNative` for an object where there is no Python.
        """
        if isinstance(content, Enum):
            return str(number_of(content))
        if isinstance(content, str):
            return self._constant_text(content)
        if not isinstance(content, (int, float)) and isinstance(content, _OBJECTS):
            return self._constant_object(content)
        return literal(content)

    def _constant_text(self, content: str) -> str:
        self.has_lists = True  # for who reads results
        if content not in self._texts:
            number = len(self._texts)
            # no variable of a callee hides it, which has names of its own
            name = f"mts_constant_{number}" if self.callees else self.names.new("text")
            self._texts[content] = name
        return self._texts[content]

    def retype(self, value: Value, type: t.Type) -> None:
        """Give a value the type that it has in C."""
        self._types.setdefault(value, value.type)
        value.type = type

    def note_copies(self, copies: Mapping[Value, Value]) -> None:
        for value, copy in copies.items():
            if value in self._types:
                self._types[copy] = self._types[value]

    def restore_types(self) -> None:
        """Give all values the types that they have in the program."""
        for value, type in self._types.items():
            value.type = type
        for node in [node for graph in self.graphs for node in graph.nodes_of_kind(BOX)]:
            users = [use.user for use in node.output.uses]
            if node.input.type == t.COMPLEX and any(x.inputs[0] in self._types for x in users):
                node.output.type = t.COMPLEX  # an item of a list of complex numbers

    def _parameters(self, value: Value, body: BlockPrinter) -> Callable[[], list[str]]:
        """Return a function that tells the parameters of an input, once all else is printed.

        A list is made of its items, in the function.
        """
        kind = self.kinds.get(value)
        if kind is not None:
            return self.elements.take(value, kind)
        texts = self._plain_parameters(value, body)
        return lambda: texts

    def _plain_parameters(self, value: Value, body: BlockPrinter) -> list[str]:
        if holds_object(value.type) and value is not self.attributes.state:  # it is Python's
            raise NotNative(node_of(value), value.type.annotation)
        return parameters_of(body, value)


def printed(
    graph: Graph,
    name: str,
    kinds: Sequence[Kind | None] = (),
    is_part: bool = False,
    call: Sequence[Any] | None = None,
) -> tuple[FunctionPrinter, str]:
    """Return the C text of a function, after its printer. Raises `NotNative`.

    Where it is not C with functions that it calls, it is tried without.
    """
    printer = FunctionPrinter(graph, name, kinds, is_part, call)
    try:
        return printer, printer.text()
    except NotNative:
        if not printer.callees:
            raise
    printer = FunctionPrinter(graph, name, kinds, is_part, call, outlines=False)
    return printer, printer.text()


def _carries_tuples(graph: Graph) -> bool:
    """Return whether tuples go out of blocks, so that there is something for the pipeline."""
    nodes = graph.nodes_of_kind("prim::If", "prim::Loop")
    return any(isinstance(value.type, t.TupleType) for node in nodes for value in node.outputs)


def _leaves(values: Iterable[Value]) -> Iterable[Value]:
    """Yield the values of which results are made: the items of plain tuples in their place.

    Python has the tuples that are constants, and None; those of lists and dicts are made anew.
    """
    for value in values:
        content = to_python(value)
        if isinstance(content, tuple) and not has_containers(content):
            continue
        if value.node.kind == "prim::TupleConstruct":
            yield from _leaves(value.node.inputs)
        elif value.type != t.NONE:
            yield value
