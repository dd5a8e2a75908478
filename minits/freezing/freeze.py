"""`minits.freeze`: a copy of a module for inference, whose attributes are constants.

Source: torch/jit/_freeze.py and torch/csrc/jit/passes/freeze_module.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import nn

from minits.diagnostics import CompileError, error
from minits.freezing.constants import Mutations, fold_attributes
from minits.freezing.frozen_module import FrozenModules
from minits.freezing.kept_attributes import KeptAttributes
from minits.freezing.method_graphs import MethodInliner
from minits.freezing.modules_in_graphs import ModulesInGraph
from minits.gc_pause import gc_paused
from minits.internal_error import internal_errors
from minits.ir.graph import Graph
from minits.jit_enabled import is_enabled
from minits.ops.implementations.instances import slot_of
from minits.ops.properties import FORKS
from minits.passes.pipeline import run_pipeline
from minits.recursion import deep_recursion
from minits.runtime.script_module import RecursiveScriptModule, ScriptModule
from minits.types import types as t
from minits.users_objects import known_info, module_state


def freeze(
    mod: Any, preserved_attrs: Sequence[str] | None = None, optimize_numerics: bool = True
) -> RecursiveScriptModule:
    """Return a copy of a compiled module whose attributes are constants of its graphs.

    preserved_attrs: attributes, submodules and methods that stay, besides `forward`; those of
        submodules as `"block.scale"`. What a method writes to stays by itself.
    optimize_numerics: False leaves out what changes results by a rounding
        (see `run_frozen_optimizations`).

    Raises `CompileError` for what cannot be frozen: no compiled module (TS830), one in training
    mode (TS831), an unknown name (TS832), a module that returns itself (TS833), one whose
    attributes share items (TS836), or that exchanges a submodule known by its interface (TS835).
    """
    if not is_enabled():
        return mod  # type: ignore[no-any-return]
    _check(mod)
    names = list(preserved_attrs or ())
    with gc_paused(), deep_recursion(), internal_errors("minits.freeze"):
        freezer = _Freezer(mod, names)
        frozen = freezer.run()
        for graph in freezer.graphs.values():
            optimize_frozen(graph, optimize_numerics)
    return frozen


def freeze_attributes(mod: ScriptModule, preserved_attrs: Sequence[str]) -> RecursiveScriptModule:
    """Return the copy that `freeze` begins with: attributes are constants, nothing is optimised.

    The module may be in training mode. Raises `CompileError` as `freeze` does.
    """
    _refuse_returned_self(mod)
    return _Freezer(mod, list(preserved_attrs)).run()


def run_frozen_optimizations(
    mod: RecursiveScriptModule,
    optimize_numerics: bool = True,
    preserved_methods: Sequence[str] | None = None,
) -> None:
    """Optimise a frozen module in place: `forward`, and the methods that are named.

    optimize_numerics: False leaves out what changes results by a rounding: folding batch norms,
        additions and multiplications into the weights of convolutions and linear layers.

    Raises `CompileError` (TS830) for what is no compiled module, and `AttributeError` for a method
    that it does not have.
    """
    if not is_enabled():
        return
    _require_compiled(mod)
    state = module_state(mod)
    assert state is not None
    methods = state.info.type.methods
    for name in (*_forwards(state.info.type), *(preserved_methods or ())):
        if name not in methods:
            raise AttributeError(f"{mod.original_name} has no compiled method '{name}'")
        optimize_frozen(methods[name].graph, optimize_numerics)
        methods[name].plans = None
    state.methods.clear()  # those that were asked for run the plans of the graphs before


def optimize_for_inference(
    mod: Any, other_methods: Sequence[str] | None = None
) -> RecursiveScriptModule:
    """Freeze a module, which is put into evaluation mode, and optimise it for inference.

    other_methods: methods that stay, besides `forward`. A module that is frozen already is returned
    as it is: plans choose kernels for the machine when it is called.

    Raises `CompileError` as `freeze` does.
    """
    if not is_enabled():
        return mod  # type: ignore[no-any-return]
    _require_compiled(mod)
    if "training" not in known_info(mod).type.attributes:
        return mod  # type: ignore[no-any-return]
    return freeze(mod.eval(), preserved_attrs=list(other_methods or ()))


def optimize_frozen(graph: Graph, optimize_numerics: bool) -> None:
    """Run the passes for a frozen graph over it."""
    run_pipeline(graph, "optimize-frozen")
    while optimize_numerics and run_pipeline(graph, "fold-weights"):
        pass


def _forwards(type: t.ClassType) -> list[str]:
    """Return the name of `forward`, or those of its overloads; nothing where a type has none."""
    return [name for name in type.forwards if name in type.methods]


def _require_compiled(mod: Any) -> None:
    if not isinstance(mod, ScriptModule) or known_info(mod) is None:
        kind = "an nn.Module" if isinstance(mod, nn.Module) else f"a {type(mod).__name__}"
        raise error(
            None,
            "TS830",
            f"Freezing expects a ScriptModule as input, and got {kind}",
            fix="compile the module with minits.script or minits.trace first",
        )


def _check(mod: Any) -> None:
    """Raise `CompileError` for what is no compiled module in evaluation mode."""
    _require_compiled(mod)
    if getattr(mod, "training", False):
        raise error(
            None,
            "TS831",
            "Freezing is currently only implemented for modules in eval mode: dropout and batch "
            f"norm mean something else in training, and this {mod.original_name} is trained",
            fix="call module.eval() first",
        )
    _refuse_returned_self(mod)


def _refuse_returned_self(mod: ScriptModule) -> None:
    """Raise `CompileError` (TS833) for a module whose `forward` returns the module."""
    type = known_info(mod).type
    forwards = [type.methods[name] for name in _forwards(type)]
    if any(value.type is type for each in forwards for value in each.graph.outputs):
        raise error(
            None,
            "TS833",
            f"attempted to freeze a module that return itself: forward of {mod.original_name} "
            "returns self, of which nothing would be left",
            fix="return what the caller needs of it",
        )


class _Freezer:
    """Freezes one module. Nothing of the original changes."""

    def __init__(self, module: ScriptModule, names: list[str]) -> None:
        self.module = module
        self.kept = KeptAttributes()
        self.methods: dict[tuple[str, ...], tuple[ScriptModule, str]] = {}
        """By the names that lead to it: each method that stays, and the module that it is of."""
        self.whole: list[ScriptModule] = []
        """Submodules that were named: they stay with all that they have."""
        self.ways: list[tuple[ScriptModule, str]] = []
        """The attributes that lead to what was named in submodules."""
        for name in _forwards(known_info(module).type):
            self.methods[name,] = module, name
        for name in names:
            self._preserve(name)
        self.graphs: dict[str, Graph] = {}
        """The graphs of the frozen module's methods, once it is made."""

    def run(self) -> RecursiveScriptModule:
        found = [self._inlined(module, name) for module, name in self.methods.values()]
        mutations = Mutations(self.kept)
        for known in found:
            mutations.record(known)
        for known in found:
            fold_attributes(known, mutations.written)
            _optimize(known.graph)
        for known, (module, _) in zip(found, self.methods.values(), strict=True):
            self._keep_what_is_read(known.graph, {id(module): module})
        for module, name in self.ways:
            self.kept.add(module, name)
        for known in found:
            self._keep_returned(known)
        graphs = dict(zip(self.methods, [known.graph for known in found], strict=True))
        self.graphs = {path[0]: graph for path, graph in graphs.items() if len(path) == 1}
        frozen = FrozenModules(self.module, self.kept, self.whole)
        return frozen.make([(*self.methods[path], graphs[path]) for path in graphs])

    def _inlined(self, module: ScriptModule, name: str) -> ModulesInGraph:
        return MethodInliner(module, self.kept).inlined(known_info(module).type.methods[name])

    def _preserve(self, name: str) -> None:
        """Keep what a user has named. Raises `CompileError` (TS832)."""
        *ways, last = name.split(".")
        module = self.module
        for way in ways:
            child = module._modules.get(way)
            if not isinstance(child, ScriptModule):
                raise self._unknown(name)
            self.ways.append((module, way))
            module = child
        type = known_info(module).type
        if last in type.attributes:
            self.kept.add(module, last)
            held = slot_of(module, last)
            if isinstance(held, ScriptModule):
                self.whole.append(held)
        elif last in type.methods:
            self._preserve_method(module, (*ways, last))
        else:
            raise self._unknown(name)

    def _preserve_method(self, module: ScriptModule, path: tuple[str, ...]) -> None:
        """Keep a method; and all of a submodule whose type others have, of other constants."""
        type = known_info(module).type
        others = [each for each in self.module.modules() if each is not module]
        if module is not self.module and any(known_info(each).type is type for each in others):
            self.whole.append(module)
        else:
            self.methods[path] = module, path[-1]

    def _unknown(self, name: str) -> CompileError:
        known = known_info(self.module).type
        names = [each for each in (*known.attributes, *known.methods) if not each.startswith("_")]
        return error(
            None,
            "TS832",
            f"Unknown name: {name}: {known.short_name} has no such attribute or compiled method",
            fix=f"name some of {', '.join(names)}",
        )

    def _keep_what_is_read(self, graph: Graph, modules: dict[int, ScriptModule]) -> None:
        """Keep the attributes that could not become constants, of all `modules` of that type."""
        for node in graph.all_nodes():
            if node.kind == "prim::GetAttr":
                for module in list(modules.values()):
                    self._keep_read(module, node, modules)
            elif node.kind in FORKS:
                self._keep_what_is_read(node["Subgraph"], modules)

    def _keep_read(self, module: ScriptModule, node: Any, modules: dict[int, ScriptModule]) -> None:
        if known_info(module).type is node.inputs[0].type:
            self.kept.add(module, node["name"])
            held = slot_of(module, node["name"])
            if isinstance(held, ScriptModule):
                modules[id(held)] = held

    def _keep_returned(self, known: ModulesInGraph) -> None:
        """Keep the submodules that a method returns as a whole."""
        for value in known.graph.outputs:
            for module in self.module.modules():
                info = known_info(module)
                if isinstance(value.type, t.ClassType) and info and info.type is value.type:
                    self.whole.append(module)


def _optimize(graph: Graph) -> None:
    """Simplify a graph, and those of what it forks, once its attributes are constants."""
    run_pipeline(graph, "freeze")
    for node in graph.nodes_of_kind(*FORKS):
        _optimize(node["Subgraph"])
