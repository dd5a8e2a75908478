"""`self.layers[i]` with an index that is known only when it runs, in the extended dialect.

    y = self.layers[i](x)      =   j = i + 2 if i < 0 else i
                                   if not 0 <= j < 2:
                                       raise IndexError(...)
                                   if j == 0:
                                       y = self.layers[0](x)
                                   else:
                                       y = self.layers[1](x)

The modules may be of different types, so none of them becomes a value of the graph: what does is
the result of a call or an attribute, which must be of one type for all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from minits.diagnostics import error
from minits.frontend.calls.schema_matching import make_list
from minits.frontend.emit import conditions
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.modules.module_value import ModuleValue
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.refinement import Condition
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ir.constants import insert_constant
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.types import types as t
from minits.types.types import Type

Maker = Callable[[], SugaredValue]
"""Makes a module of the container, in the branch where it is the chosen one."""
Use = Callable[[SugaredValue], SugaredValue]


class ChosenModule(SugaredValue):
    """A module of a container, selected by an index at run time.

    key: an `int` from 0, or a `str`. infos: what the chosen module may be, for each maker or more.
    """

    kind = "module chosen by an index"
    is_module = True
    is_virtual = True

    def __init__(
        self,
        key: Value,
        keys: Sequence[int | str],
        makers: Sequence[Maker],
        infos: Sequence[ModuleInfo],
    ) -> None:
        self.key, self.keys, self.makers, self.infos = key, keys, makers, infos

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        def use(module: SugaredValue) -> SugaredValue:
            return module.attr(loc, emitter, name)

        if all(name in info.submodules for info in self.infos):
            return self._part(use, [info.submodules[name] for info in self.infos])
        if any(_has_value(info, name) for info in self.infos):
            return SimpleValue(self.choose(loc, emitter, use))
        return _ChosenMethod(self, name)

    def getitem(
        self, loc: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        def use(module: SugaredValue) -> SugaredValue:
            return module.getitem(loc, emitter, index, type_hint)

        if any(info.kind in ("parameter_list", "parameter_dict") for info in self.infos):
            return SimpleValue(self.choose(loc, emitter, use))
        return self._part(use, [part for info in self.infos for part in info.submodules.values()])

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        def use(module: SugaredValue) -> SugaredValue:
            return module.call(loc, emitter, args, kwargs, n_binders)

        return SimpleValue(self.choose(loc, emitter, use))

    def as_value(self, loc: SourceRange, emitter: Emitter) -> Value:
        """Refuse to be one value of the graph. Raises `CompileError` (TS714)."""
        raise error(
            loc,
            "TS714",
            "a module that an index chooses while the program runs cannot be used as a value",
            fix="call it, or go over the container",
        )

    def _part(self, use: Use, infos: Sequence[ModuleInfo]) -> ChosenModule:
        makers = [_then(maker, use) for maker in self.makers]
        return ChosenModule(self.key, self.keys, makers, infos)

    # ---- The choice ----------------------------------------------------------------------------

    def choose(self, loc: SourceRange, emitter: Emitter, use: Use, first: int = 0) -> Value:
        """Emit Ifs that compare the key, from index `first` on, and `use` the module found."""

        def used() -> Value:
            return use(self.makers[first]()).as_value(loc, emitter)

        if first == len(self.makers) - 1:
            return used()
        equal = emit_builtin_call(emitter.graph, loc, "aten::eq", [self.key, self.keys[first]])
        return conditions.emit_choice(
            emitter,
            loc,
            Condition(equal),
            used,
            lambda: self.choose(loc, emitter, use, first + 1),
        )


class _ChosenMethod(SugaredValue):
    """A method of the chosen module."""

    kind = "method"

    def __init__(self, module: ChosenModule, name: str) -> None:
        self.module, self.name = module, name

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        def use(module: SugaredValue) -> SugaredValue:
            method = module.attr(loc, emitter, self.name)
            return method.call(loc, emitter, args, kwargs, n_binders)

        return SimpleValue(self.module.choose(loc, emitter, use))


def _then(maker: Maker, use: Use) -> Maker:
    return lambda: use(maker())


def _has_value(info: ModuleInfo, name: str) -> bool:
    """Return whether an attribute of a module is a value of the graph."""
    type = info.type
    is_value = name in type.attributes or name in type.constants or name in type.properties
    return is_value and name not in info.submodules


# ---- The index ---------------------------------------------------------------------------------


def choose_submodule(
    loc: SourceRange, emitter: Emitter, container: ModuleValue, index: Value
) -> ChosenModule:
    """Return the submodule of a ModuleList or ModuleDict that an index or a key chooses.

    Raises `CompileError`.
    """
    info = container.info
    names, infos = list(info.submodules), list(info.submodules.values())
    makers = [partial(container.submodule, emitter, name) for name in names]
    wanted = t.INT if info.kind == "list" else t.STR
    if index.type != wanted:
        message = f"expected {wanted.annotation} between the brackets, found"
        fix = "an nn.ModuleList takes an int, an nn.ModuleDict a str"
        raise error(loc, "TS308", f"{message} {index.type.annotation}", fix=fix)
    if info.kind == "list":
        return choose_by_index(loc, emitter, index, [*makers], infos)
    return choose_by_key(loc, emitter, index, names, [*makers], infos)


def choose_by_index(
    loc: SourceRange, emitter: Emitter, index: Value, makers: list[Maker], infos: list[ModuleInfo]
) -> ChosenModule:
    """Return the module at an index, which may be negative; emits that it is in range."""
    _require_any(loc, makers)
    graph, count = emitter.graph, len(makers)

    def test(operator: str, left: Value, right: int) -> Value:
        return emit_builtin_call(graph, loc, operator, [left, right])

    position = conditions.emit_choice(
        emitter,
        loc,
        Condition(test("aten::lt", index, 0)),
        lambda: test("aten::add", index, count),
        lambda: index,
    )
    is_outside = emit_builtin_call(
        graph,
        loc,
        "aten::__or__",
        [test("aten::lt", position, 0), test("aten::ge", position, count)],
    )
    text = insert_constant(graph, "index {} is out of range", loc=loc)
    _emit_raise_if(emitter, loc, is_outside, "builtins.IndexError", [text, index])
    return ChosenModule(position, list(range(count)), makers, infos)


def choose_by_key(
    loc: SourceRange,
    emitter: Emitter,
    key: Value,
    keys: list[str],
    makers: list[Maker],
    infos: list[ModuleInfo],
) -> ChosenModule:
    """Return the module of a key; emits that there is one."""
    _require_any(loc, makers)
    graph = emitter.graph
    known = make_list(graph, t.STR, [insert_constant(graph, each, loc=loc) for each in keys])
    is_known = emit_builtin_call(graph, loc, "aten::__contains__", [known, key])
    is_unknown = emit_builtin_call(graph, loc, "aten::__not__", [is_known])
    text = insert_constant(graph, "'{}'", loc=loc)
    _emit_raise_if(emitter, loc, is_unknown, "builtins.KeyError", [text, key])
    return ChosenModule(key, keys, makers, infos)


def _require_any(loc: SourceRange, makers: list[Maker]) -> None:
    if not makers:
        message = "there is no such module: the container is empty"
        raise error(loc, "TS309", message, fix="fill it in __init__, or do not index it")


def _emit_raise_if(
    emitter: Emitter, loc: SourceRange, condition: Value, exception: str, text: list[Value]
) -> None:
    graph = emitter.graph
    node = graph.emit("prim::If", [condition], [], loc)
    with graph.inserting_at(node.add_block()):
        message = emit_builtin_call(graph, loc, "aten::format", text)
        emit_builtin_call(graph, loc, "prim::RaiseException", [message, exception])
    node.add_block()
