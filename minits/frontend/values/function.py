"""A function of the program: its tree, and, once it is defined, its graph and schema.

Source: torch/csrc/jit/api/function_impl.h (`GraphFunction`), ir_emitter.cpp (`to_ir::to_ir`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from minits.compilation_journal import note, whole_or_nothing
from minits.diagnostics import CompileError, Diagnostic, error
from minits.frontend.values.scope import Scope, SelfArgument
from minits.frontend.values.signature import named_parameters
from minits.ir.graph import Graph
from minits.lazily import lazily
from minits.ops.schema import Schema
from minits.records import dataclass
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.calls.schema_matching import NamedValue
    from minits.frontend.values.effects import Effects
    from minits.frontend.values.emitter import Emitter

cured: Callable[..., CompileError] = lazily("minits.frontend.cures.cured:cured")


@dataclass(frozen=True, slots=True)
class Variant:
    """A variadic function compiled for some calls: `f(x, 1, w=2)` is `function(x, 1, kwargs_w=2)`.

    `extended/variadic.py` makes them.

    name: by which the type of a method's self knows it.
    parameters: those that take the keyword arguments that have no parameter of their own.
    """

    name: str
    function: CompiledFunction
    parameters: dict[str, str]

    def parameter(self, keyword: str) -> str:
        """Return the name of the parameter that takes a keyword argument."""
        return self.parameters.get(keyword, keyword)


class CompiledFunction:
    """A function or method whose body is compiled on first use.

    `qualified_name` is unique (`__torch__.module.f`). Methods have `self` as their first argument.
    """

    is_of_archive = False
    """Whether an archive has its code, and no file of the user's."""

    def __init__(
        self,
        name: str,
        qualified_name: str,
        definition: tree.FunctionDef,
        scope: Scope,
        *,
        itself: SelfArgument | None = None,
        defaults: dict[str, Any] | None = None,
        dialect: str = "torch",
        check: Callable[[tree.FunctionDef, str], None] | None = None,
    ) -> None:
        self.name = name
        self.qualified_name = qualified_name
        self.definition = definition
        self.scope = scope
        self.itself = itself
        self.defaults = defaults or {}
        self.dialect = dialect
        self.is_hook = False
        self.is_task = False
        """Whether it is what a fork runs: its arguments are the program's own, not copies."""
        self.is_as_written = True
        """Whether the Python code of its source computes its graph; not after freezing."""
        self.is_initializer = name == "__init__"
        self.is_being_defined = False
        self.effects: Effects | None = None
        """The effects of a call (`effects.py`), computed on first use."""
        self.parameter_types: dict[str, Type] = {}
        """Types of parameters without annotation, where a call decides them."""
        self.assumed_types: dict[str, Type] = {}
        """Types of parameters without annotation, from example inputs."""
        self.template: CompiledFunction | None = None
        """The variadic function that it is a variant of."""
        self.variants: dict[Any, Variant] = {}
        """The variants of a variadic function, by the calls that they are for."""
        self.plans: Any = None
        """The plans of a method, which all objects of its class share (`runtime/plans.py`)."""
        self.executable: Callable[..., Any] | None = None
        """The Python function that runs it where graphs call it (`codegen/python.py`)."""
        self.refused: list[Diagnostic] = []
        """The syntax in its body that its dialect refuses; the rest is checked all the same."""
        self._check = check
        self._graph: Graph | None = None
        self._schema: Schema | None = None

    def ensure_defined(self) -> None:
        """Compile the function if it is not compiled yet. Raises `CompileError`.

        A variadic one has nothing to compile but its variants.
        """
        if self._graph is not None or self.is_variadic:
            return
        self.is_being_defined = True
        try:
            from minits.frontend.dialects import define  # which imports the whole front end

            with whole_or_nothing():
                made = define(self)
                note(self._forget_definition)
                self._graph, self._schema = made
                self.after_definition(self._graph)
        finally:
            self.is_being_defined = False

    def _forget_definition(self) -> None:
        self._graph = self._schema = None

    def limit_type(self, type: Type, loc: SourceRange | None) -> None:
        """Raise what a subclass raises for the type of a tuple with too many parts: nothing."""

    def after_definition(self, graph: Graph) -> None:
        """Do what a subclass does with the new graph: nothing."""

    def require_supported(self) -> None:
        """Check the parameters: `*args` and `**kwargs` are refused. Raises `NotSupportedError`."""
        self.check_once()
        try:
            named_parameters(self.definition, self.dialect)
        except CompileError as fault:
            raise cured(fault, self.definition) from None

    def check_once(self) -> None:
        """Run the check that was given with the function, the first time. Raises `CompileError`."""
        if self._check is not None:
            try:
                self._check(self.definition, self.dialect)
            except CompileError as fault:
                raise cured(fault, self.definition) from None
            self._check = None

    @property
    def short_name(self) -> str:
        """The name for people: `f`, or `Class.f` of a method."""
        parts = self.qualified_name.split(".")
        return ".".join(parts[-2:] if self.itself is not None else parts[-1:])

    @property
    def is_variadic(self) -> bool:
        """Return whether it has `*args` or `**kwargs`, and its dialect lets it be called so."""
        arguments = self.definition.args
        has_any = arguments.vararg is not None or arguments.kwarg is not None
        return has_any and self.dialect == "extended"

    def variant(
        self, definition: tree.FunctionDef, qualified_name: str, types: dict[str, Type]
    ) -> CompiledFunction:
        """Return a function that is like this variadic one but for its parameters."""
        made = CompiledFunction(
            self.name,
            qualified_name,
            definition,
            self.scope,
            itself=self.itself,
            defaults=self.defaults,
            dialect=self.dialect,
            check=self._check,
        )
        made.is_initializer = self.is_initializer
        made.parameter_types = types
        made.assumed_types = self.assumed_types
        made.template = self
        return made

    def variant_of_call(
        self, emitter: Emitter, args: Sequence[NamedValue], kwargs: Sequence[NamedValue]
    ) -> tuple[Variant, Sequence[NamedValue]]:
        """Return the variant of a variadic function for a call, and the keywords as it names them.

        Raises `CompileError`.
        """
        from minits.frontend.dialects import variant_of_call

        return variant_of_call(emitter, self, args, kwargs)

    @property
    def graph(self) -> Graph:
        """The function's graph; compiles it first. Raises `CompileError`."""
        self.ensure_defined()
        if self._graph is None:
            raise self.has_variants_only()
        return self._graph

    @property
    def schema(self) -> Schema:
        """The function's schema; compiles it first. Raises `CompileError`, as `graph` does."""
        self.ensure_defined()
        if self._schema is None:
            raise self.has_variants_only()
        return self._schema

    def has_variants_only(self) -> CompileError:
        """Return the error for asking a variadic function for its schema, graph or code."""
        return error(
            origin(self.definition),
            "TS191",
            f"'{self.name}' takes any number of arguments: there is a schema and a graph for each "
            "way in which it is called",
            fix="ask f.variant(...) with the arguments of a call",
        )

    def __repr__(self) -> str:
        return f"<CompiledFunction {self.qualified_name}>"


def compiled_of(value: Any) -> CompiledFunction | None:
    """Return the function that something callable from Python runs, None for what is not compiled.

    What wraps such an object has its attributes, too.
    """
    found = getattr(value, "__dict__", {}).get("_minits")
    return found if isinstance(found, CompiledFunction) else None
