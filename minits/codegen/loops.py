"""Loops of a graph as Python loops.

    trips known, condition always true      for i in range(trips)
    ... of `range(start, stop, step)`       for i in range(start, stop, step)
    ... over a list                         for x in xs
    ... that adds its ints up               total = sum(xs, total)
    trips unlimited                         while True, with a `break` at the end

A condition that may end a loop is tested at the end of the body, after the loop variables have
their new values.
"""

from __future__ import annotations

import ast
from typing import Any

from minits.codegen.blocks import BlockWriter, is_bool, is_variable
from minits.codegen.expressions import (
    LOAD,
    STORE,
    Code,
    Location,
    assign,
    call,
    negated,
    variable,
)
from minits.codegen.list_loops import is_sum, item_of_list
from minits.codegen.uses import is_used, resolve, uses_of
from minits.ir.constants import to_python
from minits.ir.graph import Node, Value
from minits.types import types as t
from minits.types.int64 import MAX_INT


class LoopWriter:
    """Writes one `prim::Loop(trips, condition, *start)`."""

    def __init__(self, outer: BlockWriter, node: Node, location: Location) -> None:
        self.outer, self.node, self.location = outer, node, location
        self.function = outer.function
        self.body = node.blocks[0]
        self.index, *self.variables = self.body.inputs
        self.again, *self.results = self.body.outputs

    def write(self) -> None:
        trips = to_python(self.node.inputs[0])
        is_while = isinstance(trips, int) and trips >= MAX_INT
        count = self._read_trips(is_while)
        (entry,) = self.outer.read([self.node.inputs[1]], self.location)
        starts = self.outer.read(self.node.inputs[2:], self.location)
        self.outer.move(self.variables_used(), self._used(starts), self.location)
        if isinstance(entry.tree, ast.Constant) and entry.tree.value is False:
            return
        self._write_loop(count, entry.tree)
        for output in self.node.outputs:
            excess = self.function.bounds.excess_after_loop(output)
            if excess is not None:
                name = self.function.variables.name(output)
                self.outer.wrap_variable(name, excess, self.location)

    def variables_used(self) -> list[Value]:
        """Return the loop variables that are read in the loop or after it.

        A variable that is read only after the loop is represented by the loop's output.
        """
        pairs = zip(self.variables, self.node.outputs, self._keeps(), strict=True)
        return [v if is_used(v) else output for v, output, keep in pairs if keep]

    def _used(self, codes: list[Code]) -> list[Code]:
        return [c for c, keep in zip(codes, self._keeps(), strict=True) if keep]

    def _keeps(self) -> list[bool]:
        """Return, for each loop variable, whether it is read in the loop or after it."""
        outputs = zip(self.variables, self.node.outputs, strict=True)
        return [any(map(is_used, pair)) for pair in outputs]

    def _read_trips(self, is_while: bool) -> Code | None:
        """Return the trip count where it may be read after the loop variables are set."""
        if is_while:
            self.outer.flush()
            return None
        value = resolve(self.node.inputs[0])
        code = self.outer.pending.get(value)
        targets = {self.function.variables.name(v) for v in self.variables_used()}
        last = next(reversed(self.outer.pending), None)
        if code is None or last is not value or code.reads & targets:
            self.outer.flush()
        else:
            del self.outer.pending[value]
            self.outer.flush()
            return code
        (code,) = self.outer.read([value], self.location)
        if not code.reads & targets:
            return code
        name = self.function.variables.fresh("trips")
        self.outer.assign(name, code, self.location)
        return variable(name, self.location)

    def _write_loop(self, count: Code | None, entry: ast.expr) -> None:
        location, function = self.location, self.function
        writer = BlockWriter(function)
        listed = None if count is None else self._list_loop(count, writer)
        span = None if count is None or listed else self._derived_range(count, writer)
        indexed = is_used(self.index) and not (span or listed)
        index = function.variables.name(self.index) if indexed else "_"
        writer.write(self.body)
        if not writer.raised:
            self._write_end(writer)
        loop: ast.stmt
        before: list[ast.stmt] = []
        if count is None:
            if indexed:
                before.append(assign(index, ast.Constant(0, **location), location))
                one = ast.Constant(1, **location)
                step = ast.BinOp(ast.Name(index, LOAD, **location), ast.Add(), one, **location)
                writer.statements.append(assign(index, step, location))
            loop = ast.While(
                ast.Constant(True, **location), _body(writer, location), [], **location
            )
        elif listed is not None and self._adds_up(writer.statements, listed[0]):
            total = self.function.variables.name(self.variables_used()[0])
            arguments = [listed[1].tree, ast.Name(total, LOAD, **location)]
            loop = assign(total, call(function.bind(sum, "sum"), arguments, location), location)
        elif listed is not None:
            target = ast.Name(listed[0], STORE, **location)
            loop = ast.For(target, listed[1].tree, _body(writer, location), [], **location)
        else:
            arguments = [count.tree] if span is None else [code.tree for code in span[1]]
            numbers = call(function.bind(range, "range"), arguments, location)
            target = ast.Name(index if span is None else span[0], STORE, **location)
            loop = ast.For(target, numbers, _body(writer, location), [], **location)
        if isinstance(entry, ast.Constant):
            self.outer.statements += [*before, loop]
        else:
            self.outer.statements.append(ast.If(entry, [*before, loop], [], **location))

    def _list_loop(self, count: Code, writer: BlockWriter) -> tuple[str, Code] | None:
        """Return the variable and the list of `for x in xs`."""
        item = item_of_list(self.node, self.function.bounds)
        if item is None or not isinstance(count.tree, ast.Call):
            return None
        (code,) = self.outer.read([item.inputs[0]], self.location)
        writer.renamed[item] = item.output
        used = is_used(item.output)
        return (self.function.variables.name(item.output) if used else "_"), code

    def _adds_up(self, body: list[ast.stmt], item: str) -> bool:
        """Return whether a loop over ints does nothing but `total = total + item`."""
        totals = self.variables_used()
        if len(totals) != 1 or totals[0].type != t.INT:
            return False
        return is_sum(body, self.function.variables.name(totals[0]), item)

    def _derived_range(
        self, count: Code, writer: BlockWriter
    ) -> tuple[str, tuple[Code, ...]] | None:
        """Return the variable and the bounds of `for x in range(low, high, step)`.

        torch writes it as a loop from 0 that derives x from the trip's number.
        """
        length = resolve(self.node.inputs[0]).node
        uses = list(uses_of(self.index))
        if length.kind != "aten::__range_length" or not count.parts or len(uses) != 1:
            return None
        derive = uses[0].user
        if derive.kind != "aten::__derive_index" or derive.block is not self.body:
            return None
        if not (
            _same(derive.inputs[1], length.inputs[0]) and _same(derive.inputs[2], length.inputs[2])
        ):
            return None
        first = next(n for n in self.body.nodes if n.kind != "prim::Constant")
        if derive is not first and self.function.variables.is_shared(derive.output):
            return None
        writer.renamed[derive] = derive.output
        parts = count.parts if to_python(length.inputs[2]) != 1 else count.parts[:2]
        return self.function.variables.name(derive.output), parts

    def _write_end(self, writer: BlockWriter) -> None:
        """Write the new values of the loop variables, and leave the loop if it is over."""
        location = self.location
        over = to_python(self.again)
        kept = self._keeps()
        results = [r for r, keep in zip(self.results, kept, strict=True) if keep]
        codes = writer.read([*([] if over is True else [self.again]), *results], location)
        condition = None if over is True else codes.pop(0)
        targets = map(self.function.variables.name, self.variables_used())
        names = {n for n, code in zip(targets, codes, strict=True) if not is_variable(code, n)}
        moving = [code for code in codes if code.ordered]
        if condition is not None and (condition.reads & names or (condition.ordered and moving)):
            name = self.function.variables.fresh("again")
            writer.statements.append(assign(name, condition.tree, location))
            condition = variable(name, location)
        writer.move(self.variables_used(), codes, location)
        if condition is not None:
            leave = ast.Break(**location)
            if is_bool(condition.tree, False):
                writer.statements.append(leave)
            else:
                test = negated(condition.tree, location)
                writer.statements.append(ast.If(test, [leave], [], **location))


def _same(a: Value, b: Value) -> bool:
    """Return whether two values are one, or equal constants."""
    a, b = resolve(a), resolve(b)
    if a is b:
        return True
    content: Any = to_python(a)
    return a.node.kind == b.node.kind == "prim::Constant" and content == to_python(b)


def _body(writer: BlockWriter, location: Location) -> list[ast.stmt]:
    return writer.statements or [ast.Pass(**location)]
