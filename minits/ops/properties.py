"""Properties of operators: which overload a node is, and what running it may do.

Source: torch/csrc/jit/ir/ir.cpp (`Node::matches`, `hasSideEffects`, `isNondeterministic`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import torch

from minits import torch_internals as internals
from minits.ops.registry import is_lasting, kept_by_operator, schemas_for
from minits.ops.schema import Schema
from minits.types.remembered import remembered
from minits.types.subtyping import evaluate_variables, is_subtype, match_variables
from minits.types.types import SimpleType, Type

FORKS = ("prim::fork", "prim::awaitable")
"""Operators whose graph, the attribute `Subgraph`, runs as a task or when it is waited for."""


class NodeLike(Protocol):
    """The part of a `Node` that operators read; `minits.ir.graph.Node` fits."""

    @property
    def kind(self) -> str: ...
    @property
    def inputs(self) -> Sequence[Any]: ...
    @property
    def outputs(self) -> Sequence[Any]: ...
    @property
    def attributes(self) -> Mapping[str, Any]: ...
    @property
    def range(self) -> Any: ...
    def __getitem__(self, attribute: str) -> Any: ...


def schema_of(node: NodeLike) -> Schema | None:
    """Return the schema that the node's input types match: the first one registered, as torch."""
    return schema_for(node.kind, node)


def schema_for(kind: str, node: NodeLike) -> Schema | None:
    """Return the schema of the operator `kind` that matches the input types of a node."""
    find = _find_lasting if is_lasting(kind) else _find
    return find(kind, tuple([value.type for value in node.inputs]))


def _find(kind: str, types: tuple[Type, ...]) -> Schema | None:
    for schema in schemas_for(kind):
        if _fits(schema, types):
            return schema
    return None


_find_lasting = remembered(_find)


def _fits(schema: Schema, types: tuple[Type, ...]) -> bool:
    if types and types[0].__class__ is SimpleType and schema.first_type not in (None, types[0]):
        return False
    formals = schema.arguments
    if len(types) < len(formals) or (len(types) > len(formals) and not schema.is_vararg):
        return False
    bound: dict[str, Type] = {}
    for formal, actual in zip(formals, types, strict=False):
        if match_variables(formal.type, actual, bound) is not None:
            return False
        if not is_subtype(actual, evaluate_variables(formal.type, bound) or formal.type):
            return False
    return True


def key_of(schema: Schema) -> str:
    """Return the schema's name with its overload: `aten::add.int`."""
    return f"{schema.name}.{schema.overload}" if schema.overload else schema.name


_EFFECTS = frozenset(
    "prim::PythonOp prim::IgnoredPythonOp prim::Print prim::RaiseException aten::warn aten::save "
    "aten::manual_seed prim::AddStatValue prim::TimePoint prim::CallFunction prim::CallMethod "
    "prim::BailoutTemplate prim::BailOut prim::rpc_async prim::rpc_sync prim::rpc_remote "
    "prim::Enter prim::Exit aten::wait prim::awaitable_wait cuda::set_stream "
    "cuda::_set_device cuda::_current_device cuda::synchronize prim::SetAttr".split()
)
_CONSERVATIVE = frozenset(
    "aten::is_grad_enabled aten::set_grad_enabled aten::is_autocast_enabled "
    "aten::is_autocast_cpu_enabled aten::get_autocast_dtype aten::backward "
    "aten::dist_backward".split()
)
"""Operators that torch registers without alias information: they may read or write anything."""


def has_side_effects(node: NodeLike) -> bool:
    """Return whether running the node does more than make its outputs and write to its inputs.

    Writes to inputs, as of `aten::add_`, are in the schema's alias annotations, not here.
    """
    return is_effect(node.kind)


def is_effect(kind: str) -> bool:
    """Return whether nodes of a kind have side effects, see `has_side_effects`."""
    return kind in _EFFECTS or kind in _CONSERVATIVE or _promises_nothing(kind)


def _promises_nothing(kind: str) -> bool:
    """Return whether an operator of a library may have side effects, as torch takes it.

    That is so if its schema was inferred from its C++ function, where results are unnamed, and if
    it returns nothing, such as what ends a `record_function`. One that Python has defined does what
    its schema says, and no more.
    """
    if kind.startswith(("aten::", "prim::")):
        return False
    results = [
        schema.returns
        for schema in schemas_for(kind)
        if _full_name(schema) not in internals.operators_of_python
    ]
    return any(not returns or any(each.name == "_0" for each in returns) for returns in results)


def _full_name(schema: Schema) -> str:
    return f"{schema.name}.{schema.overload}" if schema.overload else schema.name


_IN_TRAINING = {
    "aten::dropout": 2, "aten::feature_dropout": 2, "aten::alpha_dropout": 2,
    "aten::feature_alpha_dropout": 2, "aten::rrelu": 3,
}  # fmt: skip
"""Operators that draw random numbers in training alone, and which argument says whether it is."""


def is_nondeterministic(node: NodeLike) -> bool:
    """Return whether two runs with the same inputs may differ: torch's tag of the operator."""
    if not node.kind.startswith("aten::"):
        return False
    training = _IN_TRAINING.get(node.kind)
    if training is not None and _constant(node.inputs[training]) is False:
        return False
    schema = schema_of(node)
    return schema is not None and _is_seeded(schema.name, schema.overload)


@kept_by_operator
def _is_seeded(name: str, overload: str) -> bool:
    found = internals.operation(name, overload)
    return found is not None and torch.Tag.nondeterministic_seeded in found[2]


def _constant(value: Any) -> Any:
    """Return the value of a bool constant, else None."""
    node = value.node
    if node.kind != "prim::Constant" or "value" not in node.attributes:
        return None
    return bool(node["value"])
