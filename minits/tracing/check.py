"""Checking a trace: the program is traced again, and both are run.

Another graph the second time is an error: Python decided something that the trace does not hold.
Other results are a warning, since programs may draw random numbers.

Source: torch/jit/_trace.py (`_check_trace`).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import torch
from torch import Tensor

from minits.diagnostics import CompileError, Diagnostic, Note
from minits.ir.canonical import canonicalize
from minits.ir.graph import Graph, Node
from minits.ir.printer import print_graph, print_node
from minits.name_mangling import demangled
from minits.ops.properties import is_nondeterministic
from minits.passes.preoptimize import inlined
from minits.runtime.script import ScriptFunction
from minits.tracing.interface import tensors_of
from minits.tracing.run import Arguments, TraceOptions, parameter_names
from minits.tracing.warning import warn


class TracingCheckError(CompileError):
    """A trace of the same program has another graph, or other constants, the second time."""


_FIX = (
    "what Python decides there is not recorded: script this part (minits.script, or "
    "minits.script_if_tracing for a function), or compute it by operators on tensors"
)


def check(
    program: Callable[..., Any],
    traced: ScriptFunction,
    again: ScriptFunction,
    given: Any,
    tolerance: float,
    options: TraceOptions,
) -> None:
    """Compare a trace with another one, made with the inputs `given`, and both with the program.

    Raises `TracingCheckError`; warns where results differ by more than the relative tolerance.
    """
    arguments = Arguments.of(given, parameter_names(program), options.by_keyword)

    def run(function: Callable[..., Any]) -> list[Tensor]:
        return list(tensors_of(arguments.call(function, cloned(arguments.values))))

    with torch.no_grad():
        fault = _graph_fault(traced.graph, again.graph)
        if fault is not None:
            raise TracingCheckError(fault)
        results, expected = run(traced), run(program)
        if _compare(traced.graph, results, expected, "the Python function", tolerance):
            _compare(traced.graph, results, run(again), "a second trace", tolerance)


def cloned(value: Any) -> Any:
    """Return inputs with tensors of their own: programs may write to them."""
    if isinstance(value, Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, Mapping):
        return {key: cloned(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        items = [cloned(item) for item in value]
        return items if isinstance(value, list) else _like(value, items)
    return value


def _like(value: Any, items: list[Any]) -> Any:
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)


# ---- Graphs --------------------------------------------------------------------------------------


def _graph_fault(first: Graph, second: Graph) -> Diagnostic | None:
    graphs = [_comparable(graph) for graph in (first, second)]
    for one, other in zip(*map(_nodes, graphs), strict=False):
        if one.kind != other.kind:
            break
        fault = _constant_fault(one, other)
        if fault is not None:
            return fault
    texts = [demangled(print_graph(graph, ranges=False)) for graph in graphs]
    return None if texts[0] == texts[1] else _divergence(graphs, texts)


def _comparable(graph: Graph) -> Graph:
    """Return a graph with all calls inlined, and without what only tells of the inputs."""
    copy = canonicalize(inlined(graph), keep_names=False)
    copy.trace_notes = None
    for node in copy.nodes_of_kind("prim::fork"):
        node.set_attr("Subgraph", "g", _comparable(node["Subgraph"]))
    return copy


def _nodes(graph: Graph) -> Iterator[Node]:
    """Yield the nodes of a graph, and behind each fork those of its graph."""
    for node in graph.all_nodes():
        yield node
        if node.kind == "prim::fork":
            yield from _nodes(node["Subgraph"])


def _divergence(graphs: Sequence[Graph], texts: Sequence[str]) -> Diagnostic:
    first, second = (text.splitlines() for text in texts)
    diff = difflib.unified_diff(first, second, "first trace", "second trace", n=2, lineterm="")
    difference = "\n".join(diff)
    nodes = next(_diverging(*graphs), (None, None))
    loc = next((node.range for node in nodes if node is not None and node.range), None)
    notes = [Note(f"the graphs differ:\n{difference}")]
    if nodes[1] is not None and nodes[1].range is not None and nodes[1].range != loc:
        notes.append(Note("the second trace is here at this point", nodes[1].range))
    return Diagnostic(
        loc,
        "TS827",
        "Graphs differed across invocations! The second trace has another one",
        tuple(notes),
        _FIX,
    )


def _diverging(first: Graph, second: Graph) -> Iterator[tuple[Node | None, Node | None]]:
    """Yield the pairs of nodes that differ; None stands where a graph has ended."""
    for nodes in zip_longest(_nodes(first), _nodes(second)):
        texts = [node and demangled(print_node(node, ranges=False)) for node in nodes]
        if texts[0] != texts[1]:
            yield nodes


def _constant_fault(first: Node, second: Node) -> Diagnostic | None:
    values = first.get("value"), second.get("value")
    if not (isinstance(values[0], Tensor) and isinstance(values[1], Tensor)):
        return None
    told = _difference(values[0], values[1], 1e-5)
    if told is None:
        return None
    return Diagnostic(
        first.range,
        "TS828",
        "Tensor-valued Constant nodes differed in value across invocations: what the first trace "
        "holds as a constant is another tensor in the second one",
        (Note(told),),
        _FIX,
    )


# ---- Results -------------------------------------------------------------------------------------


def _compare(
    graph: Graph, found: list[Tensor], expected: list[Tensor], of: str, tolerance: float
) -> bool:
    """Return whether results agree; warn of each that does not."""
    agree = True
    for number, (one, other) in enumerate(zip(found, expected, strict=False), 1):
        told = _difference(one, other, tolerance)
        if told is not None:
            agree = False
            warn(
                f"Output nr {number}. of the traced function does not match the corresponding "
                f"output of {of}: {told}{_random_nodes(graph)}"
            )
    return agree


def _random_nodes(graph: Graph) -> str:
    nodes = [node for node in _nodes(inlined(graph)) if is_nondeterministic(node)]
    if not nodes:
        return ""
    texts = "".join(f"\n    {print_node(node).strip()}" for node in nodes[:20])
    return (
        f"\nTrace had nondeterministic nodes:{texts}\nIs the module meant to be in eval mode? Pass "
        "check_trace=False if random results are what you want."
    )


def _difference(found: Tensor, expected: Tensor, tolerance: float) -> str | None:
    """Return how two tensors differ by more than a relative tolerance, None if they do not."""
    if found.dtype != expected.dtype:
        return f"it is of dtype {found.dtype}, not {expected.dtype}"
    one, other = _plain(found), _plain(expected)
    wide = torch.complex128 if one.is_complex() or other.is_complex() else torch.float64
    absolute = 0.0 if not one.is_floating_point() else 1e-5
    try:
        torch.testing.assert_close(
            one.to(wide), other.to(wide), rtol=tolerance, atol=absolute, equal_nan=True
        )
    except AssertionError as why:
        return str(why)
    return None


def _plain(tensor: Tensor) -> Tensor:
    if tensor.is_quantized:
        return tensor.dequantize()
    return tensor if tensor.layout is torch.strided else tensor.to_dense()
