"""Effects of nodes: attributes and items that running them may change.

An effect names an attribute by its name alone (`bias`, of whatever object: it may be the same
object under another name), and items by the type of the list or dict that has them. Calls of
compiled functions have the effects of the callee's graph; what is not known changes anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from minits.ir.graph import Node
from minits.ops.native_methods import BoundFunction
from minits.ops.properties import schema_of
from minits.types import types as t
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.function import CompiledFunction

Effect = str | Type
"""The name of an attribute that is assigned, or the type of a list or dict that is changed."""
Effects = frozenset[Effect]

ANYTHING: Effects = frozenset(("*",))
_NOTHING: Effects = frozenset()
_UNKNOWN = (
    "prim::PythonOp", "prim::IgnoredPythonOp", "prim::fork", "aten::wait", "prim::awaitable",
    "prim::awaitable_wait", "aten::backward",
    "prim::rpc_sync", "prim::rpc_async", "prim::rpc_remote",
)  # fmt: skip
"""Operators that run Python, or a forked function."""
_HARMLESS = frozenset(
    "prim::Constant prim::GetAttr prim::Load prim::Store prim::If prim::Loop prim::Uninitialized "
    "prim::TupleConstruct prim::TupleUnpack prim::TupleIndex prim::TupleSlice prim::ListConstruct "
    "prim::ListUnpack prim::DictConstruct prim::unchecked_cast prim::isinstance prim::Print "
    "prim::CreateObject prim::RaiseException prim::ReturnStmt prim::BreakStmt prim::ContinueStmt "
    "prim::EmptyListLiteral prim::ComprehensionScope prim::ListComprehension prim::Closure "
    "prim::forkClosure prim::awaitableClosure prim::EnumName prim::EnumValue "
    "prim::ModuleContainerIndex".split()
)


def effects_of(nodes: Iterable[Node]) -> Effects:
    """Return the effects of the nodes. Nodes in their blocks are not included."""
    return _NOTHING.union(*map(_effects_of_node, nodes))


def is_changed_by(parts: Effects, effects: Effects) -> bool:
    """Return whether one of the effects is on one of these attributes and items."""
    return bool(parts) and (effects >= ANYTHING or not parts.isdisjoint(effects))


def _effects_of_node(node: Node) -> Effects:
    if node.kind in _HARMLESS:
        return _NOTHING
    if node.kind == "prim::SetAttr":
        return frozenset((node["name"],))
    callees = _callees(node)
    if callees is not None:
        return _NOTHING.union(*map(_effects_of_function, callees))
    return _effects_of_operator(node)


def _callees(node: Node) -> list[CompiledFunction] | None:
    """Return the functions that a node calls; None where it calls none, or unknown ones."""
    type = node.inputs[0].type if node.inputs else None
    if isinstance(type, t.FunctionType) and node.kind == "prim::CallFunction":
        return None if isinstance(type.function, BoundFunction) else [type.function]
    names = {"prim::Enter": "__enter__", "prim::Exit": "__exit__"}
    name = node["name"] if node.kind == "prim::CallMethod" else names.get(node.kind)
    if not isinstance(type, t.ClassType) or type.is_bound or type.is_interface:
        return None
    return [type.methods[name]] if name in type.methods else None


def _effects_of_function(function: CompiledFunction) -> Effects:
    if function.effects is None:
        function.effects = effects_of(function.graph.all_nodes())
    return function.effects


def _effects_of_operator(node: Node) -> Effects:
    schema = None if node.kind in _UNKNOWN else schema_of(node)
    if schema is None:
        return ANYTHING
    return frozenset(
        value.type
        for argument, value in zip(schema.arguments, node.inputs, strict=False)
        if argument.alias is not None and argument.alias.is_write and value.type != t.TENSOR
    )
