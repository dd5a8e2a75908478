"""The stored form of plans: how it is written and read.

A stored plan has what calls run: generated code, the operators and groups that the code names, and
the launches of these groups. It has no graph: a plan whose graph is asked for is made anew. Only
the graph of each group is kept, in bytes that are read if the group meets inputs of another kind.

    StoredFamily                what plans of a pattern of None share
      StoredPlan                by signature: code, names, groups
        StoredGroup             its graph, and launches by the key of its inputs
        StoredBound             by the key of a call: the launches of kernels that read its tensors

A plan that refers to anything but functions, constants and types of torch and minits is not stored.
"""

from __future__ import annotations

import builtins
import io
import marshal
import pickle
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType
from typing import Any

import torch

from minits.codegen.generated import EVALUATED, STACKS, Stack
from minits.codegen.group_body import Body
from minits.codegen.groups import Group, group_of
from minits.codegen.stored_launch import StoredLaunch
from minits.identity import Identity
from minits.ir.graph import Attr, Graph
from minits.ir.in_place import lying_as_written, wrapped
from minits.ir.packing import pack, unpack
from minits.kernels.launch.launch import Parts
from minits.ops.properties import NodeLike
from minits.passes.specialization.module_flags import Flag
from minits.records import dataclass, field
from minits.source import SourceFile, SourceRange
from minits.types import types as t

Run = Callable[..., Any]
_PLAIN = (
    t.Type, torch.dtype, torch.device, torch.layout, torch.memory_format, torch.Size,
    SourceRange, Attr, Flag, StoredLaunch, Parts, type(None), type(Ellipsis), slice,
)  # fmt: skip
MOST_LAUNCHES = 32
"""The number of launches that are stored for a group: the newest ones."""
_MODULES = ("torch", "minits", "builtins", "math", "operator")


class NotStorable(Exception):
    """Raised for a plan that refers to an object which another process cannot find."""


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A `Value` reduced to what an operator's evaluator reads of it."""

    type: t.Type


@dataclass(frozen=True, slots=True)
class StoredNode:
    """A `Node` reduced to what an operator's evaluator reads of it (`NodeLike`)."""

    kind: str
    inputs: tuple[StoredValue, ...]
    outputs: tuple[StoredValue, ...]
    attributes: dict[str, Attr]
    range: SourceRange | None = None

    def __getitem__(self, attribute: str) -> Any:
        return self.attributes[attribute].value

    @classmethod
    def of(cls, node: NodeLike) -> StoredNode:
        inputs = tuple([StoredValue(value.type) for value in node.inputs])
        outputs = tuple([StoredValue(value.type) for value in node.outputs])
        return cls(node.kind, inputs, outputs, dict(node.attributes))


@dataclass(frozen=True, slots=True)
class StoredGroup:
    """A group. `graph` are the bytes of its packed graph and of its range."""

    name: str
    inputs: int
    tensors: list[int]
    is_single: bool
    temporaries: frozenset[int]
    graph: bytes
    launches: dict[Any, StoredLaunch]


@dataclass(frozen=True, slots=True)
class StoredBound:
    """The stored form of a `Bound`: a launch for each of the plan's groups, by its name.

    If it `is_launch`, the single launch is all that a call runs.
    """

    launches: dict[str, StoredLaunch]
    is_launch: bool
    is_whole: bool


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """The code of a plan. `operators` are the nodes whose functions it calls, by their names."""

    signature: str
    code: bytes
    names: dict[str, Any]
    operators: dict[str, StoredNode]
    stacks: bytes
    groups: list[StoredGroup]
    bound: dict[Any, StoredBound]


@dataclass(eq=False, slots=True)
class StoredFamily:
    """The stored form of a `Family`, with its plans. `attributes` are Python expressions."""

    description: str
    fuses: bool
    flags: list[Flag]
    tensors: list[int]
    attributes: list[str]
    plans: dict[Any, StoredPlan] = field(default_factory=dict)


# ---- Writing -----------------------------------------------------------------------------------


def stored_plan(
    signature: str, run: Run, bound: dict[Any, StoredBound], externals: list[Any]
) -> StoredPlan:
    """Return the stored form of a plan. Raises NotStorable."""
    names, groups = {}, []
    evaluated: dict[str, NodeLike] = run.__dict__[EVALUATED]
    for name, value in list(run.__globals__.items()):
        group = group_of(value)
        if group is not None:
            groups.append(_stored_group(name, group, externals))
        elif name not in evaluated and name not in ("__builtins__", STACKS):
            names[name] = value
    return StoredPlan(
        signature,
        marshal.dumps(run.__code__),
        names,
        {name: StoredNode.of(node) for name, node in evaluated.items()},
        dumps(run.__globals__[STACKS], externals),
        groups,
        bound,
    )


def _stored_group(name: str, group: Group, externals: list[Any]) -> StoredGroup:
    body = group.body
    graph = dumps((pack(body.graph), body.range), externals)
    launches = dict(list(group.launches().items())[-MOST_LAUNCHES:])
    return StoredGroup(
        name, body.inputs, body.tensors, body.is_single, body.temporaries, graph, launches
    )


def dumps(content: Any, externals: list[Any]) -> bytes:
    """Return `content` in bytes. Raises NotStorable."""
    file = io.BytesIO()
    try:
        _Pickler(file, externals).dump(content)
    except (pickle.PicklingError, AttributeError, TypeError) as fault:  # as of a local function
        raise NotStorable(str(fault)) from None
    return file.getvalue()


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, externals: list[Any]) -> None:
        super().__init__(file, protocol=5)
        self._numbers = {Identity(thing): number for number, thing in enumerate(externals)}

    def persistent_id(self, content: Any) -> Any:
        """Name a class or a source file by its number, and a simple type by its name.

        Raises NotStorable.
        """
        if isinstance(content, (t.ClassType, SourceFile)):
            number = self._numbers.get(Identity(content))
            if number is None:
                raise NotStorable(str(content))
            return number
        return _names_of_types().get(id(content)) if type(content) is t.SimpleType else None

    def reducer_override(self, content: Any) -> Any:
        """Raise NotStorable for what is neither plain nor found by its name in torch or minits."""
        if isinstance(content, _PLAIN) or type(content).__module__ == __name__:
            return NotImplemented
        inner = wrapped(content)
        if inner is not None:
            return lying_as_written, (inner,)
        if isinstance(content, (type, FunctionType)):
            if content.__module__.partition(".")[0] in _MODULES:
                return NotImplemented
        elif isinstance(content, (BuiltinFunctionType, MethodDescriptorType)):
            return NotImplemented
        raise NotStorable(repr(content))


@lru_cache(maxsize=1)
def _names_of_types() -> dict[int, str]:
    return {id(type): name for name, type in vars(t).items() if isinstance(type, t.SimpleType)}


# ---- Reading -----------------------------------------------------------------------------------


def loads(content: bytes, externals: list[Any]) -> Any:
    """Return the object that `dumps` wrote, with the classes and source files of this process."""
    return _Unpickler(io.BytesIO(content), externals).load()


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, externals: list[Any]) -> None:
        super().__init__(file)
        self._externals = externals

    def persistent_load(self, name: Any) -> Any:
        return getattr(t, name) if isinstance(name, str) else self._externals[name]


class StoredStacks:
    """The source ranges and calls of a plan's nodes, read when something is raised."""

    def __init__(self, content: bytes, externals: list[Any]) -> None:
        self._content = content
        self._externals = externals

    def __iter__(self) -> Iterator[tuple[Any, Stack]]:
        return iter(loads(self._content, self._externals))


def restored_run(stored: StoredPlan, name: str, externals: list[Any]) -> Run:
    """Return the function that a plan runs."""
    namespace: dict[str, Any] = {
        **stored.names,
        **_functions_of(stored.operators),
        **{group.name: _restored_group(group, externals).call for group in stored.groups},
        STACKS: StoredStacks(stored.stacks, externals),
        "__builtins__": builtins,  # which operators of torch import by
    }
    run = FunctionType(marshal.loads(stored.code), namespace, name)
    run.__qualname__ = name
    return run


def _functions_of(nodes: dict[str, StoredNode]) -> dict[str, Any]:
    if not nodes:
        return {}
    from minits.codegen.evaluated import function_of  # with all operators that are Python's

    return {name: function_of(node) for name, node in nodes.items()}


def _restored_group(stored: StoredGroup, externals: list[Any]) -> Group:
    def read() -> tuple[Graph, SourceRange | None]:
        packed, where = loads(stored.graph, externals)
        return unpack(packed), where

    temporaries = stored.temporaries
    body = Body(
        stored.name, stored.inputs, stored.tensors, stored.is_single, read, lambda: temporaries
    )
    return Group(body, stored.launches)
