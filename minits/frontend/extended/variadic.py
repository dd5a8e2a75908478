"""`*args` and `**kwargs`, in the extended dialect: a function is compiled for each way to call it.

    def total(x, *more, **weights):       =   def total(x, more_0: int, weights_w: float):
        ...                                       more = (more_0,)
                                                  ...  # where weights["w"] is weights_w
    total(1, 2, w=0.5)                        total(1, 2, weights_w=0.5)

What decides is how many arguments there are beyond the named ones, their names, and their types
where `*more: int` has no annotation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minits.compilation_journal import enter
from minits.compilation_state import STATE
from minits.diagnostics import error
from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.extended.kwargs_analysis import FORM, is_known_by_name
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.function import CompiledFunction, Variant
from minits.records import replace
from minits.syntax import tree
from minits.syntax.extensions.fresh_names import FreshNames
from minits.syntax.torch_ranges import origin
from minits.types.types import Type

MAX_VARIANTS = 64
"""Of one function; a recursion that adds an argument to each call would have no end."""


def variant_of_call(
    emitter: Emitter,
    function: CompiledFunction,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
) -> tuple[Variant, list[NamedValue]]:
    """Return the variant for a call, and the call's keyword arguments as it names them."""
    graph = emitter.graph
    positional = [value.ir_value(graph).type for value in args]
    keywords = {value.name or "": value.ir_value(graph).type for value in kwargs}
    variant = variant_for(function, positional, keywords)
    renamed = [replace(value, name=variant.parameter(value.name or "")) for value in kwargs]
    return variant, renamed


def variant_for(
    function: CompiledFunction, positional: Sequence[Type], keywords: dict[str, Type]
) -> Variant:
    """Return the variant for calls with arguments of these types, `self` included.

    Raises `CompileError`.
    """
    arguments = function.definition.args
    named = len(arguments.posonlyargs) + len(arguments.args)
    known = {parameter.arg for parameter in (*arguments.args, *arguments.kwonlyargs)}
    more = tuple(positional[named:]) if arguments.vararg is not None else ()
    others = {name: type for name, type in keywords.items() if name not in known}
    if arguments.kwarg is None:
        others = {}
    key = (more, tuple(others.items()))
    if key not in function.variants:
        if len(function.variants) == MAX_VARIANTS:
            raise error(
                origin(function.definition),
                "TS712",
                f"'{function.name}' is called in more than {MAX_VARIANTS} different ways, and each "
                "is compiled anew",
                fix="pass a list, or end the recursion",
            )
        enter(function.variants, key, _Maker(function, more, others).make())
    return function.variants[key]


class _Maker:
    """Makes one variant."""

    def __init__(
        self, function: CompiledFunction, more: tuple[Type, ...], others: dict[str, Type]
    ) -> None:
        self.function, self.more, self.others = function, more, others
        self.names = FreshNames(function.definition)
        self.types: dict[str, Type] = {}
        self.name = f"{function.name}__{len(function.variants)}"

    def make(self) -> Variant:
        definition = self.function.definition
        arguments, body = definition.args, definition.body
        by_position: tuple[tree.arg, ...] = ()
        by_name: dict[str, tree.arg] = {}
        if arguments.vararg is not None:
            by_position = tuple(self._positional(arguments.vararg))
            body = (_tuple(arguments.vararg, by_position), *body)
        if arguments.kwarg is not None:
            by_name = self._keywords(arguments.kwarg)
            static = is_known_by_name(definition, arguments.kwarg.arg)
            body = (_mapping(arguments.kwarg, by_name, static), *body)
        changed = tree.replaced(
            arguments,
            args=(*arguments.args, *by_position),
            kwonlyargs=(*arguments.kwonlyargs, *by_name.values()),
            kw_defaults=(*arguments.kw_defaults, *(None for _ in by_name)),
            vararg=None,
            kwarg=None,
        )
        made = self._function(tree.replaced(definition, args=changed, body=body))
        names = {keyword: parameter.arg for keyword, parameter in by_name.items()}
        return Variant(self.name, made, names)

    def _function(self, definition: tree.FunctionDef) -> CompiledFunction:
        """Make the function; a method is given to the type of its self."""
        function, itself = self.function, self.function.itself
        if itself is None:
            qualified = STATE.unique_name(function.qualified_name)
            return function.variant(definition, qualified, self.types)
        qualified = f"{itself.type.name}.{self.name}"
        made = function.variant(definition, qualified, self.types)
        enter(itself.type.methods, self.name, made)
        return made

    def _positional(self, starred: tree.arg) -> Iterator[tree.arg]:
        for number, type in enumerate(self.more):
            yield self._parameter(starred, f"{starred.arg}_{number}", type)

    def _keywords(self, starred: tree.arg) -> dict[str, tree.arg]:
        return {
            keyword: self._parameter(starred, f"{starred.arg}_{keyword}", type)
            for keyword, type in self.others.items()
        }

    def _parameter(self, starred: tree.arg, name: str, type: Type) -> tree.arg:
        """Make a parameter, of the annotated type if there is one."""
        name = self.names.like(name)
        if starred.annotation is None:
            self.types[name] = type
        return tree.replaced(starred, arg=name)


def _tuple(starred: tree.arg, parameters: Sequence[tree.arg]) -> tree.stmt:
    loc = starred.range
    items = tuple(tree.Name(loc, parameter.arg) for parameter in parameters)
    return tree.Assign(loc, (tree.Name(loc, starred.arg),), tree.Tuple(loc, items), None)


def _mapping(starred: tree.arg, parameters: dict[str, tree.arg], static: bool) -> tree.stmt:
    """Return the statement `kwargs = {...}`; if `static`, with a compile-time mapping instead."""
    loc = starred.range
    names = {keyword: tree.Name(loc, parameter.arg) for keyword, parameter in parameters.items()}
    value: tree.expr
    if static:
        keywords = tuple(tree.keyword(loc, keyword, name) for keyword, name in names.items())
        value = tree.Call(loc, tree.Name(loc, FORM), (), keywords)
    else:
        keys = tuple(tree.Constant(loc, keyword, None) for keyword in names)
        value = tree.Dict(loc, keys, tuple(names.values()))
    return tree.Assign(loc, (tree.Name(loc, starred.arg),), value, None)
