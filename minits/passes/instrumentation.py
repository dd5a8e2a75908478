"""Showing, checking and timing passes as they run, wherever they run.

    with instrumented(PassPrinter(print_ir_after="all", verify_each=True)):
        compiled.plan_for(x)

prints the graph after each pass of the plan. The flags are those of mlir-opt.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TextIO

from minits.ir.graph import Graph
from minits.ir.printer import print_graph
from minits.ir.verifier import verify
from minits.passes.joined_types import joins_fit


class Instrumentation(Protocol):
    """The callbacks before and after each pass.

    name: of the pass. program: the function whose graph it is, empty where none is known.
    """

    def before(self, name: str, graph: Graph, program: str) -> None: ...

    def after(
        self, name: str, graph: Graph, program: str, changed: bool, seconds: float
    ) -> None: ...


_current: ContextVar[Instrumentation | None] = ContextVar("instrumentation", default=None)


@contextmanager
def instrumented(instrumentation: Instrumentation) -> Iterator[None]:
    """Show the passes that run in the block to `instrumentation`, in this thread."""
    token = _current.set(instrumentation)
    try:
        yield
    finally:
        _current.reset(token)


def instrumentation() -> Instrumentation | None:
    """Return the instrumentation of this thread; None outside of `instrumented`."""
    return _current.get()


class PassPrinter:
    """Prints what passes do to graphs. `print_ir_before` and `_after` name a pass, or are "all".

    With `verify_each`, a pass that breaks a graph raises `InvalidIR`. `times` has the seconds that
    each pass took, those of the passes that it was followed by not among them.
    """

    def __init__(
        self,
        *,
        print_ir_before: str | None = None,
        print_ir_after: str | None = None,
        print_ir_after_change: bool = False,
        print_changed: str | None = None,
        verify_each: bool = False,
        out: TextIO | None = None,
    ) -> None:
        self._before_names = print_ir_before
        self._after_names = print_ir_after
        self._after_change = print_ir_after_change
        self._as_diff = print_changed == "diff"
        self._verify_each = verify_each
        self._out = out or sys.stderr
        self._text_before = ""
        self._joins_fit = True
        self.times: dict[str, float] = {}

    def before(self, name: str, graph: Graph, program: str) -> None:
        if self._verify_each:
            self._joins_fit = name not in _TYPED_AS_TORCH and joins_fit(graph)
        if self._as_diff:
            self._text_before = print_graph(graph)
        if self._before_names in ("all", name):
            self._dump("Before", _of(name, program), graph)

    def after(self, name: str, graph: Graph, program: str, changed: bool, seconds: float) -> None:
        self.times[name] = self.times.get(name, 0.0) + seconds
        if self._after_names in ("all", name) or (self._after_change and changed):
            self._dump("After", _of(name, program), graph)
        if self._as_diff:
            self._out.write(_diff(_of(name, program), self._text_before, print_graph(graph)))
        if self._verify_each:
            verify(graph, joins=self._joins_fit)

    def write_times(self) -> None:
        """Write how long each pass took, the longest first."""
        total = sum(self.times.values())
        self._out.write(f"{'seconds':>10}  {'share':>6}  pass\n")
        for name, seconds in sorted(self.times.items(), key=lambda item: -item[1]):
            self._out.write(f"{seconds:10.6f}  {seconds / (total or 1):6.1%}  {name}\n")
        self._out.write(f"{total:10.6f}  {1:6.1%}  total\n")

    def _dump(self, when: str, name: str, graph: Graph) -> None:
        header = f"// -----// IR Dump {when} {name} //----- //"
        self._out.write(f"{header}\n{print_graph(graph)}\n")


_TYPED_AS_TORCH = ("to-ssa", "exits")
"""The passes that give results of branches and loops torch's types, which values may not fit."""


def _of(name: str, program: str) -> str:
    """Return the name of a pass with the function that it runs on."""
    return f"{name} (function: {program})" if program else name


def _diff(name: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), f"before {name}", f"after {name}", lineterm=""
    )
    return "".join(f"{line}\n" for line in lines)
