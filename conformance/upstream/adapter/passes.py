"""torch's passes over graphs, `torch._C._jit_pass_*`, as passes of minits on graphs of minits.

Only where minits has the pass: a call of another one says that it is missing. A pass changes the
graph of the function itself; what the function has planned before is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from conformance.upstream.adapter.missing import missing
from conformance.upstream.adapter.views import graph_of, view_of
from minits.ir.canonical import canonicalize
from minits.ir.graph import Graph
from minits.ir.verifier import verify
from minits.passes.context import Context
from minits.passes.pipeline import PIPELINES, run_pipeline

_PREFIX = "_jit_pass_"

PASSES: dict[str, tuple[str, ...]] = {
    "inline": ("inline",),
    "constant_propagation": ("frozen-constants", "dce"),
    "constant_pooling": ("constant-pooling",),
    "cse": ("cse",),
    "dce": ("dce",),
    "loop_unrolling": ("unroll-by-eight", "dce"),
    "lower_simple_tuples": ("lower-simple-tuples", "dce"),
    "normalize_ops": ("normalize-ops",),
    "refine_integer_values": ("refine-integers",),
    "refine_tuple_types": ("refine-types",),
    "peephole": ("fold-container-queries", "tensor-identities", "peephole"),
    "peephole_list_idioms": ("fold-container-queries",),
    "remove_dropout": ("remove-dropout",),
    "remove_mutation": ("remove-list-mutation", "infer-metadata", "remove-mutation"),
    "concat_frozen_linear": ("concat-linears",),
    "fold_frozen_conv_bn": ("conv-batch-norm", "dce"),
    "fold_frozen_conv_add_or_sub": ("conv-sums", "dce"),
    "fold_frozen_conv_mul_or_div": ("conv-products", "dce"),
    "fold_frozen_linear_bn": ("linear-batch-norm", "dce"),
}
"""torch's passes that minits has, each with the passes of minits that do what it does."""

OPTIONS: dict[tuple[str, str], tuple[str, ...]] = {
    ("peephole_list_idioms", "refine_list_len"): ("refine-lengths",),
}
"""Passes of minits that run after those of a pass, by the options that ask for them."""


_OF_ANY_CALL = ()
"""No example of an argument: what is inferred of tensors holds in all calls."""

SWITCHES = (
    "_jit_set_profiling_executor _jit_set_profiling_mode _jit_set_num_profiled_runs "
    "_jit_get_num_profiled_runs _jit_set_bailout_depth _get_graph_executor_optimize "
    "_set_graph_executor_optimize _jit_set_texpr_fuser_enabled _jit_texpr_fuser_enabled "
    "_jit_set_texpr_reductions_enabled _jit_set_te_must_use_llvm_cpu "
    "_jit_get_te_must_use_llvm_cpu _jit_override_can_fuse_on_cpu _jit_override_can_fuse_on_gpu "
    "_jit_can_fuse_on_cpu _jit_can_fuse_on_gpu _jit_override_can_fuse_on_cpu_legacy "
    "_debug_set_autodiff_subgraph_inlining _debug_get_fusion_group_inlining "
    "_debug_set_fusion_group_inlining _jit_set_inline_everything_mode "
    "_jit_get_inline_everything_mode"
).split()
"""Switches of torch that a test may turn. All but the last two choose how torch's executor runs a
graph, which changes no result, and nothing in minits."""


def install_passes() -> None:
    """Put the passes of minits in the place of torch's, and close those that it lacks."""
    for name in dir(torch._C):
        if name.startswith(_PREFIX):
            setattr(torch._C, name, missing(f"torch._C.{name}"))
    for name, passes in PASSES.items():
        setattr(torch._C, _PREFIX + name, _running(name, passes))
    torch._C._jit_pass_lint = _lint
    torch._C._jit_pass_canonicalize = _canonicalized
    torch._C._jit_pass_optimize_frozen_graph = _optimize_frozen
    torch._C._jit_set_inline_everything_mode = _set_inline_everything
    torch._C._jit_get_inline_everything_mode = _inlines_everything


def _running(name: str, passes: tuple[str, ...]) -> Callable[..., Any]:
    """Return a function that runs passes of minits."""

    def run(graph: Any, *options: Any, **named: Any) -> bool:
        wanted = [option for option, is_on in named.items() if is_on]
        if any(options) or any((name, option) not in OPTIONS for option in wanted):
            return bool(missing(f"torch._C.{_PREFIX}{name} with options")())
        changed = run_pipeline(graph_of(graph), passes, Context(arguments=_OF_ANY_CALL))
        for option in wanted:
            changed |= run_pipeline(graph_of(graph), OPTIONS[name, option])
        if changed and name.startswith("peephole"):
            run_pipeline(graph_of(graph), "dce")
        return changed

    return run


def _lint(graph: Any) -> None:
    verify(graph_of(graph))


def _canonicalized(graph: Any, keep_unique_names: bool = True) -> Any:
    return view_of(canonicalize(graph_of(graph), keep_unique_names))


def _optimize_frozen(graph: Any, optimize_numerics: bool = True) -> None:
    from minits.freezing.freeze import optimize_frozen

    optimize_frozen(graph_of(graph), optimize_numerics)


def run_pass(self: Any, name: str, trace: Any) -> Graph | Any:
    """`JitTestCase.run_pass`: the graph before and after it is verified."""
    _lint(trace)
    result = getattr(torch._C, _PREFIX + name)(trace)
    graph = trace if result is None or isinstance(result, bool) else result
    _lint(graph)
    return graph


_OF_NEW_GRAPHS = ("cleanup", "trace")
"""The pipelines of graphs that were scripted, and of those that were traced."""


def _set_inline_everything(is_on: bool) -> None:
    """Inline what a graph calls when it is made, or no longer."""
    for pipeline in _OF_NEW_GRAPHS:
        rest = tuple(name for name in PIPELINES[pipeline] if name != "inline")
        PIPELINES[pipeline] = ("inline", *rest) if is_on else rest


def _inlines_everything() -> bool:
    return "inline" in PIPELINES["cleanup"]
