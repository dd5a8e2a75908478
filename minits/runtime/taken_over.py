"""Taking over what torch.jit has compiled: it is read from the archive that torch writes of it.

    net = torch.jit.load("net.pt")         or what torch.jit.script or torch.jit.trace returned
    minits.script(net)                     a minits.ScriptModule with the parameters of `net`

An archive has all of a program but the identity of its tensors. So those of the original, its
parameters, buffers and what is in lists and dicts, are put in the place of those that were read:
training either module trains both. Numbers, flags such as `training`, and lists and dicts as such
are copied, at each call.

Each object is taken over once; what stands for it is kept in it, and goes with it.
"""

from __future__ import annotations

import io
from itertools import chain, repeat
from typing import Any

import torch
from torch import Tensor

from minits import torch_internals as internals
from minits.archive.errors import ArchiveError
from minits.archive.reading.objects import as_parameter
from minits.compilation_state import STATE
from minits.diagnostics import CompileError, error
from minits.frontend.values.graph_function import GraphFunction
from minits.ops.implementations.instances import set_slot, slot_of
from minits.ops.schema import MISSING, Argument
from minits.runtime.loading import load
from minits.runtime.script import ScriptFunction
from minits.runtime.script_module import RecursiveScriptModule, ScriptModule
from minits.types.types import Type
from minits.users_objects import known_info


def taken_over(original: Any) -> Any:
    """Return the module or function that stands for one of torch.jit, the same one at each call.

    Raises `CompileError` (TS614) where torch can write no archive of it, or minits cannot read it.
    """
    known = STATE.taken_over.get(original)
    if isinstance(original, internals.SCRIPT_FUNCTION):
        if known is None:
            known = STATE.taken_over[original] = _function(original, _read(original))
        return known
    made = known or _read(original)
    _bring_up_to_date(made, original)
    return made


def _read(original: Any) -> RecursiveScriptModule:
    try:
        content = original.save_to_buffer()
    except RuntimeError as why:
        raise _refused(original, f"torch.jit can write no archive of it: {why}") from None
    try:
        return load(io.BytesIO(content))
    except ArchiveError as why:
        raise _refused(original, f"its archive cannot be read: {why}") from None


def _refused(original: Any, why: str) -> CompileError:
    reason = why.strip().partition("\n")[0]
    if isinstance(original, internals.SCRIPT_FUNCTION):
        what, fix = f"the function {original.name}", "compile the Python function"
    else:
        what, fix = f"this {original.original_name}", "compile the nn.Module"
    return error(
        None,
        "TS614",
        f"{what} has been compiled by torch.jit, and cannot be taken over: {reason}",
        fix=f"{fix} that it was made of",
    )


# ---- Modules -------------------------------------------------------------------------------------


def _bring_up_to_date(made: ScriptModule, original: Any) -> None:
    """Give a module the tensors and values of its original, and each submodule those of its own."""
    STATE.taken_over[original] = made
    for name, attribute in known_info(made).type.attributes.items():
        ours = slot_of(made, name)
        theirs = getattr(original, name, ours)  # one that torch is still making has no attributes
        if theirs is ours:
            continue
        if isinstance(ours, ScriptModule):
            _bring_up_to_date(ours, theirs)
            continue
        if attribute.is_parameter and theirs is not None:
            as_parameter(theirs)
        set_slot(made, name, _current(theirs, ours))


_PLAIN = (Tensor, bool, int, float, complex, str, torch.device, type(None))


def _current(theirs: Any, ours: Any) -> Any:
    """Return a value of the original, of which Python has a copy, for an attribute that is `ours`.

    Lists and dicts stay the same objects. Objects of classes stay as they are.
    """
    if isinstance(theirs, _PLAIN):
        return theirs
    if isinstance(theirs, list):
        made = ours if isinstance(ours, list) else []
        made[:] = list(map(_current, theirs, chain(made, repeat(None, len(theirs)))))
        return made
    if isinstance(theirs, dict):
        table = ours if isinstance(ours, dict) else {}
        values = {key: _current(value, table.get(key)) for key, value in theirs.items()}
        table.clear()
        table.update(values)
        return table
    if type(theirs) is tuple:
        return tuple(map(_current, theirs, ours or repeat(None)))
    return ours


# ---- Functions -----------------------------------------------------------------------------------


def _function(original: Any, module: RecursiveScriptModule) -> ScriptFunction:
    """Return a function with the graph of `forward`, which torch has added a `self` to."""
    graph = module.graph
    graph.block.param.remove_output(0)
    arguments = [
        _argument(each, value.type)
        for each, value in zip(original.schema.arguments, graph.inputs, strict=True)
    ]
    names = [each.name for each in arguments]
    name = STATE.unique_name(original.qualified_name)
    return ScriptFunction(GraphFunction(original.name, name, graph, names, arguments=arguments))


def _argument(theirs: Any, type: Type) -> Argument:
    default = theirs.default_value if theirs.has_default_value() else MISSING
    return Argument(theirs.name, type, default, theirs.kwarg_only)
