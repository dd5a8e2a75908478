"""A function in C while its nodes are printed: its names, and what it turns out to need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import torch

from minits.codegen.integer_bounds import IntegerBounds
from minits.ir.graph import Graph, Node, Value
from minits.native.c_types import NotNative, holds_object, is_tensor, tagged
from minits.native.calls import CALL
from minits.native.complex_numbers import BOXED
from minits.native.elements import Elements
from minits.native.names import Names
from minits.native.questions import ASK
from minits.native.sites import Site, told_values
from minits.native.tags import Tags, holds_any
from minits.types import types as t


class FunctionBody(ABC):
    """A function in C. `sites` are the places where it may raise, numbered from 1.

    graph: its nodes
    tags: the types of values that tell their own
    shared: lists and dicts of the caller of all, which has them in the first slots of `out`
    has_handles: whether tensors are handles of torch; else only their elements are native
    """

    has_python = True
    """Whether there is Python, for C to ask it."""

    def __init__(self, graph: Graph, tags: Tags, has_handles: bool) -> None:
        self.graph, self.tags, self.has_handles = graph, tags, has_handles
        self.shared: Sequence[Value] = ()
        self.names = Names()
        self.sites: list[Site] = []
        self.places: dict[Node, Node] = {}
        """By node without a place in the program: the one whose place it has (`outlining.py`)."""
        self.definitions: list[str] = []
        """The functions in C that it calls before any other does."""
        self.bounds = IntegerBounds(graph)
        self.elements = Elements(self)
        self.questions: Sequence[Any] = ()
        self.writes_lists = self.prints = self.asks = self.calls_groups = False
        self.has_lists = False
        """Whether it has a pool, known once it is printed."""
        self.takes_shortcuts = self.has_shortcuts = False
        """Whether it may do operators of torch itself (`shortcuts.py`), and whether it does."""

    @abstractmethod
    def literal(self, content: Any) -> str:
        """Return the text of a constant number, str, object of Python, member of an enum or None.

        Raises `NotNative` for an object where there is no Python.
        """

    @abstractmethod
    def retype(self, value: Value, type: t.Type) -> None:
        """Give a value the type that it has in C."""

    @abstractmethod
    def constant_tensor(self, content: torch.Tensor) -> str:
        """Return the expression of a new tensor, which is a constant. Raises `NotNative`."""

    @abstractmethod
    def number_of_group(self, node: Node) -> int:
        """Return the number of a fused group, which the function calls. Raises `NotNative`."""

    def is_element(self, value: Value) -> bool:
        """Return whether a value is a tensor to the program, and a number in C."""
        return not self.has_handles and is_tensor(value)

    def may_hold_object(self, type: t.Type) -> bool:
        return holds_object(type) or (self.tags.has_objects and holds_any(type))

    def site(self, node: Node, is_torch: bool = False) -> tuple[int, list[Value]]:
        """Return the number of a new site, and the values that it tells.

        A complex number is told in a box. Raises `NotNative` for the message of what may be an
        object.
        """
        told = [] if node.kind == ASK else told_values(node, self.has_handles)
        for value in told if node.kind == "prim::RaiseException" else ():
            if tagged(value.type) and self.may_hold_object(value.type):
                raise NotNative(node, value.type.annotation)
        at_boundary = self.tags.at_boundary
        types = [BOXED if value.type == t.COMPLEX else at_boundary(value.type) for value in told]
        self.sites.append(Site(node, told, types, is_torch, self.places.get(node)))
        return len(self.sites), told

    def keep_names_of_callees(self) -> None:
        """Take the names of the functions that are called, before variables have them."""
        for node in self.graph.nodes_of_kind(CALL):
            self.names.take(node["call"].callee.name)
