"""Nested functions, as which archives write the calls that are forked, or awaited.

    def __forked_function():          %c = prim::Closure()
      return torch.add(x, 1)            block0():
    f = fork(__forked_function)           %y = aten::add(%x, %one, %one)
                                          -> (%y)
                                      %f : Future(Tensor) = prim::forkClosure(%c)

`awaitable(__awaitable_function)` makes a `prim::awaitableClosure` instead, an `Await(Tensor)`.

Such a function has no parameters: it sees the variables around it, and its only return is its last
statement.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitClosure`, `emitForkExpr`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.diagnostics import error
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter


class ClosureValue(SugaredValue):
    """A function inside a function: its closure, and the type of its result."""

    kind = "function inside a function"

    def __init__(self, closure: Value, result: t.Type) -> None:
        self.closure, self.result = closure, result

    def run_by(self, kind: str, type: t.Type, emitter: Emitter, loc: SourceRange) -> Value:
        """Emit a node of a kind that runs the closure, and return what stands for its result."""
        return emitter.graph.emit(kind, [self.closure], [type], loc).output


def emit_closure(emitter: Emitter, definition: tree.FunctionDef) -> None:
    """Emit a function inside a function, and bind its name. Raises `CompileError`."""
    loc = origin(definition)
    *body, last = definition.body
    if not isinstance(last, tree.Return) or any(map(_returns, body)):
        message = f"'{definition.name}' is to have one return, as its last statement"
        fix = "keep the result in a variable, and return it in the last line"
        raise error(loc, "TS503", message, fix=fix)
    node = emitter.graph.emit("prim::Closure", [], [t.NONE], loc)
    block = node.add_block()
    with emitter.block_environment(block):
        emitter.emit_statements(body)
        result = emitter.emit_expression(last.value or tree.Constant(loc, None, None))
    block.add_output(result)
    closure = ClosureValue(node.output, result.type)
    emitter.environment.set(loc, definition.name, closure)


def _returns(part: tree.Node) -> bool:
    """Return whether there is a return of this function in a statement, not of one within."""
    if isinstance(part, tree.FunctionDef):
        return False
    return isinstance(part, tree.Return) or any(map(_returns, tree.children(part)))
