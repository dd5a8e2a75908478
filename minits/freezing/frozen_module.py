"""The module that is left when its attributes are constants.

Types are made anew, without the attributes and methods that nobody reads. Parameters, buffers and
other values that stay are those of the original, not copies. A submodule that is kept as a whole,
because its name was given, keeps its type and methods.

Source: torch/csrc/jit/passes/freeze_module.cpp (`cleanupFrozenModule`) and
torch/csrc/jit/api/module.cpp (`Module::clone_impl`).
Differs: where one type has a submodule that is kept whole and one that is not, both are kept whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minits.compilation_state import STATE
from minits.freezing.kept_attributes import KeptAttributes
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.values.function import CompiledFunction
from minits.ir.graph import Block, Graph
from minits.ops.implementations.instances import slot_of
from minits.ops.properties import FORKS
from minits.ops.schema import Schema
from minits.records import replace
from minits.runtime.made_modules import assembled
from minits.runtime.module_attributes import copied
from minits.runtime.script_module import RecursiveScriptModule, ScriptModule
from minits.types import types as t
from minits.users_objects import known_info


class FrozenFunction(CompiledFunction):
    """A method with the graph that freezing left of it; its source is the original's."""

    def __init__(self, original: CompiledFunction, graph: Graph, info: ModuleInfo) -> None:
        super().__init__(
            original.name,
            f"{info.type.name}.{original.name}",
            original.definition,
            original.scope,
            itself=info,
            defaults=original.defaults,
            dialect=original.dialect,
        )
        self.is_as_written = False
        first, *rest = original.schema.arguments
        self._graph = graph
        self._schema = _with_arguments(original.schema, (replace(first, type=info.type), *rest))


def _with_arguments(schema: Schema, arguments: tuple[Any, ...]) -> Schema:
    return Schema(schema.name, schema.overload, arguments, schema.returns)


class FrozenModules:
    """Makes the frozen copy of a module, of what is kept of it."""

    def __init__(self, root: ScriptModule, kept: KeptAttributes, whole: list[ScriptModule]) -> None:
        self.root = root
        self.kept = kept
        self.whole = {known_info(each).type for top in whole for each in top.modules()}
        """Types that stay as they are."""
        self.infos: dict[t.ClassType, ModuleInfo] = {}
        """By the types of the original, those of the frozen modules."""

    def make(self, methods: Sequence[tuple[ScriptModule, str, Graph]]) -> RecursiveScriptModule:
        """Return the frozen module. methods: by module and name, the graphs of those that stay."""
        names: dict[t.ClassType, dict[str, None]] = {}
        self._collect(self.root, names)
        self._info(self.root, names)
        for module, name, graph in methods:
            type = known_info(module).type
            self._retype(graph)
            if type not in self.whole:
                info = self.infos[type]
                info.type.methods[name] = FrozenFunction(type.methods[name], graph, info)
        for type, info in self.infos.items():
            for name, overloads in type.overloads.items():
                if set(overloads) <= info.type.methods.keys():
                    info.type.overloads[name] = overloads
        return self._module(self.root, names)

    def _collect(self, module: ScriptModule, names: dict[t.ClassType, dict[str, None]]) -> None:
        """Find the attributes that modules of each type keep."""
        type: t.ClassType = known_info(module).type
        found = names.setdefault(type, {})
        for name in type.attributes:
            if self.kept.stays(module, name):
                found[name] = None
                held = slot_of(module, name)
                if isinstance(held, ScriptModule) and known_info(held).type not in self.whole:
                    self._collect(held, names)

    def _info(self, module: ScriptModule, names: dict[t.ClassType, dict[str, None]]) -> ModuleInfo:
        """Return the info of the frozen type of a module."""
        old: ModuleInfo = known_info(module)
        if old.type in self.whole:
            return old
        found = self.infos.get(old.type)
        if found is None:
            type = t.ClassType(STATE.unique_name(old.type.name), is_module=True)
            found = ModuleInfo(old.cls, type, dialect=old.dialect)
            self.infos[old.type] = found
            type.constants.update(old.type.constants)
            for name in names[old.type]:
                held = slot_of(module, name)
                attribute = old.type.attributes[name]
                if isinstance(held, ScriptModule):
                    found.submodules[name] = self._info(held, names)
                    attribute = replace(attribute, type=found.submodules[name].type)
                type.attributes[name] = attribute
        return found

    def _module(self, module: ScriptModule, names: Any) -> RecursiveScriptModule:
        """Return the frozen copy of a module."""
        old: ModuleInfo = known_info(module)
        if old.type in self.whole:
            return _whole_copy(module)  # type: ignore[no-any-return]
        values = {name: slot_of(module, name) for name in names[old.type]}
        for name, held in values.items():
            if isinstance(held, ScriptModule):
                values[name] = self._module(held, names)
        return assembled(self.infos[old.type], values)

    def _retype(self, graph: Graph) -> None:
        """Give the values of a graph that are modules their frozen types."""
        self._retype_block(graph.block)
        for node in graph.nodes_of_kind(*FORKS):
            self._retype(node["Subgraph"])

    def _retype_block(self, block: Block) -> None:
        for node in (block.param, *block.nodes):
            for value in node.outputs:
                info = self.infos.get(value.type) if isinstance(value.type, t.ClassType) else None
                if info is not None:
                    value.set_type(info.type)
            for inner in node.blocks:
                self._retype_block(inner)


def _whole_copy(module: Any) -> Any:
    """Return a copy of a module and its submodules, which share everything else."""
    made = copied(module)
    for name, child in made._modules.items():
        if isinstance(child, ScriptModule):
            made._modules[name] = _whole_copy(child)
    return made
