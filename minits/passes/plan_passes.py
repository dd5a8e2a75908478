"""The passes of plans, as the rows of the pipeline call them: with a `Context`."""

from __future__ import annotations

from collections.abc import Collection

from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Graph, Value
from minits.passes.context import Context
from minits.passes.fusion.class_losses import split_class_losses
from minits.passes.fusion.dropout import split_dropouts
from minits.passes.fusion.fuse import fuse, groups_of
from minits.passes.fusion.known_slices import skip_slices_of_known
from minits.passes.fusion.shape_queries import fold_tensor_queries, forward_shape_queries
from minits.passes.hoist_views import hoist_views
from minits.passes.hooked_calls import keep_hooked_calls
from minits.passes.remove_mutation import remove_mutation
from minits.passes.shape_propagation.propagate import infer_metadata
from minits.passes.specialization.module_flags import set_flags
from minits.passes.specialization.specialize import specialize
from minits.types import types as t

READS_WRITTEN = "reads_written"
"""An attribute of groups whose inputs have to be looked at when they are reached."""


def specialize_inputs(graph: Graph, context: Context) -> bool:
    """Put in which of the graph's Optional inputs are None."""
    return specialize(graph, context.is_none)


def keep_hooked(graph: Graph, context: Context) -> bool:
    """Inline calls, but for those of submodules that have hooks, where there are such."""
    return keep_hooked_calls(graph, context.hooked)


def specialize_flags(graph: Graph, context: Context) -> bool:
    """Put in what is known of the module's flags."""
    return set_flags(graph, context.flags)


def propagate_metadata(graph: Graph, context: Context) -> bool:
    """Infer what is certain of tensors in all calls of the plan. The graph stays as it is."""
    if context.arguments is not None:
        context.metas = infer_metadata(graph, context.arguments, certain=True)
    return False


def propagate_examples(graph: Graph, context: Context) -> bool:
    """Infer dtype and rank of what has no certain metadata. The graph stays as it is.

    That is of tensors out of lists, tuples and dicts, and of those whose sizes depend on data.
    """
    if context.arguments is not None and _has_unknown(graph, context.metas):
        for value, example in infer_metadata(graph, context.arguments).items():
            context.metas.setdefault(value, example)
    return False


def _has_unknown(graph: Graph, metas: Collection[Value]) -> bool:
    made = (value for node in graph.all_nodes() for value in node.outputs)
    return any(value.type == t.TENSOR and value not in metas for value in (*graph.inputs, *made))


def fold_queries(graph: Graph, context: Context) -> bool:
    """Answer what the graph asks of tensors whose kind is certain."""
    return fold_tensor_queries(graph, context.metas)


def skip_slices(graph: Graph, context: Context) -> bool:
    """Pass over slices that take a dimension whole, of tensors whose rank is known."""
    return skip_slices_of_known(graph, context.metas)


def functionalize(graph: Graph, context: Context) -> bool:
    """Turn in-place operators into those that give a new tensor."""
    return remove_mutation(graph, context.metas, context.remarks)


def hoist(graph: Graph, context: Context) -> bool:
    """Take views out of loops."""
    return hoist_views(graph, context.metas)


def split_losses(graph: Graph, context: Context) -> bool:
    """Make the losses of classes of operators that have kernels."""
    return split_class_losses(graph, context.metas)


def split_dropout(graph: Graph, context: Context) -> bool:
    """Make dropouts of operators that have kernels."""
    return split_dropouts(graph, context.metas, context.dropout_parts)


def forward_shapes(graph: Graph, context: Context) -> bool:
    """Ask for sizes as far up as they are known."""
    context.asked_before = forward_shape_queries(graph, context.metas)
    return bool(context.asked_before)


def form_groups(graph: Graph, context: Context) -> bool:
    """Fuse operators into groups."""
    parts, asked = context.dropout_parts, context.asked_before
    return fuse(graph, context.metas, context.remarks, context.apart, parts, asked)


def mark_readers_of_written(graph: Graph, context: Context) -> bool:
    """Mark the groups that read an argument which the program may write to.

    By then it may require a gradient, as what was written to it does.
    """
    alias = AliasAnalysis(graph)
    if not alias.writers:
        return False
    marked = [
        node
        for node in groups_of(graph)
        if any(value in graph.inputs and alias.is_written(value) for value in node.inputs)
    ]
    for node in marked:
        node.set_attr(READS_WRITTEN, "i", 1)
    return bool(marked)
