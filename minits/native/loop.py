"""A marked loop as a Python callable: C where its tensors allow that, else generated Python.

    loop = NativeLoop(graph, "viterbi")
    score = loop.call(steps, score, transitions)

A function in C is made for each kind of its tensors (dtype, number of dimensions), and each default
dtype, to which floats are rounded that become tensors. It reads and writes their memory, so that
they have to be plain tensors of the CPU, and no gradients may be recorded of what is written. Lists
that the loop writes to are the caller's own again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import torch

from minits.bounded_cache import BoundedCache
from minits.codegen.python import compile_graph
from minits.ir.graph import Graph
from minits.kernels.launch.guards import Guard, guard_now, test_of
from minits.kernels.launch.observers import is_observed, is_recording
from minits.native.c_types import NotNative
from minits.native.elements import Kind
from minits.native.function import NativeFunction
from minits.native.hot import NativeRun
from minits.native.modes import LOOP
from minits.types import types as t
from minits.types.tensor_meta import is_plain

MOST_KINDS = 16
"""Kinds of tensors for which a loop is kept as C."""
Run = Callable[..., Any]


class NativeLoop:
    """A loop of a plan, as `outlined` made a graph of it. is_inner: other loops are around it."""

    def __init__(self, graph: Graph, name: str, is_inner: bool) -> None:
        self.graph, self.name, self.is_inner = graph, name, is_inner
        self._tensors = [i for i, value in enumerate(graph.inputs) if value.type == t.TENSOR]
        self._lists = [
            i
            for i, value in enumerate(graph.inputs)
            if isinstance(value.type, (t.ListType, t.DictType))
        ]
        self._held = [
            i
            for i, value in enumerate(graph.inputs)
            if isinstance(value.type, (t.ListType, t.DictType)) or value.type == t.STR
        ]
        self._runs: BoundedCache[Any, NativeRun | None] = BoundedCache(MOST_KINDS)
        """By the default dtype and kinds of tensors; None for those for which it is not native."""

        self._tests: BoundedCache[Any, tuple[Guard, NativeRun]] = BoundedCache(MOST_KINDS)
        """For the same keys: a test whether a call is like one that ran as C, and what that ran."""
        self._last: tuple[Guard, NativeRun] | None = None
        """The one of the last call that was looked up."""

        def call(*values: Any) -> Any:
            last = self._last
            if last is not None and last[0](*values):
                return last[1](*values)
            return self._run_for(values)(*values)

        self.call = call
        call.__dict__[LOOP] = self

    @cached_property
    def python(self) -> Run:
        """The loop as generated Python."""
        return compile_graph(self.graph, self.name)

    def _run_for(self, values: Sequence[Any]) -> Run:
        """Return the function that runs the loop for these values."""
        if any(values[index] is None for index in self._held):
            return self.python  # what is not initialized, and which the loop does not read
        tensors = [values[index] for index in self._tensors]
        try:
            key = torch.get_default_dtype(), *[(each.dtype, each.dim()) for each in tensors]
        except AttributeError:  # None, where a tensor is undefined
            return self.python
        try:
            run = self._runs[key]
        except KeyError:
            run = self._runs.put(key, self._made(key))
        if run is None or not all(map(_lies_in_memory, tensors)) or is_observed():
            return self.python
        native = run.native
        if native.writes_lists and len({id(values[i]) for i in self._lists}) < len(self._lists):
            return self.python  # one list under two names
        gives_tensors = native.gives_elements or native.written
        if gives_tensors and is_recording() and any(each.requires_grad for each in tensors):
            return self.python
        if any(map(_refuses_writes, [values[index] for index in native.written])):
            return self.python
        if not self._held and not any(each.requires_grad for each in tensors):
            self._last = self._tests.get(key) or self._tests.put(
                key, (self._test_for(tensors), run)
            )
        return run

    def _test_for(self, tensors: Sequence[torch.Tensor]) -> Guard:
        """Return a test whether a call is like one with these tensors, but for their sizes.

        All that decides what a loop without lists runs, unless it records gradients, is a property
        of tensors and of the process that guards compare.
        """
        names = [f"i{index}" for index in range(len(self.graph.inputs))]
        text, kept = guard_now([names[index] for index in self._tensors], tensors, any_sizes=True)
        return test_of(names, text, kept)

    def _made(self, key: Any) -> NativeRun | None:
        kinds: list[Kind | None] = [None] * len(self.graph.inputs)
        for index, (dtype, rank) in zip(self._tensors, key[1:], strict=True):
            kinds[index] = Kind(dtype, rank)
        try:
            native = NativeFunction(self.graph, self.name, kinds, is_part=True)
        except NotNative:
            return None
        return NativeRun(native, self._run_python, self.is_inner)

    def _run_python(self, *values: Any) -> Any:
        return self.python(*values)

    def report(self) -> list[str]:
        """Return lines for people."""
        loops = self.graph.nodes_of_kind("prim::Loop")
        line = "" if loops[0].range is None else f" at line {loops[0].range.begin.line}"
        runs = [run for run in self._runs.values() if run is not None]
        return [f"the loop{line} {run.report()}" for run in runs]


def _lies_in_memory(tensor: torch.Tensor) -> bool:
    return tensor.is_cpu and is_plain(tensor)


def _refuses_writes(tensor: torch.Tensor) -> bool:
    return tensor.is_inference() and not torch.is_inference_mode_enabled()
