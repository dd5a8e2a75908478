"""minits' graphs and modules as torch's C++ objects show theirs: `graph.inputs()`, `module._c`.

A view holds the object of minits and nothing else: what is asked of it is read from that object,
and what is changed through it is changed there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch

import minits
from conformance.upstream.adapter.missing import missing
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.copying import clone_graph
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.printer import print_graph
from minits.runtime.script import ScriptFunction
from minits.runtime.script_module import ScriptModule
from minits.types.types import Type
from minits.users_objects import known_info


class View:
    """Shows one object of minits. Two views of one object are equal."""

    def __init__(self, shown: Any) -> None:
        self.shown = shown

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.shown is other.shown

    def __hash__(self) -> int:
        return id(self.shown)

    def __str__(self) -> str:
        return str(self.shown)

    __repr__ = __str__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return missing(f"{type(self).__name__.removesuffix('View')}.{name}")()


class BlockView(View):
    """`torch._C.Block`, and what a graph has of it."""

    shown: Graph | Block

    def inputs(self) -> Iterator[ValueView]:
        return map(ValueView, list(self.shown.inputs))

    def outputs(self) -> Iterator[ValueView]:
        return map(ValueView, list(self.shown.outputs))

    def nodes(self) -> Iterator[NodeView]:
        return map(NodeView, list(self.shown.nodes))

    def findNode(self, kind: str, recurse: bool = True) -> NodeView | None:
        return next(iter(self.findAllNodes(kind, recurse)), None)

    def findAllNodes(self, kind: str, recurse: bool = True) -> list[NodeView]:
        return [NodeView(node) for node in _nodes(self.shown, recurse) if node.kind == kind]


def _nodes(block: Graph | Block, recurse: bool) -> Iterator[Node]:
    for node in block.nodes:
        yield node
        for inner in node.blocks if recurse else ():
            yield from _nodes(inner, recurse)


class GraphView(BlockView):
    """`torch._C.Graph`."""

    shown: Graph

    def str(self, print_source_ranges: bool = True) -> str:
        return print_graph(self.shown, ranges=print_source_ranges)

    def permuteInputs(self, order: list[int]) -> None:
        inputs = self.shown.inputs
        inputs[:] = [inputs[index] for index in order]
        for index, value in enumerate(inputs):
            value.index = index

    def copy(self) -> GraphView:
        return GraphView(clone_graph(self.shown))


class NodeView(View):
    """`torch._C.Node`."""

    shown: Node

    def kind(self) -> str:
        return self.shown.kind

    def inputs(self) -> Iterator[ValueView]:
        return map(ValueView, list(self.shown.inputs))

    def outputs(self) -> Iterator[ValueView]:
        return map(ValueView, list(self.shown.outputs))

    def input(self) -> ValueView:
        return ValueView(self.shown.input)

    def output(self) -> ValueView:
        return ValueView(self.shown.output)

    def inputsAt(self, index: int) -> ValueView:
        return ValueView(self.shown.inputs[index])

    def outputsAt(self, index: int) -> ValueView:
        return ValueView(self.shown.outputs[index])

    def inputsSize(self) -> int:
        return len(self.shown.inputs)

    def outputsSize(self) -> int:
        return len(self.shown.outputs)

    def blocks(self) -> Iterator[BlockView]:
        return map(BlockView, self.shown.blocks)

    def attributeNames(self) -> list[str]:
        return list(self.shown.attributes)

    def hasAttribute(self, name: str) -> bool:
        return name in self.shown.attributes

    def g(self, name: str) -> GraphView:
        return GraphView(self.shown[name])

    def _attribute(self, name: str) -> Any:
        return self.shown[name]

    i = f = s = t = ival = _attribute

    def isBefore(self, other: NodeView) -> bool:
        return self.shown.is_before(other.shown)

    def isAfter(self, other: NodeView) -> bool:
        return other.shown.is_before(self.shown)


class ValueView(View):
    """`torch._C.Value`."""

    shown: Value

    def type(self) -> Type:
        return self.shown.type

    def debugName(self) -> str:
        return self.shown.name

    def setDebugName(self, name: str) -> ValueView:
        return ValueView(self.shown.set_name(name))

    def node(self) -> NodeView:
        return NodeView(self.shown.node)

    def unique(self) -> int:
        return self.shown.unique

    def uses(self) -> list[UseView]:
        return [UseView(use) for use in self.shown.uses]

    def toIValue(self) -> Any:
        found = to_python(self.shown)
        return None if found is NOT_CONSTANT else found


class UseView(View):
    """`torch._C.Use`."""

    @property
    def user(self) -> NodeView:
        return NodeView(self.shown.user)

    @property
    def offset(self) -> int:
        return int(self.shown.offset)

    def isAfter(self, other: UseView) -> bool:
        return other.shown.user.is_before(self.shown.user)


class ModuleView(View):
    """`torch._C.ScriptModule`, which torch's modules hold as `_c`."""

    shown: ScriptModule

    def hasattr(self, name: str) -> bool:
        return name in known_info(self.shown).type.attributes

    @property
    def qualified_name(self) -> str:
        return str(known_info(self.shown).type.name)

    def _type(self) -> Type:
        return known_info(self.shown).type  # type: ignore[no-any-return]

    def _method_names(self) -> list[str]:
        return list(known_info(self.shown).type.methods)

    def _has_method(self, name: str) -> bool:
        return name in known_info(self.shown).type.methods

    def _get_method(self, name: str) -> Any:
        return self.shown.compile_method(name)

    def getattr(self, name: str) -> Any:
        return getattr(self, name)

    def __getattr__(self, name: str) -> Any:
        type = known_info(self.shown).type
        if name.startswith("__") or name not in (*type.attributes, *type.methods):
            where = f"{type.name} (of minits)"
            raise AttributeError(f"{where} does not have a field with name '{name}'")
        found = getattr(self.shown, name)
        return ModuleView(found) if isinstance(found, ScriptModule) else found

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "shown":
            super().__setattr__(name, value)
        else:
            setattr(self.shown, name, value)


class _ViewOfModule:
    """`module._c`. No property: those of a class are compiled."""

    def __get__(self, module: Any, cls: type) -> Any:
        return self if module is None else ModuleView(module)


_views: dict[int, GraphView] = {}
"""The views of graphs, which they hold, by the graphs' ids: a graph has one view."""


def view_of(graph: Any) -> Any:
    """Return a graph of minits as torch's would show itself."""
    if not isinstance(graph, Graph):
        return graph
    return _views.setdefault(id(graph), GraphView(graph))


def graph_of(graph: Any) -> Any:
    """Return the graph of minits that a view shows."""
    return graph.shown if isinstance(graph, View) else graph


def module_of(module: Any) -> Any:
    """Return the module that a view shows; anything else as it is."""
    return module.shown if isinstance(module, ModuleView) else module


def install_views() -> None:
    """Make compiled functions and modules show test files their graphs, and modules have a `_c`."""
    for cls in (ScriptFunction, ScriptModule):
        for name in ("graph", "inlined_graph"):
            setattr(cls, name, property(_shown_to_tests(vars(cls)[name].__get__)))
        cls.graph_for = _shown_to_tests(cls.graph_for)  # type: ignore[method-assign]
    ScriptModule._c = _ViewOfModule()
    torch._C._freeze_module = _freeze_module
    torch.jit.save = _save


def _shown_to_tests(find: Callable[..., Graph]) -> Callable[..., Any]:
    """Return a function whose graph is a view, unless minits itself asks for it."""

    def find_view(*args: Any, **kwargs: Any) -> Any:
        caller = sys._getframe(1).f_globals.get("__name__", "")
        graph = find(*args, **kwargs)
        return graph if caller.startswith("minits.") else view_of(graph)

    return find_view


def _freeze_module(
    module: Any,
    preservedAttrs: Any = (),
    freezeInterfaces: bool = True,
    preserveParameters: bool = False,
) -> ModuleView:
    """`torch._C._freeze_module`: `freeze` without optimisations, in training mode too."""
    from minits.freezing.freeze import freeze_attributes

    if not freezeInterfaces or preserveParameters:
        missing("torch._C._freeze_module with preserveParameters")()
    return ModuleView(freeze_attributes(module.shown, list(preservedAttrs)))


def _save(m: Any, f: Any, _extra_files: Any = None) -> None:
    """`torch.jit.save`, of a view too."""
    minits.save(module_of(m), f, _extra_files)
