"""A run of a program by the interpreter, each operation with the values that it gave, as JSON.

    recording, outcome = record(function, values)

The parts of a recording (docs/debugging.md has an example):

    format       "minits recording 2"
    program      the name of the function
    sources      the texts of the functions that ran: file, first_line, text
    graphs       their graphs: the function's name, and its operations, from the one number up to
                 the other
    operations   the nodes of the graphs, as they are printed: text, kind, names of inputs and
                 outputs, source (its number), line, column, end_line, end_column
    frames       the calls: the number of the graph, and the step of the call (none of the first)
    steps        what happened, in order, each in a frame
    cut          whether steps are missing at the end, since there were too many
    result       the summary of what was returned, if it was
    error        the program's exception, if there was one

A step's `what` is one of

    call         a frame begins; `values` are the parameters
    op           an operation ran; `values` are its outputs, and inputs that it wrote to; `printed`
                 is what it printed
    enter        an operation with blocks, or a call, begins
    block        block `block` of `op` begins; of a loop, trip `iteration`; `values` are its inputs
    leave        an operation that was entered ends; `values` are its outputs
    raise        an operation raised `error`
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from minits.codegen.script_traceback import class_name_of, message_of
from minits.ir.alias import written_inputs
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.places import near_range
from minits.ir.printer import printed_lines
from minits.ops.implementations.text import printed_text
from minits.runtime.interpreter import Steps, run
from minits.runtime.script import ScriptFunction, ScriptMethod
from minits.short_names import with_short_names
from minits.source import SourceFile, SourceRange
from minits.stepping.values import summary
from minits.types.types import FunctionType

FORMAT = "minits recording 2"
MOST_STEPS = 20_000
MOST_PRINTED = 2_000
"""The number of characters that are kept of what one operation prints."""

Recording = dict[str, Any]


class Outcome(NamedTuple):
    """The end of a run: a result, or an exception that was raised at a place."""

    result: Any
    error: Exception | None
    places: Sequence[SourceRange]
    """The place of the exception, and those of the calls around it, the innermost first."""
    graphs: Sequence[Graph] = ()
    """Those that `graphs` of the recording tells of, in its order."""


def record(
    function: ScriptFunction, values: Sequence[Any], most_steps: int = MOST_STEPS
) -> tuple[Recording, Outcome]:
    """Run a function with the values of all its parameters; return the recording and the outcome.

    The program runs on after `most_steps`, and is not recorded any more.
    """
    recorder = Recorder(_program(function), most_steps)
    result, problem = None, None
    try:
        result = run(function.graph, *values, steps=recorder)
        recorder.recording["result"] = summary(result)
    except Exception as error:
        problem = error
    return recorder.recording, Outcome(result, problem, recorder.places, [*recorder.graphs])


class Recorder(Steps):
    """A watcher of a run, which fills `recording`."""

    def __init__(self, program: str, most_steps: int) -> None:
        super().__init__(0)
        self.places: list[SourceRange] = []
        self.graphs: dict[Graph, int] = {}
        self.recording: Recording = {
            "format": FORMAT, "program": program, "sources": [], "graphs": [], "operations": [],
            "frames": [], "steps": [], "cut": False, "result": None, "error": None,
        }  # fmt: skip
        self._most = most_steps
        self._steps: list[dict[str, Any]] = self.recording["steps"]
        self._operations: dict[Node, int] = {}
        self._sources: dict[tuple[str, int, str], int] = {}
        self._open: list[tuple[Node, int, int]] = []  # the step, and the frame that it is in
        self._inputs: list[Sequence[Any]] = []
        self._frame = -1

    # ---- Steps -----------------------------------------------------------------------------------

    def take(self) -> None:
        """Count nothing: a recording is bounded, not the run."""

    def before(self, node: Node, inputs: Sequence[Any]) -> None:
        step = self._add("op", node)
        if step >= 0 and node.kind == "prim::Print":
            self._steps[step]["printed"] = printed_text(*inputs)[:MOST_PRINTED]
        self._open.append((node, step, self._frame))
        self._inputs.append(tuple(inputs))  # a loop takes the list over

    def after(self, node: Node, results: Sequence[Any]) -> None:
        _, begun, self._frame = self._open.pop()
        inputs = self._inputs.pop()
        if begun < 0:
            return
        was_entered = begun != len(self._steps) - 1
        step = begun if not was_entered else self._add("leave", node)
        if step >= 0:
            written = written_inputs(node)
            pairs = [pair for pair in zip(node.inputs, inputs, strict=True) if pair[0] in written]
            self._steps[step]["values"] = _named([*pairs, *zip(node.outputs, results, strict=True)])

    def enter(self, block: Block, inputs: Sequence[Any]) -> None:
        opened = self._open[-1] if self._open else None
        if opened is not None and opened[1] >= 0:
            self._steps[opened[1]]["what"] = "enter"
        node = block.owning_node
        if node is None:
            self._begin_frame(block.graph, opened)
        step = self._add("call" if node is None else "block", node)
        if step < 0:
            return
        self._steps[step]["values"] = _named(zip(block.inputs, inputs, strict=True))
        if node is not None:
            self._steps[step]["block"] = node.blocks.index(block)
            if node.kind == "prim::Loop":
                self._steps[step]["iteration"] = inputs[0]

    def raised(self, error: BaseException) -> None:
        """Keep the exception and its place, the first time that it is told."""
        if self.recording["error"] is not None or not isinstance(error, Exception):
            return
        text = f"{class_name_of(error)}: {message_of(error)}"
        self.recording["error"] = text
        calls = {frame: node for node, _, frame in self._open}  # of each frame the innermost
        places = [near_range(node) for node in reversed(calls.values())]
        self.places = [loc for loc in places if loc is not None]
        if not self._open:
            return
        node, begun, self._frame = self._open[-1]
        step = begun if begun == len(self._steps) - 1 else self._add("raise", node)
        if step >= 0:
            self._steps[step].update(what="raise", error=text)
        self._most = 0  # what managers do on the way out is no part of it

    # ---- Parts -----------------------------------------------------------------------------------

    def _begin_frame(self, graph: Graph, opened: tuple[Node, int, int] | None) -> None:
        """Add a call of a graph, by the operation that is open."""
        if len(self._steps) >= self._most:
            return
        if graph not in self.graphs:
            name = self.recording["program"] if opened is None else _called(opened[0], graph)
            self._add_graph(graph, name)
        caller = None if opened is None else opened[1]
        self._frame = len(self.recording["frames"])
        self.recording["frames"].append({"graph": self.graphs[graph], "caller": caller})

    def _add(self, what: str, node: Node | None) -> int:
        """Add a step and return its number, -1 where there is no room for it."""
        if len(self._steps) >= self._most:
            self.recording["cut"] |= self.recording["error"] is None
            return -1
        step: dict[str, Any] = {"what": what, "frame": self._frame}
        if node is not None:
            step["op"] = self._operations[node]
        self._steps.append(step)
        return len(self._steps) - 1

    def _add_graph(self, graph: Graph, name: str) -> None:
        self.graphs[graph] = len(self.graphs)
        operations = self.recording["operations"]
        begin = len(operations)
        for node, text in printed_lines(graph, ranges=False):
            if node.graph is graph:  # those of forks are graphs of their own
                self._operations[node] = len(operations)
                operations.append(self._described(node, text.rstrip("\n")))
        span = [begin, len(operations)]
        self.recording["graphs"].append({"function": name, "operations": span})

    def _described(self, node: Node, text: str) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "text": text, "kind": node.kind,
            "inputs": [value.name for value in node.inputs],
            "outputs": [value.name for value in node.outputs],
        }  # fmt: skip
        loc = near_range(node)
        if loc is not None:
            (line, column), (end_line, end_column) = loc.begin, loc.finish
            entry |= {
                "source": self._source(loc.source), "line": line, "column": column,
                "end_line": end_line, "end_column": end_column,
            }  # fmt: skip
        return entry

    def _source(self, source: SourceFile) -> int:
        key = (source.filename, source.first_line, source.text)
        found = self._sources.get(key)
        if found is None:
            found = self._sources[key] = len(self._sources)
            file, first_line, text = key
            entry = {"file": file, "first_line": first_line, "text": text}
            self.recording["sources"].append(entry)
        return found


def _named(pairs: Any) -> dict[str, Any]:
    found: Sequence[tuple[Value, Any]] = list(pairs)
    return {value.name: summary(given) for value, given in found}


def _program(function: ScriptFunction) -> str:
    return (
        _method(function.graph, function.name)
        if isinstance(function, ScriptMethod)
        else function.name
    )


def _called(node: Node, graph: Graph) -> str:
    """Return the name of what a node calls, whose graph this is: `Linear.forward`."""
    if node.kind == "prim::CallMethod":
        return _method(graph, node["name"])
    type = node.inputs[0].type if node.inputs else None
    return type.function.name if isinstance(type, FunctionType) else node.kind


def _method(graph: Graph, name: str) -> str:
    return with_short_names(f"{graph.inputs[0].type.annotation}.{name}")
