"""Compiled functions and methods, to be called from Python.

Source: torch/jit/_script.py (`ScriptFunction`).
"""

from __future__ import annotations

import functools
import pickle
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from minits.frontend.python.scopes import ClosureScope
from minits.frontend.values.function import CompiledFunction
from minits.ir.graph import Graph
from minits.ops.schema import Schema
from minits.passes.remarks import Remark
from minits.runtime.arguments import Binder, result_converter
from minits.runtime.plan import Plan
from minits.runtime.plans import Plans, shared_plans
from minits.runtime.strict_fusion import STRICT

if TYPE_CHECKING:
    from minits.archive.printing.constants import ConstantMap
    from minits.archive.writing.writer import ExtraFiles


class ScriptFunction:
    """A compiled function. Call it like the Python function it was made of."""

    def __init__(
        self, function: CompiledFunction, original: Any = None, plans: Plans | None = None
    ) -> None:
        function.ensure_defined()
        self._plans = plans or Plans(function)
        self._bind = Binder(function.schema).bind
        self._convert_result = result_converter(function.schema.returns[0].type)
        self._direct = self._plans.direct
        self._admission = self._plans.admission
        if original is not None:
            functools.update_wrapper(self, original)
        self._minits = function  # not what is kept in the original

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        last = self._direct.last
        if last is not None and not (kwargs or self._admission.passing or STRICT.depth):
            found = last if last[0](args) else self._direct.find(args)
            if found is not None:
                _, run, plan = found
                plan.hits += 1
                try:
                    return run(*args)
                except Exception as error:
                    self._plans.raise_first(error, plan, self._bind(args, kwargs))
        values = self._bind(args, kwargs)
        bound = self._plans.bound(values)
        result = self._plans.run_bound(bound, values)
        if self._convert_result is not None:
            return self._convert_result(result)
        if bound.is_whole and not kwargs:
            self._direct.remember(args, values, bound)
        return result

    def bound(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Return the values of all parameters in order. Raises `ArgumentError`."""
        return self._bind(args, kwargs)

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
    def schema(self) -> Schema:
        return self._minits.schema

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

    def graph_after(self, passes: Sequence[str], args: Sequence[Any] | None = None) -> Graph:
        """Return the inlined graph after these passes and pipelines (minits/passes/pipeline.py).

        With arguments, the passes know the call. Raises `KeyError` for an unknown name.
        """
        from minits.passes.context import Context
        from minits.passes.pipeline import run_pipeline

        graph = self.inlined_graph
        known = Context(program=self._minits.short_name)
        if args is not None:
            known = self._plans.context(graph, self._bind(tuple(args), {}))
        run_pipeline(graph, passes, known)
        return graph

    def plan_for(self, *args: Any, **kwargs: Any) -> Plan:
        """Return the plan for a call with these arguments. It is made if there is none."""
        return self._plans.lookup(self._bind(args, kwargs))

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

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Refuse to be pickled. Raises PicklingError."""
        raise pickle.PicklingError(
            f"ScriptFunction cannot be pickled: save {self.name} with minits.save, or pickle the "
            "Python function, and compile it where it is loaded"
        )

    def __repr__(self) -> str:
        return f"<minits.ScriptFunction {self.qualified_name}>"


class ScriptMethod(ScriptFunction):
    """A compiled method, bound to its module or object."""

    def __init__(self, function: CompiledFunction, owner: Any) -> None:
        function.ensure_defined()
        super().__init__(function, python_method(function, owner), shared_plans(function))
        self._owner = owner

    def bound(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        return super().bound((self._owner, *args), kwargs)

    def graph_after(self, passes: Sequence[str], args: Sequence[Any] | None = None) -> Graph:
        return super().graph_after(passes, None if args is None else (self._owner, *args))

    def plan_for(self, *args: Any, **kwargs: Any) -> Plan:
        return super().plan_for(self._owner, *args, **kwargs)

    def warm_up(self, *args: Any, **kwargs: Any) -> None:
        super().warm_up(self._owner, *args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        values = self._bind((self._owner, *args), kwargs)
        result = self._plans.run(values)
        return result if self._convert_result is None else self._convert_result(result)


def python_method(function: CompiledFunction, owner: Any) -> Any:
    """Return the method that a compiled one was made of, for its name and its docstring.

    None where it was made of a text.
    """
    scope = function.scope
    return scope.function.__get__(owner) if isinstance(scope, ClosureScope) else None
