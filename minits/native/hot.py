"""Going over from generated Python to C.

    MINITS_NATIVE=hot     a plan with loops is built, in the background, once its calls have run for
                          as long as a compiler takes; at once if the cache has it (the default)
    MINITS_NATIVE=now     every plan that can be C is, with loops or without; the call that makes it
                          waits for the compiler
    MINITS_NATIVE=whole   every plan that can be C is, and stays it; those of tensors are C as a
                          whole, without kernels
    MINITS_NATIVE=off     generated Python only

A plan that saves nothing but steps between torch's operators is tried: it is generated Python again
if its calls take less time so, unless MINITS_NATIVE is `whole`.

Both give the same results and errors, so a call does not tell which one it was; `plan_report()`
does.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from minits.ir.graph import Graph, Node
from minits.ir.running_again import may_run_again
from minits.kernels.cpu.background import BACKGROUND, BeingBuilt, Job
from minits.kernels.cpu.c_build import NoCompiler
from minits.native.c_types import NotNative
from minits.native.dynamic_numbers import left_to_python
from minits.native.function import NativeFunction
from minits.native.modes import is_whole, mode
from minits.native.questions import asked_in
from minits.native.tensor_calls import is_call
from minits.ops.properties import FORKS
from minits.passes.remarks import Remark, missed
from minits.types import types as t

WORTH_BUILDING = 0.1
"""Seconds that calls have run in Python: about what building a small program takes."""
WORTH_CALLING = 2e-5
"""Seconds that a loop in another loop must take in Python to run as C: a call has a price."""
CALLS_TO_LOOK_AT = 8
"""Calls of such a loop by which that is decided, after the first one."""
CALLS_TO_TRY = 16
"""Calls in a turn of C, or of Python, by which it is decided whether a plan stays C: the first of a
turn are slow, as caches have other code."""
TURNS = 4

Run = Callable[..., Any]


def native_function(
    graph: Graph, name: str, call: Sequence[Any] | None = None
) -> tuple[NativeFunction | None, list[Remark]]:
    """Return a graph as a function in C; else None, and why not.

    It is for graphs of which C is wanted (`modes.py`), and made for a call, if that is known.
    """
    forks = [] if is_whole() else graph.nodes_of_kind(*FORKS)
    if forks:  # threads run these at the same time, and C one after the other
        return None, [_missed(NotNative(forks[0], forks[0].kind))]
    asked = None if is_whole() else asked_in(graph)
    if asked is not None:  # Python answers its own questions sooner
        return None, [_missed(NotNative(asked, asked.kind))]
    left = left_to_python(graph)
    if left is not None and not may_run_again(graph):
        return None, [_missed(NotNative(left, f"{left.kind} of a number that may be complex"))]
    try:
        return NativeFunction(graph, name, call=call), []
    except NotNative as fault:
        return None, [_missed(fault)]


def _missed(fault: NotNative) -> Remark:
    message = f"{fault}: the program runs as Python"
    return missed(fault.node, f"not-native({fault.what})", message)


def is_to_be_tried(graph: Graph) -> bool:
    """Return whether C may be slower than Python: each loop, if there are any, calls torch.

    To call C costs a few microseconds, which a few operators do not save, and torch's operators
    take longer by its C interface. A loop of numbers is faster in any case, if it is long.
    """
    return all(
        any(is_call(node) and _gives_tensor(node) for node in loop.blocks[0].nodes)
        for loop in graph.nodes_of_kind("prim::Loop")
    )


def _gives_tensor(node: Node) -> bool:
    return any(value.type == t.TENSOR for value in node.outputs)


class Trial:
    """Calls of a plan by turns in C and in Python."""

    def __init__(self) -> None:
        self._runs = 0
        self._least = [math.inf, math.inf]
        """The seconds of the shortest call in C, and in Python."""

    @property
    def is_over(self) -> bool:
        return self._runs >= TURNS * CALLS_TO_TRY

    @property
    def is_python_faster(self) -> bool:
        """Return whether Python was faster, once the trial is over."""
        in_c, in_python = self._least
        return self.is_over and in_python < in_c

    def run(self, c: Run, python: Run, values: Sequence[Any]) -> Any:
        """Run a call one way and take its time."""
        way = self._runs // CALLS_TO_TRY % 2
        self._runs += 1
        started = time.perf_counter()
        result = (c, python)[way](*values)
        self._least[way] = min(self._least[way], time.perf_counter() - started)
        return result


class NativeRun:
    """A plan's function in Python and in C: a call runs the latter if it is built.

    is_short: its calls may be shorter than it takes to call C.
    is_tried: C may be slower.
    """

    def __init__(
        self,
        native: NativeFunction,
        python: Callable[..., Any],
        is_short: bool = False,
        is_tried: bool = False,
    ) -> None:
        self.native, self.python = native, python
        self._is_short = is_short
        self._calls = 0
        self._seconds = 0.0
        self._job: Job | None = None
        self._refused: str | None = None
        self._is_python_faster = False
        self._trial = Trial() if is_tried and not is_whole() else None
        self._begin()

    @property
    def is_built(self) -> bool:
        """Return whether C is there."""
        return self.native.call is not None

    def _begin(self) -> None:
        """Load what is in the cache; build it if it is not there and MINITS_NATIVE says
        so.

        A part of a program whose calls may be short is looked at first, unless it is `now`.
        """
        waits = mode() in ("now", "whole")
        if self._is_short and not waits:
            return
        try:
            if waits or self.native.is_built:
                self.native.build()
        except NoCompiler as fault:
            self._refused = str(fault)

    def __call__(self, *values: Any) -> Any:
        if self._is_python_faster:
            return self.python(*values)
        call = self.native.call
        if call is not None:
            trial = self._trial
            if trial is not None:
                return self._tried(trial, values)
            try:
                return call(*values)
            except ctypes.ArgumentError:  # of torch.export, a symbol; `PythonAlone`
                return self.python(*values)
        if self._refused is not None:
            return self.python(*values)
        started = time.perf_counter()
        try:
            return self.python(*values)
        finally:
            self._calls += 1
            self._seconds += time.perf_counter() - started
            if self._is_short and self._calls == 1:
                self._seconds = 0.0  # it has made the generated Python
            elif self._is_short and self._calls > CALLS_TO_LOOK_AT:
                self._look()
            elif self._seconds > WORTH_BUILDING:
                self._build()

    def _tried(self, trial: Trial, values: Sequence[Any]) -> Any:
        """Run a call of the trial, and decide at its end."""
        if trial.is_over:
            self._is_python_faster, self._trial = trial.is_python_faster, None
            return self(*values)
        assert self.native.call is not None
        try:
            return trial.run(self.native.call, self.python, values)
        except ctypes.ArgumentError:
            return self.python(*values)

    def _look(self) -> None:
        """Decide by the first calls whether they are long enough for C."""
        if self._seconds < CALLS_TO_LOOK_AT * WORTH_CALLING:
            self._refused = f"it takes less than {WORTH_CALLING * 1e6:.0f} µs"
            return
        self._is_short = False
        self._begin()

    def _build(self) -> None:
        """Have it built, once, or take over what was built meanwhile."""
        try:
            if self._job is None or self._job.is_lost:
                self._job = BACKGROUND.submit(self.native.builder())
                return
            self._job.result(waits=False)
            self.native.build()
        except BeingBuilt:
            return
        except NoCompiler as fault:
            self._refused = str(fault)

    def report(self) -> str:
        """Return a line for people."""
        if self.is_built:
            if self._is_python_faster:
                return "runs as Python, which is faster"
            return "runs as C"
        if self._refused is not None:
            return f"runs as Python: {self._refused}"
        return f"runs as Python so far, {self._seconds:.2f} s of {WORTH_BUILDING} s"
