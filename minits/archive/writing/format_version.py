"""The version of an archive's format: the lowest that gives its operators their meaning.

When the meaning of an operator changed, torch counted the version up. A reader gives what an older
file calls `torch.div` its older meaning, so a file that uses the newer one says so.

Source: torch/csrc/jit/operator_upgraders/version_map.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable

from minits.ir.graph import Graph, Node
from minits.ops.properties import key_of, schema_of

_OLDEST = 3
_CHANGED = {
    4: "aten::div.Tensor aten::div.Scalar aten::div.out aten::div.Tensor_mode "
    "aten::div.Scalar_mode aten::div.out_mode aten::div_.Tensor aten::div_.Scalar "
    "aten::div_.Tensor_mode aten::div_.Scalar_mode",
    5: "aten::full aten::full.out",
    8: "aten::linspace aten::linspace.out",
    9: "aten::logspace aten::logspace.out",
    10: "aten::gelu aten::gelu.out",
}
_VERSIONS = {key: version for version, keys in _CHANGED.items() for key in keys.split()}
_NAMES = {key.partition(".")[0]: version for key, version in _VERSIONS.items()}


def changed_in(operator: str) -> int | None:
    """Return the version in which an operator such as `aten::div` changed, if it ever did."""
    return _NAMES.get(operator)


def version_for(graphs: Iterable[Graph]) -> int:
    """Return the version that an archive with these graphs must have."""
    return max((_version_of(node) for graph in graphs for node in nodes_of(graph)), default=_OLDEST)


def _version_of(node: Node) -> int:
    if node.kind not in _NAMES:
        return _OLDEST
    schema = schema_of(node)
    return _OLDEST if schema is None else _VERSIONS.get(key_of(schema), _OLDEST)


def nodes_of(graph: Graph) -> Iterable[Node]:
    """Yield every node, nodes of forked graphs included."""
    for node in graph.all_nodes():
        yield node
        inner = node.get("Subgraph")
        if inner is not None:
            yield from nodes_of(inner)
