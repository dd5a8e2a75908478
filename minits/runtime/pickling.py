"""Compiled modules and functions as `pickle` carries them: as what `minits.save` writes.

    pickle.dumps(module)      an archive without weights, and the tensors of its attributes
    pickle.dumps(function)    an archive

Tensors stand beside the archive, as tensors: an optimizer that is pickled with a module still has
the module's parameters, and processes of `torch.multiprocessing` share them.

Source: none; torch.jit refuses.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from minits.archive.errors import SaveError
from minits.bounded_cache import BoundedCache
from minits.compilation_state import STATE
from minits.frontend.values.graph_function import GraphFunction
from minits.identity import Identity
from minits.ops.implementations.instances import set_slot, slot_of
from minits.runtime.loading import load, load_with_storages
from minits.runtime.saving import save_to_buffer, save_without
from minits.runtime.script import ScriptFunction
from minits.torch_internals import storage_of
from minits.users_objects import known_info

if TYPE_CHECKING:
    from minits.runtime.script_module import RecursiveScriptModule, ScriptModule

MOST_FUNCTIONS = 256
_FUNCTIONS: BoundedCache[tuple[bytes, str], ScriptFunction] = BoundedCache(MOST_FUNCTIONS)
"""Functions have no state, so one that arrives again is the one that arrived before."""


# ---- Modules -------------------------------------------------------------------------------------


def module_parts(module: ScriptModule) -> tuple[Any, ...]:
    """Return the parts of a compiled module, for `__reduce_ex__`. Raises `PicklingError`."""
    places, holders = _places(module)
    try:
        archive, left_out = save_without(module, holders)
    except SaveError as why:
        raise _refused(module.original_name, why) from None
    return restored_module, (archive, places, left_out)


def restored_module(
    archive: bytes, places: dict[str, Tensor], left_out: dict[str, str]
) -> RecursiveScriptModule:
    """Return a module from an archive and the tensors of its attributes, by their places.

    left_out: the place of the tensor that has the storage, by the record that the archive lacks.
    Raises `ArchiveError`.
    """
    storages = {record: places[place].untyped_storage() for record, place in left_out.items()}
    module = load_with_storages(archive, storages)
    for place, tensor in places.items():
        owner, _, name = place.rpartition(".")
        set_slot(module.get_submodule(owner), name, tensor)
    return module


def _places(module: ScriptModule) -> tuple[dict[str, Tensor], dict[int, str]]:
    """Return the tensors to pickle by their places, and the place of one for each storage.

    Further tensors with such a storage, views, are in the archive, which knows that they share it.
    """
    tensors = sorted(_tensors(module, "", set()), key=lambda each: not _is_parameter(each[1]))
    holders: dict[int, str] = {}
    places: dict[str, Tensor] = {}
    for place, tensor in tensors:
        if not _is_plain(tensor):
            places[place] = tensor
            continue
        holder = holders.setdefault(storage_of(tensor), place)
        if places.setdefault(holder, tensor) is tensor:
            places[place] = tensor
    return places, holders


def _is_parameter(tensor: Tensor) -> bool:
    return isinstance(tensor, torch.nn.Parameter)


def _tensors(
    module: ScriptModule, prefix: str, seen: set[Identity]
) -> Iterator[tuple[str, Tensor]]:
    """Yield the tensors of attributes with their places, `conv.weight`.

    What a module with `__getstate__` has is its own to save.
    """
    type = known_info(module).type
    if Identity(module) in seen or "__getstate__" in type.methods:
        return
    seen.add(Identity(module))
    for name in type.attributes:
        value = slot_of(module, name)
        if isinstance(value, Tensor):
            yield prefix + name, value
        elif known_info(value) is not None and name in module._modules:
            yield from _tensors(value, f"{prefix}{name}.", seen)


def _is_plain(tensor: Tensor) -> bool:
    """Return whether a tensor has a storage that is pickled with it as a whole."""
    return type(tensor) in (Tensor, torch.nn.Parameter) and (
        tensor.layout is torch.strided and tensor.device.type != "meta"
    )


# ---- Functions -----------------------------------------------------------------------------------


def function_parts(function: ScriptFunction) -> tuple[Any, ...]:
    """Return the parts of a compiled function, for `__reduce_ex__`. Raises `PicklingError`."""
    try:
        archive = save_to_buffer(function)
    except SaveError as why:
        raise _refused(function.name, why) from None
    return restored_function, (archive, function.name, function.qualified_name)


def restored_function(archive: bytes, name: str, qualified_name: str) -> ScriptFunction:
    """Return the function of an archive, the same one for the same archive.

    Raises `ArchiveError`.
    """
    known = _FUNCTIONS.get((archive, name))
    if known is None:
        known = _FUNCTIONS.put((archive, name), _function_of(archive, name, qualified_name))
    return known


def _function_of(archive: bytes, name: str, qualified_name: str) -> ScriptFunction:
    forward = load(BytesIO(archive)).compile_method("forward")
    graph = forward.graph
    graph.block.param.remove_output(0)  # the module that stands in for it in the archive
    arguments = forward._minits.schema.arguments[1:]
    unique = STATE.unique_name(qualified_name)
    names = [each.name for each in arguments]
    return ScriptFunction(GraphFunction(name, unique, graph, names, arguments=arguments))


def _refused(name: str, why: SaveError) -> pickle.PicklingError:
    return pickle.PicklingError(
        f"{name} is compiled and is pickled as an archive, which cannot be made of it: {why}"
    )
