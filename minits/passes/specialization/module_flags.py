"""Specialise a graph on the bool attributes of its module, and on which Optional ones are None.

Before, with a module in eval mode whose mask is given:
    graph(%self : Net, %x : Tensor):
      %drop : Dropout = prim::GetAttr[name="drop"](%self)
      %training : bool = prim::GetAttr[name="training"](%drop)
      %mask : Tensor? = prim::GetAttr[name="mask"](%self)
After:
      %training : bool = prim::Constant[value=0]()
      %mask : Tensor = prim::GetAttr[name="mask"](%self)

Where the mask is None, it is a constant. Which attributes there are is asked once (`flags_of`);
what they are at a call is part of what plans are told apart by. An attribute that the program sets
is left alone.

What plans rely on of an attribute that is a tensor, as its dtype, is compared at each call as well
(`tensor_attributes`).

Differs: torch.jit asks the user to freeze the module (torch/csrc/jit/passes/freeze_module.cpp).
"""

from __future__ import annotations

from collections.abc import Mapping
from keyword import iskeyword

from minits.ir.constants import make_constant
from minits.ir.graph import Graph, Node, Value
from minits.records import dataclass
from minits.types import types as t
from minits.types.subtyping import union_members, union_of

_CALLS = (
    "prim::CallMethod", "prim::CallFunction", "prim::fork", "prim::awaitable", "prim::PythonOp",
)  # fmt: skip
"""Nodes that may set attributes out of sight."""


@dataclass(frozen=True, slots=True)
class Flag:
    """An attribute that plans rely on: of a bool its value, of an Optional whether it is None.

    `path` are the names of attributes from the graph's module down to it. `slots` is the dict in
    which its module keeps it, such as `_parameters`; None where it may be in any.
    """

    path: tuple[str, ...]
    asks_for_none: bool = False
    slots: str | None = "__dict__"

    @property
    def text(self) -> str:
        """The expression that reads the flag of a call's arguments, a list called `values`."""
        read = _read(self.path, self.slots)
        return f"{read} is None" if self.asks_for_none else read

    def describe(self, content: bool) -> str:
        """Return the text of a report: `drop.training is True`, `mask is None`."""
        name = ".".join(self.path)
        if self.asks_for_none:
            return f"{name} is {'None' if content else 'given'}"
        return f"{name} is {content}"


def _read(path: tuple[str, ...], slots: str | None) -> str:
    """Return the expression that reads an attribute of a call's module.

    It goes past `nn.Module.__getattr__`, which takes longer than all the rest of it.
    """
    *modules, name = path
    owner = "".join(["values[0]", *[f"._modules[{each!r}]" for each in modules]])
    if slots is not None:
        return f"{owner}.{slots}[{name!r}]"
    is_written = name.isidentifier() and not iskeyword(name)
    return f"{owner}.{name}" if is_written else f"getattr({owner}, {name!r})"


def tensor_attributes(graph: Graph) -> list[str]:
    """Return expressions that read the tensors among the attributes of a call's module."""
    found: dict[str, None] = {}
    for node in graph.all_nodes():
        if node.kind == "prim::GetAttr" and t.TENSOR in union_members(node.output.type):
            path, slots = path_of(graph, node), _slots(node)
            if path is not None:
                found[_read(path, slots)] = None
    return list(found)


def _slots(node: Node) -> str | None:
    """Return the dict in which a module keeps an attribute, None where it may be in any."""
    type = node.inputs[0].type
    assert isinstance(type, t.ClassType)
    attribute = type.attributes[node["name"]]
    if attribute.is_parameter:
        return "_parameters"
    return "_buffers" if attribute.is_buffer else None


def flags_of(graph: Graph) -> list[Flag]:
    """Return the flags that a graph reads and that nothing in it can set."""
    nodes = list(graph.all_nodes())
    if any(node.kind in _CALLS for node in nodes):
        return []
    kept = {node["name"] for node in nodes if node.kind == "prim::SetAttr"}
    flags = {flag: None for node in nodes if (flag := _flag(graph, node)) is not None}
    return [flag for flag in flags if flag.path[-1] not in kept]


def set_flags(graph: Graph, flags: Mapping[Flag, bool]) -> bool:
    """Put in what is known of flags; return whether the graph changed."""
    if not flags:
        return False
    for node in list(graph.all_nodes()):
        flag = _flag(graph, node)
        if flag is None or flag not in flags:
            continue
        content = flags[flag]
        if not flag.asks_for_none:
            _replace(graph, node, content)
        elif content:
            _replace(graph, node, None)
        else:
            node.output.type = _unless_none(node.output)
    return True


def _replace(graph: Graph, node: Node, constant: bool | None) -> None:
    made = make_constant(graph, constant)
    made.insert_before(node)
    node.output.replace_all_uses_with(made.output)
    node.destroy()


def _flag(graph: Graph, node: Node) -> Flag | None:
    """Return the flag that a node reads, if it reads one."""
    if node.kind != "prim::GetAttr":
        return None
    path, type = path_of(graph, node), node.inputs[0].type
    if path is None or not isinstance(type, t.ClassType):
        return None
    if node.output.type == t.BOOL:
        return Flag(path)
    if not _is_optional(node.output):
        return None
    return Flag(path, True, _slots(node))


def _is_optional(value: Value) -> bool:
    return value.type != t.NONE and t.NONE in union_members(value.type)


def _unless_none(value: Value) -> t.Type:
    return union_of([member for member in union_members(value.type) if member != t.NONE])


def path_of(graph: Graph, node: Node) -> tuple[str, ...] | None:
    """Return the way through modules from the graph's first input to what a node reads."""
    names: list[str] = []
    while node.kind == "prim::GetAttr":
        base = node.inputs[0]
        if not isinstance(base.type, t.ClassType) or not base.type.is_module:
            return None
        names.append(node["name"])
        if graph.inputs and base is graph.inputs[0]:
            return tuple(reversed(names))
        node = base.node
    return None
