"""The passes by name, and the order in which programs are optimised.

`run_passes` runs passes one after the other, and shows and checks what they do as asked; the flags
are those of mlir-opt.
"""

from __future__ import annotations

import difflib
import sys
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from minits.ir.graph import Graph
from minits.ir.printer import print_graph
from minits.ir.verifier import verify
from minits.passes.canonicalize_outputs import canonicalize_outputs
from minits.passes.constant_pooling import pool_constants
from minits.passes.constant_propagation import propagate_constants
from minits.passes.cse import eliminate_common_subexpressions
from minits.passes.dce import eliminate_dead_code
from minits.passes.inlining import inline_calls, inline_functions
from minits.passes.literal_containers import answer_literal_containers
from minits.passes.loop_unrolling import unroll_loops
from minits.passes.lower_simple_tuples import lower_simple_tuples
from minits.passes.normalize_ops import normalize_ops
from minits.passes.peephole import simplify
from minits.passes.refine_types import refine_types

Pass = Callable[[Graph], bool]

PASSES: dict[str, Pass] = {
    "inline": inline_calls,
    "inline-functions": inline_functions,
    "normalize-ops": normalize_ops,
    "lower-simple-tuples": lower_simple_tuples,
    "refine-types": refine_types,
    "peephole": simplify,
    "literal-containers": answer_literal_containers,
    "constant-propagation": propagate_constants,
    "unroll": unroll_loops,
    "cse": eliminate_common_subexpressions,
    "dce": eliminate_dead_code,
    "constant-pooling": pool_constants,
    "canonicalize-outputs": canonicalize_outputs,
}

DEFAULT: tuple[str, ...] = (
    "inline",
    "lower-simple-tuples",
    "refine-types",
    "peephole",
    "constant-propagation",
    "unroll",
    "peephole",
    "constant-propagation",
    "cse",
    "dce",
    "constant-pooling",
)
"""The order for `--emit=optimized`."""


PLAN: tuple[str, ...] = DEFAULT
"""The order for a plan."""


def optimize(graph: Graph, names: Sequence[str] = PLAN) -> None:
    """Run passes in place, without looking at what they do."""
    for name in names:
        PASSES[name](graph)


def run_passes(
    graph: Graph,
    names: Sequence[str],
    *,
    print_ir_before: str | None = None,
    print_ir_after: str | None = None,
    print_ir_after_change: bool = False,
    print_changed: str | None = None,
    verify_each: bool = False,
    time_passes: bool = False,
    out: TextIO | None = None,
) -> None:
    """Run passes by name. `print_ir_before` and `print_ir_after` name a pass, or are "all".

    Raises `KeyError` for an unknown pass, `InvalidIR` when a pass breaks the graph.
    """
    out = out or sys.stderr
    unknown = [name for name in names if name not in PASSES]
    if unknown:
        raise KeyError(unknown[0])
    times: dict[str, float] = {}
    for name in names:
        before = print_graph(graph)
        if print_ir_before in ("all", name):
            out.write(f"// -----// IR Dump Before {name} //----- //\n{before}\n")
        started = time.perf_counter()
        changed = PASSES[name](graph)
        times[name] = times.get(name, 0.0) + time.perf_counter() - started
        after = print_graph(graph)
        if print_ir_after in ("all", name) or (print_ir_after_change and changed):
            out.write(f"// -----// IR Dump After {name} //----- //\n{after}\n")
        if print_changed == "diff" and after != before:
            out.write(_diff(name, before, after))
        if verify_each:
            verify(graph)
    if time_passes:
        _write_times(times, out)


def _diff(name: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), f"before {name}", f"after {name}", lineterm=""
    )
    return "\n".join(lines) + "\n"


def _write_times(times: dict[str, float], out: TextIO) -> None:
    total = sum(times.values())
    out.write(f"{'seconds':>10}  {'share':>6}  pass\n")
    for name, seconds in sorted(times.items(), key=lambda item: -item[1]):
        out.write(f"{seconds:10.6f}  {seconds / (total or 1):6.1%}  {name}\n")
    out.write(f"{total:10.6f}  {1:6.1%}  total\n")
