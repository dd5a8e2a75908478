"""Calls of a `torch.autograd.Function` in a trace: one node each, which calls Python again.

    Scaled.apply(x, 2)       records, with x : %x
    %3 : Tensor = ^Scaled[inplace=0, module="model", Subgraph=<Graph>](2)(%x)

So gradients are those of the function's `backward`. Arguments that are no tensors stand in the
node; `Subgraph` has the operators that `forward` has run, of which the archive is made.

Where `forward` uses other tensors of the trace than its arguments, such as a parameter, its
operators are recorded in the place of the call, with a warning; torch.jit.trace fails there.

Source: torch/csrc/autograd/python_function.cpp (`_trace_pre_record`, `_trace_post_record`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from torch import Tensor

from minits.ir.copying import clone_node, copy_metadata
from minits.ir.graph import Graph, Node, Value
from minits.passes.pipeline import run_pipeline
from minits.records import dataclass
from minits.tracing.module_attributes import FORK, FORWARD
from minits.tracing.program_lines import calling_frame
from minits.tracing.recorder import Recorder
from minits.tracing.warning import warn
from minits.types import types as t


@dataclass(eq=False, slots=True)
class AppliedFunction:
    """Calls a `torch.autograd.Function` with the arguments of the trace and other tensors.

    given: the arguments, `TENSOR` in the place of each tensor.
    """

    function: type[Any]
    given: tuple[Any, ...]
    is_in_place: bool

    def __call__(self, *tensors: Any) -> Any:
        """Return the result. Raises RuntimeError for a function that has written to a tensor."""
        if self.is_in_place:
            raise RuntimeError(f"inplace {self.function.__name__} not supported in the JIT")
        left = iter(tensors)
        return self.function.apply(*(next(left) if g is TENSOR else g for g in self.given))


TENSOR = object()


def record_apply(
    recorder: Recorder, function: type[Any], apply: Callable[..., Any], args: tuple[Any, ...]
) -> Any:
    """Record a call, make it, and return its result. Raises what the function raises."""
    tensors = [arg for arg in args if isinstance(arg, Tensor)]
    with recorder.at_program_line():
        inputs = [recorder.value_of(tensor) for tensor in tensors]
        node = recorder.located(recorder.insert("prim::PythonOp", inputs, ()))
    try:
        result = apply(*args)
    except BaseException:
        node.destroy()
        raise
    results = result if isinstance(result, tuple) else (result,)
    body = _body(recorder, node, results)
    if body is None:
        node.destroy()
        warn(
            f"{function.__name__}.forward uses tensors of the trace that are not its arguments: "
            "the trace records what it does, and not its backward, so that gradients are those "
            "of the operators",
            calling_frame(),
        )
        return result
    is_in_place = any(each is tensor for each in results for tensor in tensors)
    given = tuple(TENSOR if isinstance(arg, Tensor) else arg for arg in args)
    node.set_attr("name", "s", function.__name__)
    node.set_attr("pyobj", "py", AppliedFunction(function, given, is_in_place))
    node.set_attr("scalar_args", "ival", tuple(arg for arg in given if arg is not TENSOR))
    node.set_attr("inplace", "i", int(is_in_place))
    node.set_attr("module", "s", function.__module__)
    node.set_attr("Subgraph", "g", body)
    with recorder.paused():
        _bind(recorder, node, result, results)
    return result


def _bind(recorder: Recorder, node: Node, result: Any, results: tuple[Any, ...]) -> None:
    """Let the results be those of a node: of a tuple, each is an item."""
    if not isinstance(result, tuple):
        recorder.bind_output(result, node.add_output())
        return
    types = [t.TENSOR] * len(results)
    whole = node.add_output(t.TupleType(tuple(types)))
    with recorder.graph.inserting_at(node.next):
        items = recorder.insert("prim::TupleUnpack", [whole], types).outputs
    for each, item in zip(results, items, strict=True):
        if isinstance(each, Tensor):
            recorder.bind_output(each, item)
    recorder.notes.types[whole] = recorder.notes.type_of_tuple(items)


def _body(recorder: Recorder, call: Node, results: tuple[Any, ...]) -> Graph | None:
    """Return a graph, of a node's inputs, of the nodes that were recorded behind it.

    None if they use other values, or call methods of modules. They stay where they are, unused,
    until the trace is simplified.
    """
    graph = Graph()
    local: dict[Value, Value] = {}
    for value in call.inputs:
        copy = copy_metadata(graph.add_input(), value)
        local.setdefault(value, copy)
    for node in _behind(call):
        if node.kind in (FORWARD, FORK) or not all(value in local for value in node.inputs):
            return None
        copied = graph.insert(clone_node(graph, node, local.__getitem__))
        local.update(zip(node.outputs, copied.outputs, strict=True))
    for each in results:
        result = recorder.find(each) if isinstance(each, Tensor) else None
        if result not in local:
            return None
        graph.block.add_output(local[result])
    run_pipeline(graph, "trace")
    return graph


def _behind(node: Node) -> Iterator[Node]:
    while node.next is not node.owner.end:
        node = node.next
        yield node
