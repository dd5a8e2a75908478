"""The nodes that have a printer of their own: all but operators that rows tell of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.codegen.uses import ALIASES
from minits.ir.graph import Node
from minits.native import (
    awaits,
    callees,
    calls,
    control_flow,
    dicts,
    dynamic_numbers,
    groups,
    lists,
    managers,
    objects,
    optional_numbers,
    questions,
    tags,
    tasks,
    texts,
    tuples,
)
from minits.native.c_types import is_number
from minits.native.sites import is_of_message

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter


def print_node(printer: BlockPrinter, node: Node) -> bool:
    """Print a node that has a printer, and return whether it has. Raises `NotNative`."""
    match node.kind:
        case "prim::Uninitialized":
            pass  # where it is used
        case "prim::TupleConstruct":
            tuples.print_construct(printer, node)
        case optional_numbers.BOX:
            dynamic_numbers.print_box(printer, node)
        case "prim::index":
            optional_numbers.print_index(printer, node)
        case optional_numbers.UNBOX:
            dynamic_numbers.print_unbox(printer, node)
        case tags.TAG:
            tags.print_tag(printer, node)
        case tags.UNTAG:
            tags.print_untag(printer, node)
        case "prim::isinstance" if is_number(node.inputs[0].type):
            dynamic_numbers.print_test(printer, node)
        case "prim::isinstance":
            tags.print_test(printer, node)
        case "prim::CreateObject":
            objects.print_create(printer, node)
        case "prim::GetAttr":
            objects.print_get(printer, node)
        case "prim::SetAttr":
            objects.print_set(printer, node)
        case "prim::TupleUnpack" | "prim::TupleIndex":
            tuples.print_unpack(printer, node)
        case "prim::Constant":
            lists.print_constant(printer, node.output)
        case groups.KIND:
            groups.print_group(printer, node)
        case "prim::ListConstruct":
            lists.print_construct(printer, node)
        case "prim::DictConstruct":
            dicts.print_construct(printer, node)
        case "prim::ListUnpack":
            lists.print_unpack(printer, node)
        case "aten::format" | "aten::str" | "aten::percentFormat" if not is_of_message(node):
            texts.print_text(printer, node)
        case "prim::Print":
            texts.print_values(printer, node)
        case "aten::partition" | "aten::rpartition":
            texts.print_partition(printer, node)
        case "aten::_unwrap_optional":
            optional_numbers.print_unwrap(printer, node)
        case "aten::get" if optional_numbers.is_looked_up(node):
            optional_numbers.print_look_up(printer, node)
        case questions.ASK:
            questions.print_ask(printer, node)
        case calls.CALL:
            callees.print_call(printer, node)
        case tasks.TASK:
            tasks.print_task(printer, node)
        case tasks.RESULT:
            tasks.print_result(printer, node)
        case "aten::wait":
            tasks.print_wait(printer, node)
        case kind if kind in awaits.PRINTERS:
            awaits.PRINTERS[kind](printer, node)
        case "prim::If":
            control_flow.print_if(printer, node)
        case "prim::Loop":
            control_flow.print_loop(printer, node)
        case "prim::RaiseException":
            printer.leave(node)
        case "prim::Enter":
            managers.print_enter(printer, node)
        case "prim::Exit" if node.blocks:
            managers.print_exit(printer, node)
        case _ if node.kind in ALIASES or is_of_message(node):
            pass
        case _:
            return False
    return True
