"""The graph of a fused group, and the function that runs its operators one by one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from minits.ir.graph import Graph
from minits.source import SourceRange
from minits.types import types as t

Run = Callable[..., Any]


class Body:
    """The graph of a group. The graph and the functions made of it are computed on first use.

    `name` is the name of the group, `inputs` the number of its inputs, `tensors` the indices of
    those that are tensors; `is_single` if there is one output. `read()` returns the graph and its
    source range, `find_temporaries()` the `temporaries`.
    """

    def __init__(
        self,
        name: str,
        inputs: int,
        tensors: list[int],
        is_single: bool,
        read: Callable[[], tuple[Graph, SourceRange | None]],
        find_temporaries: Callable[[], frozenset[int]] = frozenset,
    ) -> None:
        self.name = name
        self.inputs = inputs
        self.tensors = tensors
        self.is_single = is_single
        self._read = read
        self._find_temporaries = find_temporaries

    @classmethod
    def of(
        cls,
        graph: Graph,
        name: str,
        loc: SourceRange | None = None,
        find_temporaries: Callable[[], frozenset[int]] = frozenset,
    ) -> Body:
        """Return the body of a graph that stands at `loc`."""
        tensors = [i for i, value in enumerate(graph.inputs) if value.type == t.TENSOR]
        is_single = len(graph.outputs) == 1
        inputs = len(graph.inputs)
        return cls(name, inputs, tensors, is_single, lambda: (graph, loc), find_temporaries)

    @cached_property
    def _content(self) -> tuple[Graph, SourceRange | None]:
        return self._read()

    @property
    def graph(self) -> Graph:
        return self._content[0]

    @property
    def range(self) -> SourceRange | None:
        return self._content[1]

    @cached_property
    def temporaries(self) -> frozenset[int]:
        """The inputs that nobody has but the plan, and to which nothing writes."""
        return self._find_temporaries()

    @cached_property
    def unfused(self) -> Run:
        """A function that computes the group operator by operator."""
        from minits.codegen.python import compile_graph

        return compile_graph(self.graph, self.name)

    def run_unfused(self, *values: Any) -> Any:
        """Compute the group operator by operator; the function is made at the first call."""
        return self.unfused(*values)
