"""Functions with `*args` or `**kwargs` called from Python: compiled for each way they are called.

Source: none; torch.jit refuses them. `minits/frontend/extended/variadic.py` says what a variant is.
"""

from __future__ import annotations

import functools
import pickle
from typing import TYPE_CHECKING, Any, NoReturn

from minits.frontend.values.function import CompiledFunction, Variant
from minits.ir.graph import Graph
from minits.lazily import lazily
from minits.passes.remarks import Remark
from minits.recursion import deep_recursion
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.script import ScriptFunction, ScriptMethod, python_method
from minits.types.inference import CannotInfer, infer_type
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.runtime.script_module import ScriptModule

class_types = lazily("minits.frontend.python.class_registry:class_types")


def compiled_function(
    function: CompiledFunction, original: Any = None
) -> ScriptFunction | VariadicFunction:
    """Return a function to be called from Python. Raises `CompileError`."""
    if function.is_variadic:
        return VariadicFunction(function, original)
    return ScriptFunction(function, original)


class VariadicFunction:
    """A function of any number of arguments. `variant` is what it is compiled to for a call."""

    def __init__(self, function: CompiledFunction, original: Any = None) -> None:
        self._scripts: dict[str, ScriptFunction] = {}
        if original is not None:
            functools.update_wrapper(self, original)
        self._minits = function  # not what is kept in the original

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        script, named = self.bind(args, kwargs)
        return script(*args, **named)

    def variant(self, *args: Any, **kwargs: Any) -> ScriptFunction:
        """Return the compiled function that a call with these arguments runs.

        Raises `CompileError` where there is none for their types.
        """
        return self.bind(args, kwargs)[0]

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        """Return the optimised graph of the plan for a call with these arguments."""
        script, named = self.bind(args, kwargs)
        return script.graph_for(*args, **named)

    def remarks(self, *args: Any, **kwargs: Any) -> list[Remark]:
        """Return remarks on the plan of such a call: the groups fused, and why others were not."""
        script, named = self.bind(args, kwargs)
        return script.remarks(*args, **named)

    def warm_up(self, *args: Any, **kwargs: Any) -> None:
        """Build the plan and the kernels of calls with such arguments; nothing runs."""
        script, named = self.bind(args, kwargs)
        script.warm_up(*args, **named)

    def plan_report(self) -> str:
        """A report, for people, of the plans of each variant."""
        return "\n".join(script.plan_report() for script in self._scripts.values())

    def _refuse(self) -> NoReturn:
        """Raise a `CompileError`: only variants have a schema, a graph and code."""
        raise self._minits.has_variants_only()

    schema = graph = inlined_graph = code = code_with_constants = property(_refuse)

    def bind(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[ScriptFunction, dict[str, Any]]:
        """Return the variant for a call, and the keyword arguments as it names them."""
        found = self._find(args, kwargs)
        return self._script(found), {found.parameter(name): kwargs[name] for name in kwargs}

    def _find(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Variant:
        from minits.frontend.extended.variadic import variant_for

        positional = [*self._bound(), *map(self._type, args)]
        keywords = {name: self._type(value) for name, value in kwargs.items()}
        return variant_for(self._minits, positional, keywords)

    def _bound(self) -> list[Type]:
        """The types of arguments that are bound in front of a call's own; a method has `self`."""
        return []

    def _type(self, value: Any) -> Type:
        try:
            return infer_type(value, class_types)
        except CannotInfer as why:
            raise ArgumentError(
                f"{self._minits.name}() cannot be compiled for this call: {why}"
            ) from None

    def _script(self, variant: Variant) -> ScriptFunction:
        if variant.name not in self._scripts:
            with deep_recursion():
                self._scripts[variant.name] = self._made(variant)
        return self._scripts[variant.name]

    def _made(self, variant: Variant) -> ScriptFunction:
        return ScriptFunction(variant.function)

    @property
    def name(self) -> str:
        return self._minits.name

    def __deepcopy__(self, memo: dict[int, Any]) -> VariadicFunction:
        return self  # as a Python function's

    def __copy__(self) -> VariadicFunction:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Refuse to be pickled. Raises PicklingError."""
        raise pickle.PicklingError(
            f"{self.name} takes any number of arguments, which archives cannot hold: pickle its "
            "variant for the arguments that are given, or the Python function"
        )

    def __repr__(self) -> str:
        return f"<minits.VariadicFunction {self._minits.qualified_name}>"


class VariadicMethod(VariadicFunction):
    """A method of any number of arguments, bound to its module."""

    def __init__(self, function: CompiledFunction, owner: ScriptModule) -> None:
        super().__init__(function, python_method(function, owner))
        self._owner = owner

    def _bound(self) -> list[Type]:
        assert self._minits.itself is not None
        return [self._minits.itself.type]

    def _made(self, variant: Variant) -> ScriptFunction:
        return ScriptMethod(variant.function, self._owner)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Return the parts that pickle carries: the module, and the name of the method."""
        return getattr, (self._owner, self.name)
