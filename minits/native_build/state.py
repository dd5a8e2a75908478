"""The attributes of a module that a library keeps: the slots of one object.

Before:
    %layer : __torch__.Layer = prim::GetAttr[name="layer"](%self)
    %n : int = prim::GetAttr[name="count"](%layer)
After:
    %n : int = prim::GetAttr[name="layer.count"](%self)         %self : the type of the slots

To C, `self` is an object of a script class (`native/objects.py`), which the model has. Numbers and
strs that no method sets are constants of the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

import torch

from minits.ir.constants import insert_constant, to_python
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node, Value
from minits.native.c_types import STATE, NotNative
from minits.native.complex_numbers import BOXED, boxed
from minits.native_build.literals import any_literal, quoted
from minits.native_build.programs import Exported
from minits.native_build.safetensors import DTYPES, WeightsFile, weights_file
from minits.native_build.sharing import Path, shared_places, sharing_tables
from minits.native_build.tables import array
from minits.native_build.type_codes import TypeCodes
from minits.native_build.weight_lists import is_list_of_weights, read_items
from minits.native_build.weights import weight_tables
from minits.passes.pipeline import run_pipeline
from minits.records import dataclass, field, replace
from minits.types import types as t
from minits.types.type_parts import distinct_parts

_CURE_OF_HELD = (
    "let each tensor be an attribute of its own, such as a buffer: those in lists that methods "
    "write to, in dicts and in tuples are in no file of weights"
)
_CURE_OF_BOUND = (
    "torch's C interface has tensors only: build the module as it was before it was quantized, or "
    "keep its weights as tensors of int8, with their scales, and multiply by these"
)
_PLAIN_TYPES = (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer)


@dataclass(slots=True, eq=False)
class State:
    """The slots of a library, and its functions that read them.

    type: of the object whose attributes they are, by their paths in the module
    is_set: a function sets one
    """

    programs: list[Exported] = field(default_factory=list)
    type: t.ClassType = field(default_factory=lambda: t.ClassType(STATE))
    values: dict[str, Any] = field(default_factory=dict)
    is_set: bool = False
    modules: dict[int, tuple[Any, str]] = field(default_factory=dict)
    """By `id`: modules, and the path by which each is met first."""
    weights: dict[str, torch.Tensor] = field(default_factory=dict)
    """The tensors of slots, each once, by the first path."""

    @property
    def slots(self) -> dict[str, t.Attribute]:
        return self.type.attributes

    @property
    def has_containers(self) -> bool:
        """Return whether a slot has a list or a dict in it, to which functions may write."""
        return any(_holds_container(each.type) for each in self.slots.values())

    def weights_file(self) -> WeightsFile:
        """Return the content of the file of weights."""
        return weights_file(self.weights)

    def number_of_weight(self, path: str) -> int:
        """Return the number of the tensor of a slot, from 1 in the file's order; 0 for others."""
        value = self.values[path]
        names = [entry.name for entry in self.weights_file().entries]
        found = [names.index(name) + 1 for name, each in self.weights.items() if each is value]
        return found[0] if found else 0

    def shared_places(self) -> list[tuple[Path, Path]]:
        """Return the places of slots that have one list or dict."""
        return shared_places([self.values[path] for path in self.slots])

    def table_text(self, types: TypeCodes, embeds_weights: bool) -> str:
        """Return the tables of the slots, their values at first, and weights.

        Raises `NotNative`.
        """
        if not self.slots:
            return ""
        end = self.programs[0].graph.block.end
        rows, initial = [], []
        for number, (path, attribute) in enumerate(self.slots.items()):
            code = types.of(attribute.type, end)
            weight = self.number_of_weight(path)
            try:
                initial.append("{.kind = MTS_NONE}" if weight else any_literal(self.values[path]))
            except TypeError:
                raise NotNative(end, f"the attribute {path}", _CURE_OF_HELD) from None
            rows.append(f"{{{quoted(path)}, {quoted(code)}, &mts_initial[{number}], {weight}}}")
        lines = [*array("mts_any mts_initial", initial), *array("mts_slot mts_slots", rows)]
        lines += sharing_tables(self.shared_places())
        if self.weights:
            lines += weight_tables(self.weights_file(), embeds_weights)
        return "\n".join([*lines, ""])


def state_of(programs: Sequence[Exported]) -> State:
    """Return the attributes that functions read, with these functions reading slots.

    Raises `NotNative` where a module itself is used for more than its attributes.
    """
    state = State()
    copies = [replace(program, graph=clone_graph(program.graph)) for program in programs]
    methods = [program for program in copies if program.owner is not None]
    _fold_constants(state, methods)
    uses = _uses_in(state, methods)
    are_set = {path for _, node, path in uses if node.kind == "prim::SetAttr"}
    state.is_set = bool(are_set)
    for program, node, path in uses:
        _read_attribute(state, program, node, path, path in are_set)
    for program in methods:
        run_pipeline(program.graph, "optimize")
        program.graph.inputs[0].type = state.type
    for program in copies:
        _take_constants(state, program)
    state.programs = copies
    return state


def _fold_constants(state: State, methods: Sequence[Exported]) -> None:
    """Replace numbers and strs that no method sets, and drop the branches that they exclude."""
    uses = _uses_in(state, methods)
    are_set = {path for _, node, path in uses if node.kind == "prim::SetAttr"}
    for program, node, path in uses:
        value = attrgetter(path)(program.owner)
        if path not in are_set and isinstance(value, (bool, int, float, str, type(None))):
            _replace_by_constant(program.graph, node, value)
    for program in methods:
        run_pipeline(program.graph, "optimize")


def _read_attribute(state: State, program: Exported, node: Node, path: str, is_set: bool) -> None:
    """Let a node read or set a slot. Raises `NotNative`."""
    module, value = program.graph.inputs[0], attrgetter(path)(program.owner)
    read = node.output.type if node.kind == "prim::GetAttr" else None
    if isinstance(read, t.ClassType) and read.is_bound:
        raise NotNative(node, f"{path}, an object of C++,", _CURE_OF_BOUND)
    if not is_set and is_list_of_weights(value, node):
        items = read_items(program.graph, node, path, len(value))
        for item, tensor in zip(items, value, strict=True):
            _add_weight(state, item["name"], tensor, item)
            _read_slot(state, module, item, item["name"])
            state.values[item["name"]] = tensor
        return
    if isinstance(value, torch.Tensor):
        _add_weight(state, path, value, node)
        if not is_set:
            node.output.type = t.TENSOR
    _read_slot(state, module, node, path)
    state.values[path] = value


def _add_weight(state: State, path: str, tensor: torch.Tensor, node: Node) -> None:
    """Add a tensor to the weights. Raises `NotNative` for one that no file of them has."""
    is_plain = tensor.layout is torch.strided and tensor.dtype in DTYPES
    if not is_plain or type(tensor) not in _PLAIN_TYPES:
        cure = "let it be a dense tensor, of a dtype that files of safetensors have"
        raise NotNative(node, f"the tensor {path}", cure)
    if not any(each is tensor for each in state.weights.values()):
        state.weights[path] = tensor


def _take_constants(state: State, program: Exported) -> None:
    """Make slots of the constants of a program that are tensors.

    A function gets the object of the slots as its first input.
    """
    graph = program.graph
    for node in graph.nodes_of_kind("prim::Constant"):
        content = to_python(node.output)
        if not isinstance(content, torch.Tensor) or not node.output.uses:
            continue
        path = f"constant:{len(state.values)}"
        _add_weight(state, path, content, node)
        state.values[path] = content
        state.slots[path] = t.Attribute(path, t.TENSOR)
        if program.owner is None and not _has_state(graph, state):
            graph.block.param.insert_output(0, state.type)
        read = graph.create("prim::GetAttr", [graph.inputs[0]], [t.TENSOR])
        read.set_attr("name", "s", path).insert_before(node)
        read.range = node.range
        node.output.replace_all_uses_with(read.output)
        node.destroy()


def _has_state(graph: Graph, state: State) -> bool:
    """Return whether the first input of a function is the object of the slots."""
    return bool(graph.inputs) and graph.inputs[0].type is state.type


def _uses_in(state: State, methods: Sequence[Exported]) -> list[tuple[Exported, Node, str]]:
    return [
        (program, node, path)
        for program in methods
        for node, path in _uses(state, program.graph.inputs[0], program.owner, "")
    ]


def _uses(state: State, module: Value, owner: Any, prefix: str) -> Iterator[tuple[Node, str]]:
    """Yield the nodes that read or set attributes of a module and of those in it, with paths.

    A module that is met under two names has the path of the first.
    """
    _, prefix = state.modules.setdefault(id(owner), (owner, prefix))
    for use in [*module.uses]:
        node = use.user
        if node.kind not in ("prim::GetAttr", "prim::SetAttr") or use.offset != 0:
            raise NotNative(node, node.kind)
        path = f"{prefix}{node['name']}"
        if node.kind == "prim::GetAttr" and _is_module(node.output.type):
            yield from _uses(state, node.output, getattr(owner, node["name"]), f"{path}.")
        else:
            yield node, path


def _holds_container(type: t.Type) -> bool:
    is_container = isinstance(type, (t.ListType, t.DictType))
    return is_container or any(map(_holds_container, distinct_parts(type)))


def _is_module(type: t.Type) -> bool:
    return isinstance(type, t.ClassType) and type.is_module


def _replace_by_constant(graph: Graph, node: Node, value: Any) -> None:
    with graph.inserting_at(node):
        constant = insert_constant(graph, value, node.output.type, node.range)
    node.output.replace_all_uses_with(constant)
    node.destroy()


def _read_slot(state: State, module: Value, node: Node, path: str) -> None:
    """Let a node read or set a slot."""
    type = node.output.type if node.kind == "prim::GetAttr" else node.inputs[1].type
    owner = node.inputs[0].type
    if isinstance(owner, t.ClassType) and node["name"] in owner.attributes:
        type = owner.attributes[node["name"]].type
    state.slots.setdefault(path, t.Attribute(path, boxed(type)))
    node.set_input(0, module)
    node.set_attr("name", "s", path)
    if node.kind == "prim::GetAttr" and type == t.COMPLEX:
        _read_box(node)


def _read_box(node: Node) -> None:
    """Let a node read a box, whose complex number takes its place."""
    node.output.type = BOXED
    cast = node.owner.graph.create("prim::unchecked_cast", [node.output], [t.COMPLEX])
    cast.insert_before(node.next)
    node.output.replace_all_uses_with(cast.output)
    cast.set_input(0, node.output)
