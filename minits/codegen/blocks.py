"""Blocks of a graph as Python statements.

Structured control flow maps one to one:

    prim::If          if/else, or `a if c else b`, `c and d`, `c or d` where both sides are
                      expressions
    prim::Loop        `for i in range(n)`, `while True` with a `break` at its end

SSA values that are used once and that no variable of the program names are written where they are
used. An expression waits in `pending` until then. Expressions that may fail, have an effect or read
what may change keep their order: they are used last in, last out, or else stored in variables. So
are those that use a tensor for the last time: it can go before the next one is made
(`releases.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from minits.codegen.expressions import (
    LOAD,
    STORE,
    WRAPPED,
    Code,
    Location,
    assign,
    between,
    call,
    combine,
    negated,
    subscript,
    variable,
)
from minits.codegen.guarded_forms import guarded
from minits.codegen.integer_bounds import Interval
from minits.codegen.statement_templates import STATEMENTS
from minits.codegen.templates import FREE, ORDERED, REORDERED, Site
from minits.codegen.uses import ALIASES, is_used, resolve, uses_of
from minits.ir.graph import Block, Node, Value
from minits.ir.made_objects import is_made_later, makes_object
from minits.ir.native_loops import is_marked, outlined
from minits.ir.walks import loop_around
from minits.ops.errors import raised, raised_by_operator
from minits.ops.implementations.integers import wrap
from minits.ops.native_methods import maker
from minits.types import types as t
from minits.types.int64 import MAX_INT, MIN_INT
from minits.types.type_parts import may_hold_tensors

if TYPE_CHECKING:
    from minits.codegen.python import FunctionWriter

_DEEPEST = 20
"""Expressions nest no deeper."""
_CONTAINERS = frozenset(("prim::ListConstruct", "prim::TupleConstruct", "prim::DictConstruct"))
_VIEWS = frozenset(
    "aten::view aten::transpose aten::permute aten::t aten::unsqueeze aten::squeeze aten::select "
    "aten::slice aten::expand aten::narrow".split()
)


class BlockWriter:
    """Writes the nodes of one block."""

    def __init__(self, function: FunctionWriter) -> None:
        self.function = function
        self.statements: list[ast.stmt] = []
        self.pending: dict[Value, Code] = {}
        self.raised = False
        self.renamed: dict[Node, Value] = {}

    def write(self, block: Block) -> None:
        for node in block.nodes:
            if self.raised:
                return
            self._node(node)

    def _node(self, node: Node) -> None:
        if node.kind == "prim::Constant" or node.kind in ALIASES or node in self.renamed:
            return
        if is_made_later(node):
            return
        if self.function.native_loop is not None and is_marked(node):
            self._native_loop(node, self.function.native_loop)
            return
        location = self.function.location_of(node)
        match node.kind:
            case "prim::If":
                self._if(node, location)
            case "prim::Loop":
                from minits.codegen.loops import LoopWriter  # which needs this module

                LoopWriter(self, node, location).write()
            case "prim::RaiseException":
                self._raise(node, location)
            case "prim::CallMethod" if makes_object(node):
                self._make_object(node, location)
            case "prim::TupleUnpack":
                self._finish(node, self._unpacked(node), location)
            case _:
                self._operator(node, location)

    # ---- Reading values --------------------------------------------------------------------

    def read(self, values: Sequence[Value], location: Location) -> list[Code]:
        """Return the code of values, used from left to right."""
        values = [resolve(value) for value in values]
        wanted = [v for v in values if v in self.pending and self.pending[v].ordered]
        waiting = [v for v, code in self.pending.items() if code.ordered]
        if wanted and wanted != waiting[len(waiting) - len(wanted) :]:
            self.flush_ordered()
        return [self._read(value, location) for value in values]

    def _read(self, value: Value, location: Location) -> Code:
        code = self.pending.pop(value, None)
        if code is not None:
            return code
        if value.node.kind == "prim::Constant":
            return Code(self.function.constant(value, location))
        return variable(self.function.variables.name(value), location)

    def flush_ordered(self) -> None:
        """Store all ordered expressions that wait."""
        for value in [v for v, code in self.pending.items() if code.ordered]:
            self._store(value, self.pending.pop(value))

    def flush(self) -> None:
        """Store all expressions that wait."""
        for value in list(self.pending):
            self._store(value, self.pending.pop(value))

    def _store(self, value: Value, code: Code) -> None:
        name = self.function.variables.name(value)
        location = self.function.location_of(value.node)
        self.statements.append(assign(name, code.tree, location))

    # ---- Results ---------------------------------------------------------------------------

    def assign(self, name: str, code: Code, location: Location) -> None:
        """Write `name = code`, after pending expressions that must be evaluated before it."""
        if code.ordered:
            self.flush_ordered()
        if any(name in other.reads for other in self.pending.values()):
            self.flush()
        if not is_variable(code, name):
            self.statements.append(assign(name, code.tree, location))

    def _finish(self, node: Node, code: Code, location: Location) -> None:
        """Decide what becomes of a node's expression: inlined at its use, assigned, or dropped."""
        outputs = node.outputs
        if len(outputs) != 1:
            self._store_several(outputs, code, location)
            return
        (output,) = outputs
        uses = list(uses_of(output))
        if not uses:
            self._drop(code, location)
            return
        excess = self.function.bounds.excess(output)
        user = uses[0].user
        if len(uses) == 1 and user.block is node.block and self._may_wait(node, code, user):
            self.pending[output] = code if excess is None else self._wrapped(code, excess, location)
            return
        name = self.function.variables.name(output)
        self.assign(name, code, location)
        if excess is not None:
            self.wrap_variable(name, excess, location)

    def _may_wait(self, node: Node, code: Code, user: Node) -> bool:
        named = any(value.has_name for value in node.outputs) and node.kind != "prim::GetAttr"
        return not named and code.depth < _DEEPEST and not self._is_last_of(node, code, user)

    def _is_last_of(self, node: Node, code: Code, user: Node) -> bool:
        """Return whether a node ends the use of a tensor that it does not hand on to its user.

        Nothing is computed between it and the end of a block that gives its result alone.
        """
        if user is node.owner.end and (len(user.inputs) == 1 or node.owner.owning_node):
            return False
        if _hands_on(node):
            return False
        variables = self.function.variables
        names = code.reads & variables.holding
        return bool(names) and any(
            variables.name(value) in names
            and variables.is_last_use(value, node)
            and self.function.is_released(value)
            for value in _values_read(node)
        )

    def _drop(self, code: Code, location: Location) -> None:
        if code.ordered:
            self.flush_ordered()
            self.statements.append(ast.Expr(code.tree, **location))

    def _store_several(self, outputs: list[Value], code: Code, location: Location) -> None:
        if not any(map(is_used, outputs)):
            self._drop(code, location)
            return
        names = [self._target_name(output) for output in outputs]
        self.flush()
        target = ast.Tuple([ast.Name(name, STORE, **location) for name in names], STORE, **location)
        self.statements.append(ast.Assign([target], code.tree, **location))

    def _target_name(self, output: Value) -> str:
        if is_used(output):
            return self.function.variables.name(output)
        if may_hold_tensors(output.type):
            self.function.variables.holding.add("_")
        return "_"

    def _wrapped(self, code: Code, excess: Interval, location: Location) -> Code:
        """`_t if MIN <= (_t := code) <= MAX else wrap(_t)`."""
        stored = ast.NamedExpr(ast.Name(WRAPPED, STORE, **location), code.tree, **location)
        test = _fits(stored, excess, location)
        again = ast.Name(WRAPPED, LOAD, **location)
        wrapped = call(self.function.bind(wrap, "wrap"), [again], location)
        return combine(ast.IfExp(test, again, wrapped, **location), (code,), code.ordered)

    def wrap_variable(self, name: str, excess: Interval, location: Location) -> None:
        """`if not MIN <= x <= MAX: x = wrap(x)`, with `wrap` written out."""
        itself = ast.Name(name, LOAD, **location)
        test = negated(_fits(itself, excess, location), location)
        self.statements.append(
            ast.If(test, [assign(name, _wrap(itself, location), location)], [], **location)
        )

    # ---- Operators -------------------------------------------------------------------------

    def _operator(self, node: Node, location: Location) -> None:
        function = self.function
        key = function.key(node)
        if key in STATEMENTS and not any(map(is_used, node.outputs)):
            self._put_in_order(node)
            codes = self.read(node.inputs, location)
            statement = STATEMENTS[key](self._site(node, codes, location))
            if statement is not None:
                self._statement(statement)
                return
            self._finish(node, function.call(node, key, codes, location), location)
            return
        if key in REORDERED:
            self._put_in_order(node)
        codes = self.read(node.inputs, location)
        template = FREE.get(key) or ORDERED.get(key)
        site = self._site(node, codes, location)
        tree = None if template is None else template(site)
        if tree is not None:
            self._finish(node, combine(tree, codes, key not in FREE), location)
            return
        called = function.call(node, key, codes, location)
        tree = guarded(site, key, called.tree.func) if isinstance(called.tree, ast.Call) else None
        self._finish(node, called if tree is None else combine(tree, codes, True), location)

    def _make_object(self, node: Node, location: Location) -> None:
        """Write `stack = Stack(words)`: the object of a class of C++ is made where it is called."""
        made, *arguments = node.inputs
        codes = self.read(arguments, location)
        callee = self.function.bind(maker(made.type), made.type.annotation.rpartition(".")[2])
        code = combine(call(callee, [each.tree for each in codes], location), codes, True)
        self.assign(self.function.variables.name(made), code, location)
        self._finish(node, Code(ast.Constant(None, **location)), location)

    def _site(self, node: Node, codes: list[Code], location: Location) -> Site:
        return Site(node, codes, location, self.function.bounds, self.function.bind)

    def _put_in_order(self, node: Node) -> None:
        """See to it that at most one input of the node is an ordered expression."""
        waiting = [v for v in map(resolve, node.inputs) if v in self.pending]
        if sum(self.pending[v].ordered for v in waiting) > 1:
            self.flush_ordered()

    def _statement(self, statement: ast.stmt) -> None:
        self.flush_ordered()
        self.statements.append(statement)

    def _native_loop(self, node: Node, make: Callable[..., Callable[..., Any]]) -> None:
        """Write the call of a function that runs a loop."""
        location = self.function.location_of(node, raises=False)
        graph, values = outlined(node)
        self.flush()
        codes = [self._bounded(value, location) for value in values]
        run = make(graph, self.function.function_name, loop_around(node) is not None)
        callee = self.function.bind(run, "loop")
        code = combine(call(callee, [each.tree for each in codes], location), codes, True)
        self._finish(node, code, location)

    def _bounded(self, value: Value, location: Location) -> Code:
        """Return the code of a value, which has 64 bits if it is an int."""
        (code,) = self.read([value], location)
        interval = self.function.bounds.interval(value)
        return code if interval.fits else self._wrapped(code, interval, location)

    def _unpacked(self, node: Node) -> Code:
        location = self.function.location_of(node)
        (code,) = self.read(node.inputs, location)
        if len(node.outputs) == 1:
            zero = ast.Constant(0, **location)
            return combine(subscript(code.tree, zero, location), (code,), False)
        return code

    def _raise(self, node: Node, location: Location) -> None:
        codes = self.read(node.inputs, location)
        self.flush_ordered()
        maker = raised_by_operator if "by_operator" in node.attributes else raised
        error = call(self.function.bind(maker, maker.__name__), [c.tree for c in codes], location)
        self.statements.append(ast.Raise(error, None, **location))
        self.raised = True

    # ---- If --------------------------------------------------------------------------------

    def branch(self, block: Block, location: Location) -> tuple[BlockWriter, list[Code]]:
        """Write a block; return its writer, and the code of its outputs."""
        writer = BlockWriter(self.function)
        writer.write(block)
        codes = [] if writer.raised else writer.read(block.outputs, location)
        return writer, codes

    def _if(self, node: Node, location: Location) -> None:
        (condition,) = self.read(node.inputs, location)
        yes, then = self.branch(node.blocks[0], location)
        no, otherwise = self.branch(node.blocks[1], location)
        plain = not (yes.statements or no.statements or yes.raised or no.raised)
        if plain and len(node.outputs) == 1 and not (yes.pending or no.pending):
            tree = _choice(condition.tree, then[0].tree, otherwise[0].tree, node, location)
            self._finish(node, combine(tree, (condition, then[0], otherwise[0]), False), location)
            return
        self.flush()
        for writer, codes in ((yes, then), (no, otherwise)):
            if not writer.raised:
                writer.move(node.outputs, codes, location)
        self._write_if(condition.tree, yes.statements, no.statements, location)

    def _write_if(
        self, test: ast.expr, then: list[ast.stmt], otherwise: list[ast.stmt], location: Location
    ) -> None:
        if not then and not otherwise:
            if not isinstance(test, (ast.Name, ast.Constant)):
                self.statements.append(ast.Expr(test, **location))
            return
        if not then:
            test, then, otherwise = negated(test, location), otherwise, []
        self.statements.append(ast.If(test, then, otherwise, **location))

    def move(self, targets: Sequence[Value], sources: list[Code], location: Location) -> None:
        """Assign to all targets at once: `a, b = b, a`; what is in place already is left out."""
        pairs = []
        for target, source in zip(targets, sources, strict=True):
            if not is_used(target):
                if source.ordered:
                    pairs.append(("_", source))
                continue
            name = self.function.variables.name(target)
            if not is_variable(source, name):
                pairs.append((name, source))
        self.assign_all(pairs, location)

    def assign_all(self, pairs: list[tuple[str, Code]], location: Location) -> None:
        targets = {name for name, _ in pairs}
        if any(code.reads & targets for code in self.pending.values()):
            self.flush()
        if not _interfere(pairs):
            for name, code in pairs:
                self.statements.append(assign(name, code.tree, location))
            return
        left = ast.Tuple(
            [ast.Name(name, STORE, **location) for name, _ in pairs], STORE, **location
        )
        right = ast.Tuple([code.tree for _, code in pairs], LOAD, **location)
        self.statements.append(ast.Assign([left], right, **location))


def _hands_on(node: Node) -> bool:
    """Return whether a node's result keeps its inputs alive: as a container or a view."""
    return node.kind in _CONTAINERS or node.kind in _VIEWS


def _values_read(node: Node) -> Iterator[Value]:
    """Yield the values that a node and its blocks read, through containers and views."""
    for value in map(resolve, node.inputs):
        yield value
        if _hands_on(value.node):
            yield from _values_read(value.node)
    for block in node.blocks:
        for inner in (*block.nodes, block.end):
            yield from _values_read(inner)


def _fits(tree: ast.expr, excess: Interval, location: Location) -> ast.expr:
    """Return a test that a number of the interval `excess` has 64 bits."""
    return between(
        MIN_INT if excess.low < MIN_INT else None,
        tree,
        MAX_INT if excess.high > MAX_INT else None,
        location,
    )


def _wrap(tree: ast.expr, location: Location) -> ast.expr:
    """Return `(x + 2**63 & 2**64 - 1) - 2**63`."""
    half, mask = ast.Constant(2**63, **location), ast.Constant(2**64 - 1, **location)
    low = ast.BinOp(ast.BinOp(tree, ast.Add(), half, **location), ast.BitAnd(), mask, **location)
    return ast.BinOp(low, ast.Sub(), half, **location)


def _interfere(pairs: list[tuple[str, Code]]) -> bool:
    """Return whether a later source reads an earlier target."""
    assigned: set[str] = set()
    for name, code in pairs:
        if code.reads & assigned:
            return True
        assigned.add(name)
    return False


def _choice(
    test: ast.expr, then: ast.expr, otherwise: ast.expr, node: Node, location: Location
) -> ast.expr:
    """`test and then`, `test or otherwise`, or `then if test else otherwise`."""
    if node.output.type == t.BOOL:
        if is_bool(otherwise, False):
            return ast.BoolOp(ast.And(), [test, then], **location)
        if is_bool(then, True):
            return ast.BoolOp(ast.Or(), [test, otherwise], **location)
        if is_bool(then, False):
            return ast.BoolOp(ast.And(), [negated(test, location), otherwise], **location)
        if is_bool(otherwise, True):
            return ast.BoolOp(ast.Or(), [negated(test, location), then], **location)
    return ast.IfExp(test, then, otherwise, **location)


def is_variable(code: Code, name: str) -> bool:
    return isinstance(code.tree, ast.Name) and code.tree.id == name


def is_bool(tree: ast.expr, constant: bool) -> bool:
    return isinstance(tree, ast.Constant) and tree.value is constant
