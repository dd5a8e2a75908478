"""The table of contents: every pass by name, and the orders in which passes run.

    graph  --emission-->  graph  --optimize-->  graph  --fusion-->  graph with prim::FusionGroup

A pipeline is a list of names: of passes, and of other pipelines. `dce?` runs only if what stands
before it changed the graph, `fork(dce)` on the graph of each `prim::fork` (see `_NESTED`).
`minits compile --emit=optimized --passes A,B,C` runs any such list.

A pass is a function of a graph, which it changes in place; it returns whether it did. It runs no
other pass. Those of plans are also given a `Context`. The functions are imported when they first
run: a program is compiled without the passes that fuse, and their kernels.

Not a row is what needs more than a graph. `minits.freeze` puts the attributes of live modules into
the graphs of their methods (`freezing/method_graphs.py`, `freezing/constants.py`), and then runs
rows. A trace makes methods of the blocks that it recorded (`tracing/run.py`). `.inlined_graph`
inlines bodies that were simplified before (`preoptimize.py`), as torch does.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import cast

from minits.ir.graph import Graph
from minits.ops.properties import FORKS
from minits.passes.context import Context
from minits.passes.instrumentation import Instrumentation, instrumentation
from minits.records import dataclass


@dataclass(slots=True, eq=False)
class Pass:
    """A pass: where its function is, as `module:function` below `minits.passes`."""

    path: str
    in_context: bool = False
    """Whether the function takes a `Context` beside the graph."""
    is_of_call: bool = False
    """Whether it does nothing unless the context has a call."""
    reads_metadata: bool = False
    """Whether it needs what "infer-metadata" has found of tensors."""
    _function: Callable[..., bool] | None = None

    def run(self, graph: Graph, context: Context) -> bool:
        """Change a graph in place; return whether it changed."""
        function = self.load()
        return function(graph, context) if self.in_context else function(graph)

    def summary(self) -> str:
        """Return a line on what it does: from its docstring, or from that of its file."""
        function = self.load()
        own = (function.__doc__ or "").partition("\n")[0].partition(". Return whether")[0]
        if own and not own.startswith("Return"):
            return own.removesuffix(".")
        module = sys.modules[function.__module__].__doc__ or ""
        return module.partition("\n")[0].removesuffix(".")

    def load(self) -> Callable[..., bool]:
        """Import the function when it is first asked for, and return it."""
        if self._function is None:
            module, _, name = self.path.partition(":")
            found = getattr(importlib.import_module(f"minits.passes.{module}"), name)
            self._function = cast("Callable[..., bool]", found)
        return self._function


def _planned(name: str, reads_metadata: bool = False) -> Pass:
    return Pass(f"plan_passes:{name}", True, is_of_call=True, reads_metadata=reads_metadata)


def _fusing(name: str) -> Pass:
    return _planned(name, reads_metadata=True)


PASSES: dict[str, Pass] = {
    # What makes a graph of what was emitted.
    "to-ssa": Pass("emission.ssa:to_ssa"),
    "exits": Pass("emission.exits:transform_exits"),
    "consecutive-ifs": Pass("emission.consecutive_ifs:inline_consecutive_ifs"),
    "modified-loops": Pass("emission.modified_loops:canonicalize_modified_loops"),
    "empty-lists": Pass("emission.empty_lists:replace_empty_list_literals"),
    "lift-closures": Pass("emission.forks:lift_closures"),
    "inline-forked-closures": Pass("emission.forks:inline_forked_closures"),
    "emitted-dce": Pass("emission.dead_code:eliminate_dead_code", in_context=True),
    "emitted-constants": Pass("emission.dead_code:fold_constants", in_context=True),
    "emitted-dce-again": Pass("emission.dead_code:eliminate_dead_code_again", in_context=True),
    "number-warnings": Pass("emission.warning_numbers:number_warnings"),
    # What makes it simpler.
    "widen-joins": Pass("joined_types:widen_joins"),
    "inline": Pass("inlining:inline_calls"),
    "inline-functions": Pass("inlining:inline_functions"),
    "normalize-ops": Pass("normalize_ops:normalize_ops"),
    "lower-simple-tuples": Pass("lower_simple_tuples:lower_simple_tuples"),
    "lower-all-tuples": Pass("lower_all_tuples:lower_all_tuples"),
    "unwrap-numbers": Pass("wrapped_numbers:unwrap_numbers"),
    "sizes-as-numbers": Pass("sizes_as_numbers:compute_sizes_as_numbers"),
    "refine-types": Pass("refine_types:refine_types"),
    "refine-integers": Pass("refinement.integers:refine_integers"),
    "refine-lengths": Pass("refinement.lengths:refine_lengths"),
    "peephole": Pass("peephole:simplify"),
    "fold-container-queries": Pass("literal_containers:fold_container_queries"),
    "constant-propagation": Pass("constant_propagation:propagate_constants"),
    "immutable-constants": Pass("constant_propagation:propagate_immutable_constants"),
    "unroll": Pass("loop_unrolling:unroll_loops"),
    "unroll-by-eight": Pass("unrolling_by_eight:unroll_loops_by_eight"),
    "remove-list-mutation": Pass("list_mutation:remove_list_mutation"),
    "skip-whole-slices": Pass("whole_slices:skip_whole_slices"),
    "cse": Pass("cse:eliminate_common_subexpressions"),
    "dce": Pass("dce:eliminate_dead_code"),
    "constant-pooling": Pass("constant_pooling:pool_constants"),
    "identical-constants": Pass("constant_pooling:pool_identical_constants"),
    "canonicalize-outputs": Pass("canonicalize_outputs:canonicalize_outputs"),
    # What is for frozen modules.
    "tensor-identities": Pass("freezing.tensor_identities:simplify_tensor_identities"),
    "frozen-constants": Pass("constant_propagation:propagate_frozen_constants"),
    "equal-constants": Pass("constant_pooling:pool_equal_constants"),
    "remove-detach": Pass("freezing.no_ops:remove_detach"),
    "remove-fork-inputs": Pass("freezing.no_ops:remove_unread_fork_inputs"),
    "remove-dropout": Pass("freezing.dropout:remove_dropout"),
    "concat-linears": Pass("freezing.concat_linear:concatenate_linears"),
    "conv-batch-norm": Pass("freezing.batch_norm:fold_batch_norm_into_convolutions"),
    "conv-sums": Pass("freezing.conv_arithmetic:fold_sums_into_convolutions"),
    "conv-products": Pass("freezing.conv_arithmetic:fold_products_into_convolutions"),
    "linear-batch-norm": Pass("freezing.batch_norm:fold_batch_norm_into_linears"),
    # What specialises a graph on a call.
    "specialize": _planned("specialize_inputs"),
    "hooked-calls": _planned("keep_hooked"),
    "module-flags": _planned("specialize_flags"),
    "infer-metadata": _planned("propagate_metadata"),
    "infer-examples": _planned("propagate_examples"),
    "fold-tensor-queries": _fusing("fold_queries"),
    "skip-slices-of-known": _fusing("skip_slices"),
    # What fuses it.
    "remove-mutation": _fusing("functionalize"),
    "hoist-views": _fusing("hoist"),
    "split-class-losses": _fusing("split_losses"),
    "split-dropouts": _fusing("split_dropout"),
    "forward-shape-queries": _fusing("forward_shapes"),
    "fuse": _fusing("form_groups"),
    "mark-written": _planned("mark_readers_of_written"),
}

PIPELINES: dict[str, tuple[str, ...]] = {
    "emission": ("ssa-form", "normalize-ops", "cleanup"),
    "ssa-form": ("to-ssa", "exits", "consecutive-ifs", "modified-loops"),
    "cleanup": (
        "empty-lists", "lift-closures", "lifted-closures?", "lower-simple-tuples",
        "emitted-dce", "emitted-constants", "emitted-dce-again?", "constant-pooling",
        "canonicalize-outputs", "number-warnings",
    ),
    "lifted-closures": ("closure(cleanup)", "inline-forked-closures", "fork(cleanup)"),
    "preoptimize": (
        "widen-joins", "simplify", "dce?", "immutable-constants", "dce?", "identical-constants",
    ),
    "simplify": ("fold-container-queries", "peephole"),
    "optimize": (
        "inline", "dce?", "widen-joins", "lower-simple-tuples", "refine-types", "unwrap-numbers",
        "sizes-as-numbers", "peephole", "constant-propagation", "dce?", "unroll",
        "remove-list-mutation", "peephole", "constant-propagation", "skip-whole-slices", "dce?",
        "cse", "dce", "identical-constants",
    ),
    "traced-sizes": ("unwrap-numbers", "sizes-as-numbers", "dce"),
    "trace": ("fork(trace)", "lower-simple-tuples", "dce", "normalize-ops"),
    "freeze": (
        "widen-joins", "dce", "remove-fork-inputs", "cse", "simplify-frozen", "equal-constants",
        "unroll", "simplify-unrolled?", "cse", "remove-detach", "dce?", "lower-simple-tuples",
        "dce", "remove-fork-inputs", "dce?",
    ),
    "simplify-frozen": (
        "fold-container-queries", "tensor-identities", "peephole", "dce", "frozen-constants",
        "dce?",
    ),
    "simplify-unrolled": ("remove-list-mutation", "simplify-frozen"),
    "optimize-frozen": ("remove-dropout", "concat-linears"),
    "fold-weights": (
        "conv-batch-norm", "dce", "conv-sums", "dce?", "conv-products", "dce?",
        "linear-batch-norm", "dce?",
    ),
    "native": ("lower-all-tuples", "lower-simple-tuples?", "dce?"),
    "plan": ("specialize", "hooked-calls", "optimize"),
    "plan-flags": ("module-flags", "optimize"),
    "fusion": ("known-tensors", "kernels"),
    "known-tensors": (
        "infer-metadata", "fold-tensor-queries", "optimize-folded?", "skip-slices-of-known", "dce?",
    ),
    "kernels": ("remove-mutation", "dce?", "hoist-views", "groups"),
    "optimize-folded": ("optimize", "infer-metadata"),
    "groups": (
        "split-class-losses", "split-dropouts", "forward-shape-queries", "infer-examples", "fuse",
        "mark-written",
    ),
}  # fmt: skip
"""emission: of a function or method that was just emitted, so that its graph prints as torch's
preoptimize: what torch.jit does to a function before others inline it (passes/preoptimize.py)
optimize: `--emit=optimized`, and the graph that the plans of a pattern of None share
traced-sizes: of a program that other tools of torch trace for any sizes
trace: of what a trace recorded
freeze: of a method whose attributes are constants (`minits/freezing`)
optimize-frozen, fold-weights: `run_frozen_optimizations`; the second repeats while it finds more
native: a graph that becomes C
plan-flags: the graph of one plan, whose module's flags are known
fusion: kernels for the operators of a plan, of whose tensors much is known; between its two parts
    loops are marked that run as C (`native/marking.py`)
"""


def run_pipeline(graph: Graph, names: str | Iterable[str], context: Context | None = None) -> bool:
    """Run a pipeline, or passes and pipelines by their names; return whether the graph changed.

    Raises `KeyError` for an unknown name, before anything runs.
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    check_names(names)
    return _run(graph, names, Context() if context is None else context, instrumentation())


def check_names(names: Iterable[str]) -> None:
    """Raise `KeyError` for a name that neither a pass nor a pipeline has."""
    for name in names:
        if _plain(name) not in PASSES and _plain(name) not in PIPELINES:
            raise KeyError(name)


def passes_in(names: Iterable[str]) -> Iterator[str]:
    """Yield the passes that stand in pipelines, but for those of graphs of nodes (`fork(dce)`)."""
    for name in names:
        name = name.removesuffix("?")
        if name in PIPELINES:
            yield from passes_in(PIPELINES[name])
        elif not name.endswith(")"):
            yield name


@contextmanager
def without_passes(*names: str) -> Iterator[None]:
    """Leave passes out of all pipelines within the block, in every thread.

    A program gives the same results without any pass that only makes it simpler or faster.
    """
    before = {name: PASSES[name] for name in names}
    PASSES.update(
        (name, Pass("pipeline:change_nothing", _function=change_nothing)) for name in names
    )
    try:
        yield
    finally:
        PASSES.update(before)


def change_nothing(graph: Graph) -> bool:
    """Leave a graph as it is: the pass that stands for one that is switched off."""
    return False


_NESTED = {"closure": ("prim::Closure",), "fork": FORKS}
"""The kinds of nodes on whose `Subgraph` a pass can be run, by what stands before its name."""


def _plain(name: str) -> str:
    """Return the name of the pass or pipeline in `fork(dce)?`. Raises `KeyError`."""
    name = name.removesuffix("?")
    if not name.endswith(")"):
        return name
    where, _, inner = name[:-1].partition("(")
    if where not in _NESTED:
        raise KeyError(name)
    return inner


def _run(
    graph: Graph, names: Iterable[str], context: Context, watching: Instrumentation | None
) -> bool:
    any_changed = changed = False
    for name in names:
        if name.endswith("?"):
            if not changed:
                continue
            name = name[:-1]
        if name in PIPELINES:
            changed = _run(graph, PIPELINES[name], context, watching)
        elif name.endswith(")"):
            changed = _run_nested(name, graph, context, watching)
        elif watching is None:
            changed = PASSES[name].run(graph, context)
        else:
            changed = _run_watched(name, graph, context, watching)
        any_changed |= changed
    return any_changed


def _run_nested(
    name: str, graph: Graph, context: Context, watching: Instrumentation | None
) -> bool:
    changed = False
    kinds = _NESTED[name.partition("(")[0]]
    for node in graph.nodes_of_kind(*kinds):
        if "Subgraph" in node.attributes:
            changed |= _run(node["Subgraph"], (_plain(name),), context, watching)
    return changed


def _run_watched(name: str, graph: Graph, context: Context, watching: Instrumentation) -> bool:
    watching.before(name, graph, context.program)
    PASSES[name].load()  # which takes longer than many passes run
    started = time.perf_counter()
    changed = PASSES[name].run(graph, context)
    watching.after(name, graph, context.program, changed, time.perf_counter() - started)
    return changed
