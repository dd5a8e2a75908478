"""`with` of script classes: `__exit__` runs where the program raises within, too.

    %n : int = prim::Enter(%m)        int32_t fault = 0;
    ...                               if (n > 0) { out[0].i = n; fault = 1; goto leave; }
     = prim::Exit(%m)                 leave:
      block0():                       if (fault) {
        ...                               ...
                                          return fault;
                                      }

The methods are called after both (methods.py); the block of an Exit is the call where something
was raised. What `__exit__` itself raises then is lost, as in torch. A list that the error is told
of is copied first, as `__exit__` may write to it.

Without memory, nothing is left in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.ir.copying import clone_node
from minits.ir.graph import Graph, Node, Value
from minits.native.c_types import NotNative, c_type
from minits.native.endings import Ending
from minits.native.grad_modes import is_grad_mode
from minits.native.methods import call_of_exit, is_manager
from minits.passes.pipeline import run_pipeline
from minits.records import dataclass
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter


def place_exits(graph: Graph) -> None:
    """Give each Exit of a manager the block that runs where something was raised.

    Raises `NotNative`.
    """
    nodes = graph.nodes_of_kind("prim::Enter", "prim::Exit")
    for node in nodes:
        type = node.inputs[0].type
        if not is_manager(type):
            continue
        for other in nodes:
            if is_grad_mode(other.inputs[0].type):  # the mode would be set back too late
                raise NotNative(other, other.kind)
        if node.kind == "prim::Exit":
            _place(graph, node)


def _place(graph: Graph, node: Node) -> None:
    body = call_of_exit(node)
    run_pipeline(body, "native")
    block = node.add_block()
    local: dict[Value, Value] = {body.inputs[0]: node.inputs[0]}
    for inner in body.nodes:
        if inner.kind in ("prim::Enter", "prim::Exit"):
            raise NotNative(node, node.kind)
        copy = clone_node(graph, inner, local.__getitem__).insert_before(block.end)
        local.update(zip(inner.outputs, copy.outputs, strict=True))


@dataclass(slots=True, eq=False)
class Managed(Ending):
    """The end of what stands within a `with`.

    fault: the variable of the number with which the function returns
    label: where the manager is left
    outer: the end of what stands around the `with`
    place: the number of the line that declares `fault`
    """

    fault: str
    label: str
    outer: Ending | None
    place: int
    is_used: bool = False

    def leaving(self, printer: BlockPrinter, number: int, told: list[Value]) -> list[str]:
        kept = []
        for slot, value in enumerate(told, len(printer.function.shared)):
            to, text = f"out[{slot}].{c_type(value).slot}", printer.variable(value)
            copy = _COPIES.get(type(value.type))
            if copy is None:
                kept.append(f"{to} = {text};")
            else:
                kept.append(f"if (!({to} = {copy}(pool, {text}))) return MTS_NO_MEMORY;")
        return [*kept, *self.with_fault(str(number))]

    def with_fault(self, fault: str) -> list[str]:
        self.is_used = True
        return [f"{self.fault} = {fault};", f"goto {self.label};"]


_COPIES: dict[type[t.Type], str] = {t.ListType: "mts_copy", t.DictType: "mts_dict_copy"}


@dataclass(slots=True, eq=False)
class Lost(Ending):
    """The end of an `__exit__` that runs because something was raised: another error is lost."""

    label: str
    is_used: bool = False

    def leaving(self, printer: BlockPrinter, number: int, told: list[Value]) -> list[str]:
        self.is_used = True
        return [f"goto {self.label};"]


def print_enter(printer: BlockPrinter, node: Node) -> None:
    """Print what comes before the call of `__enter__`. Raises `NotNative`."""
    if not is_manager(node.inputs[0].type):
        raise NotNative(node, node.kind)
    names = printer.function.names
    printer.variable(node.inputs[0])
    fault, label = names.new("fault"), names.new("leave")
    printer.show(node)
    printer.ending = Managed(fault, label, printer.ending, len(printer.lines))
    printer.line(f"int32_t {fault} = 0;")


def print_exit(printer: BlockPrinter, node: Node) -> None:
    """Print what runs where something was raised since the Enter."""
    managed = printer.ending
    assert isinstance(managed, Managed)
    printer.ending = managed.outer
    if not managed.is_used:
        del printer.lines[managed.place]
        return
    lost = Lost(printer.function.names.new("left"))
    body = printer.apart(node.blocks[0], lost)
    printer.line(f"{managed.label}:;")
    printer.line("{" if printer.raised else f"if ({managed.fault}) {{")
    printer.lines += body.lines
    if lost.is_used:
        printer.line(f"    {lost.label}:;")
    for text in printer.stopping(managed.fault):
        printer.line(f"    {text}")
    printer.line("}")
