"""Compiled functions and methods, to be called from Python.

Source: torch/jit/_script.py (`ScriptFunction`).
"""

# mypy: disable-error-code="no-any-return"
# A call returns the `R` of its program, which the plan that runs does not know.

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic

from torch.compiler import is_exporting
from typing_extensions import ParamSpec, TypeVar

from minits.compilation_state import STATE
from minits.frontend.python.scopes import ClosureScope
from minits.frontend.values.function import CompiledFunction
from minits.ir.graph import Graph
from minits.lazily import lazily, shown_as
from minits.live_annotations import python_signature
from minits.passes.remarks import Remark
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.arguments import Binder, ByPosition, result_converter
from minits.runtime.in_python import (
    by_torch_function,
    call_in_python,
    python_of,
    signature_of,
    warn_of_state,
)
from minits.runtime.plan import Plan
from minits.runtime.plans import Plans, shared_plans
from minits.runtime.reflection import ReflectedSchema
from minits.runtime.repeated_calls import UNLIKE, RepeatedCall
from minits.runtime.strict_fusion import STRICT
from minits.torch_internals import MODIFIER, constant_to_dynamo, inlined_as, is_traced_by_torch

if TYPE_CHECKING:
    from minits.archive.printing.constants import ConstantMap
    from minits.archive.writing.writer import ExtraFiles


STATE.take_over = lazily("minits.runtime.taken_over:taken_over")
"""So the front end, which stands below, has torch.jit's objects taken over."""


P = ParamSpec("P", default=...)
R = TypeVar("R", default=Any)


class ScriptFunction(Generic[P, R]):
    """A compiled function. Call it like the Python function it was made of.

    To type checkers it has that function's parameters and result.
    """

    _owner: Any = None
    _python: Callable[..., Any]

    def __init__(
        self,
        function: CompiledFunction,
        original: Any = None,
        plans: Plans | None = None,
        receiver: tuple[Any, ...] = (),
    ) -> None:
        """Make it of a function; `receiver` has the object of a method, which it is given first."""
        function.ensure_defined()
        self._receiver = receiver
        self._plans = plans or Plans(function)
        self._bind = Binder(function.schema).bind
        self._convert_result = result_converter(function.schema.returns[0].type)
        self._direct = self._plans.direct
        self._by_position = ByPosition(function.schema, len(receiver)).placed
        self._repeated = RepeatedCall(function.schema, self._plans, receiver)
        self._admission = self._plans.admission
        if original is not None:
            functools.update_wrapper(self, original)
            self.__dict__.pop(MODIFIER, None)  # torch.jit would compile what is marked
        else:
            self.__name__ = self.__qualname__ = function.name
        self._minits = function  # not what is kept in the original

    @inlined_as(call_in_python)
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        placed = args if not kwargs else self._by_position(args, kwargs)
        if placed is not None and not (self._admission.passing or STRICT.blocks):
            last = self._direct.last
            if last is not None:
                found = last if last[0](placed) else self._direct.find(placed)
                if found is not None:
                    _, run, plan = found
                    plan.hits += 1
                    try:
                        return run(*placed)
                    except Exception as error:
                        return self._plans.after_error(error, plan, self._bind(placed, {}))
            again = self._repeated.last or self._repeated.for_any_sizes()
            while again is not None:
                if again.generation == self._direct.generation:
                    try:
                        result = again.call(placed, self._receiver)
                    except Exception as error:
                        result = self._plans.after_error(error, again.plan, self.bound(placed, {}))
                    if result is not UNLIKE:
                        convert = self._convert_result
                        return result if convert is None else convert(result)
                again = self._repeated.after(again)
        if is_traced_by_torch():
            return self.in_python()(*args, **kwargs)
        try:
            given = self.bound(args, kwargs)
        except ArgumentError as refusal:
            return by_torch_function(self, args, kwargs, refusal)
        return self._looked_up(given, placed)

    def _looked_up(self, values: list[Any], placed: tuple[Any, ...] | None) -> Any:
        """Run a call that is unlike the last one, and remember it by its arguments by position."""
        if is_exporting():
            warn_of_state(self._minits, self._owner)
        bound = self._plans.bound(values)
        result = self._plans.run_bound(bound, values)
        if placed is not None:
            is_direct = bound.is_whole and not self._receiver and self._convert_result is None
            if not (is_direct and self._direct.remember(placed, values, bound)):
                self._repeated.remember(placed, values, bound)
        return result if self._convert_result is None else self._convert_result(result)

    def bound(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Return the values of all parameters in order. Raises `ArgumentError`."""
        return self._bind((*self._receiver, *args), kwargs)

    # ---- Python ----------------------------------------------------------------------------------

    def in_python(self) -> Callable[..., Any]:
        """Return a Python function that does the same, for tools that look into it."""
        self.prepare_python()
        return self._python

    @constant_to_dynamo
    def prepare_python(self) -> None:
        """Make that function, if it is not there."""
        warn_of_state(self._minits, self._owner)
        if "_python" not in self.__dict__:
            original = self.__dict__.get("__wrapped__") if self._minits.is_as_written else None
            self._python = python_of(self._minits, original, self._owner)

    @property
    def __code__(self) -> Any:
        """The code object of that function, which tools ask for file and line."""
        return self.in_python().__code__

    @property
    def __signature__(self) -> inspect.Signature:
        """The signature of the original; of an archive's or a trace's function, by its schema."""
        original = self.__dict__.get("__wrapped__")
        if original is not None:
            return python_signature(original)
        return signature_of(self._minits.schema, is_bound=self._owner is not None)

    def __prepare_scriptable__(self) -> Any:
        """Return the original function, for `torch.jit.script`."""
        return self.__dict__.get("__wrapped__", self)

    # ---- Names -----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self._minits.name

    @property
    def qualified_name(self) -> str:
        """torch's name of the function: `__torch__.module.name`."""
        return self._minits.qualified_name

    @property
    def graph(self) -> Graph:
        """The function's graph, as it was emitted and cleaned up."""
        return self._minits.graph

    @property
    def inlined_graph(self) -> Graph:
        """A copy of the graph with all calls inlined and their graphs simplified, as in torch."""
        from minits.passes.preoptimize import inlined

        return inlined(self.graph)

    @property
    def schema(self) -> ReflectedSchema:
        """The signature, with torch's objects for types."""
        return ReflectedSchema(self._minits.schema)

    @property
    def code(self) -> str:
        """The function as Python source, as torch prints it."""
        from minits.archive.printing.printer import print_code

        text: str = print_code(self._minits)
        return text

    @property
    def code_with_constants(self) -> tuple[str, ConstantMap]:
        """The source code, and the constants that it names as `CONSTANTS.c0` and so on."""
        from minits.archive.printing.constants import ConstantMap, ConstantTable
        from minits.archive.printing.printer import print_code

        constants = ConstantTable()
        text: str = print_code(self._minits, constants)
        return text, ConstantMap(constants)

    def plan_report(self) -> str:
        """A report, for people, of the plans: the signature of each, its calls and its cost."""
        return self._plans.report()

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        """Return the optimised graph of the plan for a call with these arguments."""
        return self.plan_for(*args, **kwargs).graph

    def graph_after(
        self,
        passes: Sequence[str],
        args: Sequence[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
    ) -> Graph:
        """Return the inlined graph after these passes and pipelines (minits/passes/pipeline.py).

        With arguments, the passes know the call. Raises `KeyError` for an unknown name.
        """
        from minits.passes.context import Context
        from minits.passes.pipeline import run_pipeline

        graph = self.inlined_graph
        known = Context(program=self._minits.short_name)
        if args is not None:
            known = self._plans.context(graph, self.bound(args, kwargs or {}))
        run_pipeline(graph, passes, known)
        return graph

    def plan_for(self, *args: Any, **kwargs: Any) -> Plan:
        """Return the plan for a call with these arguments. It is made if there is none."""
        return self._plans.lookup(self._bind(args, kwargs))

    def interpret(self, *args: Any) -> Any:
        """Return the result of a call by the interpreter, which runs the graph as it was written.

        Raises the program's errors, and `ArgumentError`.
        """
        from minits.runtime.interpreter import run

        return run(self.inlined_graph, *self.bound(args, {}))

    def warm_up(self, *args: Any, **kwargs: Any) -> None:
        """Build the plan of calls with such arguments, and its kernels, without running it.

        Kernels in branches are built too, and those of gradients where an argument requires one;
        kernels for tensors whose kind only shows at run time are not. Waits for the compiler,
        whatever MINITS_BUILD says.
        """
        self._plans.warm_up(self._bind(args, kwargs))

    def remarks(self, *args: Any, **kwargs: Any) -> list[Remark]:
        """Return remarks on the plan of such a call: the groups fused, and why others were not."""
        return self.plan_for(*args, **kwargs).remarks

    def save(self, f: Any, _extra_files: ExtraFiles | None = None) -> None:
        """Save the function, as the `forward` of a module (see `minits.save`)."""
        from minits.runtime.saving import save

        save(self, f, _extra_files)

    def save_to_buffer(self, _extra_files: ExtraFiles | None = None) -> bytes:
        """Return the bytes that `save` writes."""
        from minits.runtime.saving import save_to_buffer

        return save_to_buffer(self, _extra_files)

    def __deepcopy__(self, memo: dict[int, Any]) -> ScriptFunction:
        return self  # as a Python function's

    def __copy__(self) -> ScriptFunction:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Return the parts that pickle carries: an archive and names. Raises PicklingError."""
        from minits.runtime.pickling import function_parts

        return function_parts(self)

    _repr_html_ = shown_as("function")

    def __repr__(self) -> str:
        return f"<minits.ScriptFunction {self.qualified_name}>"


class ScriptMethod(ScriptFunction):
    """A compiled method, bound to its module or object."""

    def __init__(self, function: CompiledFunction, owner: Any) -> None:
        function.ensure_defined()
        original = python_method(function, owner)
        super().__init__(function, original, shared_plans(function), (owner,))
        self._owner: Any = owner

    def plan_for(self, *args: Any, **kwargs: Any) -> Plan:
        return super().plan_for(self._owner, *args, **kwargs)

    def warm_up(self, *args: Any, **kwargs: Any) -> None:
        super().warm_up(self._owner, *args, **kwargs)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Return the parts that pickle carries: the object, and the name of the method."""
        return getattr, (self._owner, self.name)


def python_method(function: CompiledFunction, owner: Any) -> Any:
    """Return the method that a compiled one was made of, for its name and its docstring.

    None where it was made of a text.
    """
    scope = function.scope
    return scope.function.__get__(owner) if isinstance(scope, ClosureScope) else None
