"""`prim::If` and `prim::Loop` as statements of C, and an If without statements as an expression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minits.codegen.uses import is_used, resolve
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Block, Node, Value
from minits.native.c_types import HELD, c_type
from minits.native.expressions import choice, in_parentheses, loop_head, negated
from minits.types.int64 import MAX_INT

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter


def print_if(printer: BlockPrinter, node: Node) -> None:
    used = [index for index, value in enumerate(node.outputs) if is_used(value)]
    printer.has_read = False
    condition = printer.read(node.inputs[0])
    reads = printer.has_read
    branches = [printer.branch(block) for block in node.blocks]
    plain = not any(branch.lines or branch.raised for branch in branches)
    outputs = [node.outputs[index] for index in used]
    if plain and len(used) == 1 and not printer.function.is_element(outputs[0]):
        results = [block.outputs[used[0]] for block in node.blocks]
        then, otherwise = (
            branch.operand(result) for branch, result in zip(branches, results, strict=True)
        )
        if all(to_python(result) is not NOT_CONSTANT for result in results):
            then = f"({c_type(results[0]).name}){then}"  # literals of C have 32 bits
        printer.show(node)
        text = choice(in_parentheses(condition), then, otherwise)
        reads = reads or any(branch.has_read for branch in branches)
        printer.finish(node.outputs[used[0]], text, reads)
        return
    ends = [
        (branch, [block.outputs[index] for index in used])
        for branch, block in zip(branches, node.blocks, strict=True)
        if not branch.raised
    ]
    for _, sources in ends:
        _retype(printer, outputs, sources)
    for value in outputs:
        _declare_unset(printer, value)
    for branch, sources in ends:
        end_block(branch, outputs, sources, was_set=False)
    printer.show(node)
    _write_if(printer, condition, *(branch.lines for branch in branches))


def _retype(printer: BlockPrinter, targets: Sequence[Value], sources: Sequence[Value]) -> None:
    """Let what is a tensor without dimensions to the program be a number."""
    for target, source in zip(targets, sources, strict=True):
        if printer.function.is_element(target) and source.node.kind != "prim::Uninitialized":
            printer.function.elements.retype(target, source)


def _declare_unset(printer: BlockPrinter, value: Value) -> None:
    type, name = c_type(value), printer.function.names.of(value)
    if type is HELD:  # which a branch may leave unset
        printer.hold(name)
        printer.line(f"{type.of(name)} = {type.zero};")
    else:
        printer.line(f"{type.of(name)};")


def _write_if(printer: BlockPrinter, condition: str, then: list[str], otherwise: list[str]) -> None:
    if not then and not otherwise:
        return
    if not then:
        condition, then, otherwise = negated(condition), otherwise, []
    printer.line(f"if ({condition}) {{")
    printer.lines += then
    if otherwise:
        printer.line("} else {")
        printer.lines += otherwise
    printer.line("}")


def print_loop(printer: BlockPrinter, node: Node) -> None:
    """Print `prim::Loop(most trips, condition, carried...)`.

    A carried variable is one of C, which is an input of the body and an output of the loop.
    """
    names, body = printer.function.names, node.blocks[0]
    index, *carried = body.inputs
    printer.show(node)
    most = _most(printer, node)
    more = _condition(printer, node, body)
    _retype(printer, carried, node.inputs[2:])
    _retype(printer, node.outputs, carried)
    for value, output, start in zip(carried, node.outputs, node.inputs[2:], strict=True):
        type, name, text = c_type(value), names.share(value, output), printer.read(start)
        if type is HELD:
            printer.hold(name)
            text = f"mts_retain({text})"
        printer.line(f"{type.of(name)} = {text};")
    printer.line(loop_head(names.of(index), most, more, bool(index.uses)))
    inner = printer.branch(body)
    if not inner.raised:
        if more is not None:
            inner.line(f"{more} = {inner.read(body.outputs[0])};")
        _retype(printer, carried, body.outputs[1:])
        _retype(printer, node.outputs, carried)
        end_block(inner, carried, body.outputs[1:], was_set=True)
    printer.lines += inner.lines
    printer.line("}")


def _most(printer: BlockPrinter, node: Node) -> str | None:
    """Return the greatest number of trips, None where there is none."""
    if to_python(node.inputs[0]) == MAX_INT:
        return None
    return printer.variable(node.inputs[0])


def _condition(printer: BlockPrinter, node: Node, body: Block) -> str | None:
    """Declare a variable that tells whether a loop goes on; None for one that always does."""
    if to_python(node.inputs[1]) is True and to_python(body.outputs[0]) is True:
        return None
    name = printer.function.names.new("more")
    printer.line(f"bool {name} = {printer.read(node.inputs[1])};")
    return name


def end_block(
    printer: BlockPrinter, targets: Sequence[Value], sources: Sequence[Value], was_set: bool
) -> None:
    """Write the end of a block: assign to all targets at once, and end the lists of the block.

    Copies are made of those that are still to be read, and of what is read of lists that may end. A
    list that a target takes over from a variable of the block has as many holders as before.

    was_set: the targets have values, which they hold no longer.
    """
    names = printer.function.names
    assigned: list[tuple[str, str]] = []
    written: set[str] = set()
    taken, left = list[str](), [*printer.held]
    may_end = bool(left) or (was_set and any(c_type(target) is HELD for target in targets))
    for target, source in zip(targets, map(resolve, sources), strict=True):
        name = names.of(target)
        if source.node.kind != "prim::Uninitialized" and (text := printer.read(source)) != name:
            if may_end and any(mark in text for mark in ("(", "[", "->")):
                copy = names.new("next")
                printer.line(f"{c_type(source).of(copy)} = {text};")
                text = copy
            if c_type(target) is HELD:
                taken.append(text)
                left += [name] if was_set else []
            if text in written:
                copy = names.new("before")
                printer.line(f"{c_type(source).of(copy)} = {text};")
                text = copy
            assigned.append((name, text))
        written.add(name)
    for text in taken:
        if text in left:
            left.remove(text)
        else:
            printer.line(f"mts_retain({text});")
    for text in left:
        printer.line(f"mts_release({text});")
    for name, text in assigned:
        printer.line(f"{name} = {text};")
