"""The graph of a method that is frozen: a copy with all calls inlined, those in forks included.

    %y : Tensor = prim::CallMethod[name="forward"](%block, %x)       becomes the block's nodes

A call of a submodule of which only the interface is known is replaced by the body of the module
that is there. The attribute may not be assigned, then.

Source: torch/csrc/jit/passes/freeze_module.cpp (`optimizeSubGraphs`, `inlineInterfaceCalls`).
"""

from __future__ import annotations

from minits.diagnostics import error
from minits.freezing.kept_attributes import KeptAttributes
from minits.freezing.modules_in_graphs import ModulePath, ModulesInGraph
from minits.frontend.values.function import CompiledFunction
from minits.ir.copying import clone_graph
from minits.ir.graph import Node
from minits.ir.trace_notes import forget_seen_tensors
from minits.ops.implementations.instances import slot_of
from minits.ops.properties import FORKS
from minits.passes.preoptimize import Preoptimizer
from minits.runtime.script_module import ScriptModule
from minits.source import SourceRange
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.users_objects import known_info


class MethodInliner:
    """Inlines the methods of one module. Inlined graphs of callees are kept for their next call."""

    def __init__(self, module: ScriptModule, kept: KeptAttributes) -> None:
        self.module = module
        self.kept = kept
        self.calls = Preoptimizer()
        self.loc: SourceRange
        """The source range of the method that is being inlined."""

    def inlined(self, method: CompiledFunction) -> ModulesInGraph:
        """Return the inlined copy of a method's graph. Raises `CompileError` (TS835)."""
        self.loc = origin(method.definition)
        copy = clone_graph(method.graph)
        known = ModulesInGraph(copy, {copy.inputs[0]: ModulePath(self.module)}, self.kept)
        self._inline(known)
        return known

    def _inline(self, known: ModulesInGraph) -> None:
        self.calls.visit(known.graph.block)
        self._inline_interfaces(known)
        forget_seen_tensors(known.graph)
        for node in known.graph.nodes_of_kind(*FORKS):
            node.set_attr("Subgraph", "g", clone_graph(node["Subgraph"]))
            self._inline(known.forked(node))

    def _inline_interfaces(self, known: ModulesInGraph) -> None:
        for node in known.graph.all_nodes():
            if node.kind == "prim::GetAttr" and t.is_interface(node.output.type):
                self._inline_interface(known, node)
            elif node.kind == "prim::SetAttr":
                _refuse_exchange(node, self.loc)

    def _inline_interface(self, known: ModulesInGraph, read: Node) -> None:
        owner = known.constant_owner(read)
        held = None if owner is None else slot_of(owner.module, read["name"])
        if not isinstance(held, ScriptModule):
            return
        type: t.ClassType = known_info(held).type
        calls = [use.user for use in read.output.uses if use.user.kind == "prim::CallMethod"]
        for call in calls:
            self.calls.inline(call, type.methods[call["name"]])
        read.output.set_type(type)


def _refuse_exchange(node: Node, method: SourceRange) -> None:
    """Raise `CompileError` (TS835) for an assignment to a submodule known by its interface."""
    owner, name = node.inputs[0].type, node["name"]
    declared = owner.attributes.get(name) if isinstance(owner, t.ClassType) else None
    if declared is not None and t.is_interface(declared.type) and declared.type.is_module:
        raise error(
            node.callstack[-1][1] if node.callstack else method,
            "TS835",
            f"Freezing does not support SetAttr on an interface type: '{name}' is assigned while "
            "the program runs, so that calls of it have no one body to be replaced by",
            fix="keep both modules as submodules, and choose one of them by an if",
        )
