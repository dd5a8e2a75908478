"""`with minits.patch_torch_jit():` code that calls `torch.jit` uses minits.

    with minits.patch_torch_jit():
        import library            # which has functions with @torch.jit.script
        model = library.Model()   # and modules that are compiled when they are made

Libraries that have taken a name before (`from torch.jit import script`) keep it, and it works on:
torch's own files see the names of torch. What torch.jit has compiled stays as it is. In a torch
without `torch.jit` there is one meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any
from unittest.mock import patch

import torch

from minits import torch_internals as internals
from minits.shared_change import SharedChange

_NAME = "torch.jit"


@contextmanager
def patch_torch_jit() -> Iterator[None]:
    """Let `torch.jit` have the functions and classes of minits while the block runs.

    They are put back behind it, whatever is raised in it. Blocks may be nested, and may overlap in
    threads, for all of which they hold: the last that ends puts the names back.
    """
    with _PATCH.made():
        yield


def _put_in_place(names: ExitStack) -> None:
    """Patch torch, with what undoes it in `names`."""
    minits = sys.modules[__package__]  # which has this file's function among its names
    try:
        module = import_module(_NAME)
    except ImportError:
        module = ModuleType(_NAME)
        ours = {name: getattr(minits, name) for name in minits.__all__}
    else:
        ours = {n: getattr(minits, n) for n in minits.__all__ if hasattr(module, n)}
        names.enter_context(_kept_for_torch(module))
        ours |= _classes_of_both(minits)
        for holder, name in internals.places_of_script_function():
            names.enter_context(patch.object(holder, name, ours["ScriptFunction"]))
        made_by_minits = minits.ScriptModule
        names.enter_context(internals.modules_count_as_torchs(made_by_minits))
        names.enter_context(patch.object(type(made_by_minits), "__repr__", _text_of_class))
    names.enter_context(_imported(module))
    names.enter_context(patch.object(torch, "jit", module, create=True))
    names.enter_context(patch.multiple(module, create=True, **ours))


_PATCH = SharedChange(_put_in_place)


def _classes_of_both(minits: Any) -> dict[str, Any]:
    """Return classes to inherit from, of which objects of minits and of torch.jit are instances."""
    return {
        name: _OfBoth(name, (ours,), {"_theirs": theirs, "__doc__": ours.__doc__})
        if not issubclass(ours, torch.nn.Module)
        else _module_class(name, ours, theirs)
        for name, theirs in internals.classes_of_compiled().items()
        for ours in (getattr(minits, name),)
    }


def _text_of_class(cls: type) -> str:
    """Return the text of a class of modules; programs look for "torch.jit" in that of minits'."""
    theirs = internals.classes_of_compiled().get(cls.__name__)
    is_ours = cls.__module__.partition(".")[0] == __package__
    return type.__repr__(theirs if theirs is not None and is_ours else cls)


class _OfBoth(type):
    """Answers isinstance for a class of minits and its counterpart in torch."""

    def __instancecheck__(cls, value: Any) -> bool:
        return _is_of_both(cls, value)


def _is_of_both(cls: Any, value: Any) -> bool:
    theirs = vars(cls).get("_theirs")
    if theirs is None:
        return type.__instancecheck__(cls, value)
    return isinstance(value, (cls.__mro__[1], theirs))


def _module_class(name: str, ours: Any, theirs: Any) -> Any:
    kind = type(ours)

    class OfBoth(kind):  # type: ignore[misc, valid-type]
        def __instancecheck__(cls, value: Any) -> bool:
            return _is_of_both(cls, value)

    return OfBoth(name, (ours,), {"_theirs": theirs, "__doc__": ours.__doc__})


@contextmanager
def _kept_for_torch(module: ModuleType) -> Iterator[None]:
    """Let the files of torch.jit see it as it was: names that were taken from it work on."""
    before = ModuleType(_NAME)
    before.__dict__.update(vars(module))
    seen = _Seen("torch")
    seen.jit = before  # type: ignore[attr-defined]
    with ExitStack() as names:
        for file in internals.files_of_torch_jit():
            names.enter_context(patch.object(file, "torch", seen))
        yield


class _Seen(ModuleType):
    """torch, with another `jit`."""

    def __getattr__(self, name: str) -> Any:
        return getattr(torch, name)


@contextmanager
def _imported(module: ModuleType) -> Iterator[None]:
    """Let imports find the module, and put back what they found before.

    `patch.dict` would forget all modules that are imported meanwhile.
    """
    before = {name: sys.modules[name] for name in (_NAME,) if name in sys.modules}
    sys.modules[_NAME] = module
    try:
        yield
    finally:
        sys.modules.pop(_NAME, None)
        sys.modules.update(before)
