"""`rpc_sync`, `rpc_async` and `remote` of `torch.distributed.rpc`: calls that another worker runs.

    rpc.rpc_async(to, f, (x,))      %f : str = prim::Constant[value="__torch__.module.f"]()
                                    %args : (Tensor) = prim::TupleConstruct(%x)
                                    %y : Future[Tensor] = prim::rpc_async(%to, %f, %args)

The positional arguments are checked against what `f` declares; the keyword arguments are a dict,
and neither they nor the name of the worker and the timeout are checked.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitRpcExpr`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from minits.compilation_state import STATE
from minits.diagnostics import CompileError, error
from minits.frontend.calls.schema_matching import NamedValue, match_schema
from minits.frontend.calls.schema_mismatches import Mismatch
from minits.frontend.values.argument_count import check_count
from minits.frontend.values.builtins import FunctionValue
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.frontend.values.when_failed import with_parts
from minits.ir.constants import insert_constant
from minits.lazily import lazily
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.types import Type

no_match: Callable[..., CompileError] = lazily("minits.frontend.calls.no_match:no_match")
RESULTS: dict[str, Callable[[Type], Type]] = {
    "rpc_sync": lambda type: type,
    "rpc_async": t.FutureType,
    "rpc_remote": t.RRefType,
}
"""The type of a call, by the result type of the function that the worker runs."""


def remote_call(name: str) -> Callable[[Emitter, tree.Call, Type | None], SugaredValue]:
    """Return an emitter of calls `name(to, function, args, kwargs, timeout)`."""

    def emit(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
        check_count(emitter, call, name, 2, 5)
        loc, graph = origin(call), emitter.graph
        with _others_checked(emitter, call.args[1:]):
            worker = emitter.emit_expression(call.args[0])
        with _others_checked(emitter, call.args[2:]):
            callee = _callee(emitter, call.args[1], name)
        with _others_checked(emitter, call.args[3:]):
            _check_arguments(emitter, call, callee)
        callee_name = insert_constant(graph, callee.qualified_name, loc=loc)
        node = graph.emit(f"prim::{name}", [worker, callee_name], [t.TENSOR], loc)
        with graph.inserting_at(node):
            for value in emitter.emit_each(*call.args[2:]):
                node.add_input(value)
        (result,) = callee.schema.returns
        function = getattr(callee.scope, "function", None)
        STATE.remote_functions[callee.qualified_name] = function
        return SimpleValue(node.output.set_type(RESULTS[name](result.type)))

    return emit


@contextmanager
def _others_checked(emitter: Emitter, others: Sequence[tree.expr]) -> Iterator[None]:
    """Add the faults of the other arguments to the error that a block raises."""
    try:
        yield
    except CompileError as fault:
        raise with_parts(emitter, fault, *others) from None


def _callee(emitter: Emitter, expression: tree.expr, name: str) -> CompiledFunction:
    """Return the function that is called. Raises `CompileError` if it is not exactly one."""
    value = emitter.emit_sugared(expression, 1)
    if not isinstance(value, FunctionValue):
        raise error(
            origin(expression),
            "TS405",
            f"user_callable should be a FunctionValue, it's now a {value.kind}: {name} calls "
            "functions that are compiled",
            fix="put the call into a function of a module, and name that",
        )
    callee, *others = value.callees
    if others or callee.is_variadic:
        raise error(
            origin(expression),
            "TS405",
            f"{name} calls one function; {callee.name} has overloads, or takes any arguments",
            fix="name a function that calls the one that is meant",
        )
    emitter.ensure_defined(callee, origin(expression))
    return callee


def _check_arguments(emitter: Emitter, call: tree.Call, callee: CompiledFunction) -> None:
    where, args = origin(call), []
    if len(call.args) > 2:
        loc = origin(call.args[2])
        items = emitter.emit_sugared(call.args[2], 1).as_tuple(loc, emitter)
        args = [NamedValue(item.as_value(loc, emitter), None, loc) for item in items]
    matched = match_schema(callee.schema, emitter.graph, where, args, [])
    if isinstance(matched, Mismatch):
        raise no_match(where, callee.name, [matched], args, [])
