"""Calls of methods, inlined where the class is known, and those of context managers.

    def measure(shape: Shape) -> int:       %n : int = prim::CallMethod[name="area"](%square)
        return shape.area()
    measure(Square(3))                      here it is a Square, so that `area` is inlined, too

Enter and Exit call methods as well; they stay, for managers.py.
"""

from __future__ import annotations

from minits.ir.constants import make_constant
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node, Value
from minits.native.alternatives import Alternatives
from minits.native.grad_modes import is_grad_mode
from minits.native.known_modules import KnownModules
from minits.native.questions import is_manager_of_python
from minits.passes.fusion.fuse import groups_of
from minits.passes.inlining import called_function
from minits.passes.pipeline import run_pipeline
from minits.types import types as t

_DEEPEST = 16
"""Rounds in which calls are inlined: interfaces in objects of interfaces may have no end."""
_CALLS = {"prim::Enter": "__enter__", "prim::Exit": "__exit__"}


def with_methods(graph: Graph, modules: KnownModules) -> Graph:
    """Return a graph without calls of methods that are known, or itself if it has none.

    Raises `NotNative`.
    """
    if modules.call and graph.nodes_of_kind("prim::CallMethod"):
        graph = clone_graph(graph)
        modules.look(graph)
    has_some = _known_calls(graph) or _managers(graph) or Alternatives(graph).find()
    if groups_of(graph) or not has_some:
        return graph
    graph = clone_graph(graph)
    last = None
    for node in list(graph.all_nodes()):
        if node.kind in _CALLS and is_manager(node.inputs[0].type):
            _add_call(graph, node, last)
        elif node.range is not None:
            last = node
    alternatives = Alternatives(graph)
    for _ in range(_DEEPEST):
        for node in alternatives.find():
            alternatives.split(node)
        if not _known_calls(graph):
            break
        run_pipeline(graph, "optimize")
        modules.look(graph)
    alternatives.check()
    return graph


def call_of_exit(node: Node) -> Graph:
    """Return the graph of the call of `__exit__` for which an Exit stands, of a manager."""
    graph = Graph()
    manager = graph.add_input("manager", node.inputs[0].type)
    call = _insert_call(graph, "__exit__", manager, t.NONE, graph.block.end)
    call.range, call.callstack = node.range, node.callstack
    return with_methods(graph, KnownModules(()))


def is_manager(type: t.Type) -> bool:
    """Return whether a type is a script class whose methods C has."""
    if not isinstance(type, t.ClassType) or is_grad_mode(type) or is_manager_of_python(type):
        return False
    return not (type.is_module or type.is_interface or type.is_bound)


def _known_calls(graph: Graph) -> list[Node]:
    calls = graph.nodes_of_kind("prim::CallMethod")
    return [node for node in calls if called_function(node) is not None]


def _managers(graph: Graph) -> list[Node]:
    """Return the nodes at which managers of script classes are entered and left."""
    return [node for node in graph.nodes_of_kind(*_CALLS) if is_manager(node.inputs[0].type)]


def _add_call(graph: Graph, node: Node, last: Node | None) -> None:
    """Call the method for which an Enter or Exit stands, after it: at the line of the last node
    before it that has one, as these have none."""
    type, depth = node.output.type, len(node.callstack)
    if last is not None:
        node.range = last.range if len(last.callstack) <= depth else last.callstack[depth][1]
    call = _insert_call(graph, _CALLS[node.kind], node.inputs[0], type, node.next)
    call.range, call.callstack = node.range, node.callstack
    node.output.replace_all_uses_with(call.output)


def _insert_call(graph: Graph, name: str, manager: Value, type: t.Type, before: Node) -> Node:
    values = [manager]
    if name == "__exit__":
        nothing = make_constant(graph, None).insert_before(before)
        values += 3 * [nothing.output]
    call = graph.create("prim::CallMethod", values, [type])
    call.set_attr("name", "s", name)
    return call.insert_before(before)
