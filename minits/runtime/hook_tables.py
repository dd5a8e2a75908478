"""The hooks of compiled modules, in tables that notice when one is registered or removed.

    compiled.lin.register_forward_hook(show)    # a table of `compiled.lin` is no longer empty
    compiled(x)                                 # so lin is called as in eager Python

A module that is called from Python runs its own hooks, in `nn.Module.__call__`. A part of a module
is inlined into the plans of the module, so these have to know which parts have hooks
(`passes/hooked_calls.py`). `HOOKS.version` changes with every table, so that a call that is like
the last one sees by one comparison that no hook came or went meanwhile.

Hooks that were there when a module was compiled are compiled with it, and are not meant here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import Any

from torch import nn

from minits.codegen.hooked_calls import CALLS
from minits.torch_internals import GLOBAL_HOOKS, HOOK_TABLES


class _Hooks:
    """The number of tables that have hooks which run as Python, and a version of what they have.

    The version is 0 where there are none.
    """

    def __init__(self) -> None:
        self.version = 0
        self._tables = 0
        self._next = count(1).__next__

    def changed(self, tables: int) -> None:
        """Note that a table has changed, and how many more have hooks."""
        self._tables += tables
        self.version = self._next() if self._tables else 0


HOOKS = _Hooks()


def unchanged_text() -> tuple[str, dict[str, Any]]:
    """Return an expression for generated code, whether hooks are as they are now, and its names.

    There may be none for all modules.
    """
    tables = {f"hooks{index}": table for index, table in enumerate(GLOBAL_HOOKS)}
    text = f"hooks.version == version and not ({' or '.join(tables)})"
    return text, {"hooks": HOOKS, "version": HOOKS.version, **tables}


class CompiledHook:
    """A hook that was compiled with its module, for calls of the module from Python.

    Where a plan calls the module, it has run those before `forward` and will run those behind it.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, module: Any, *args: Any) -> Any:
        return None if module in CALLS.modules else self.function(module, *args)


class HookTable(OrderedDict[int, Any]):
    """Hooks of a compiled module by the numbers of their handles."""

    _is_counted = False

    def __setitem__(self, key: int, hook: Any) -> None:
        super().__setitem__(key, hook)
        self._changed()

    def __delitem__(self, key: int) -> None:
        super().__delitem__(key)
        self._changed()

    def clear(self) -> None:
        super().clear()
        self._changed()

    def __del__(self) -> None:
        if self._is_counted:
            HOOKS.changed(-1)

    def has_later(self) -> bool:
        """Return whether there are hooks that were not compiled with the module."""
        return any(not isinstance(hook, CompiledHook) for hook in self.values())

    def _changed(self) -> None:
        before, self._is_counted = self._is_counted, self.has_later()
        HOOKS.changed(self._is_counted - before)


def watch_hooks(module: nn.Module) -> None:
    """Put tables that notice changes in the place of a module's own."""
    own = vars(module)
    for name in HOOK_TABLES:
        if not isinstance(own[name], HookTable):
            own[name] = HookTable(own[name])


def hooked_parts(values: list[Any]) -> tuple[str, ...]:
    """Return the paths of the submodules of a call's module that have hooks, but for its own."""
    is_global = any(GLOBAL_HOOKS)
    if not (HOOKS.version or is_global) or not values or not isinstance(values[0], nn.Module):
        return ()
    parts = values[0].named_modules(remove_duplicate=False)
    return tuple([path for path, each in parts if path and (is_global or _is_hooked(each))])


def _is_hooked(module: nn.Module) -> bool:
    tables = [vars(module)[name] for name in HOOK_TABLES]
    return any(isinstance(table, HookTable) and table.has_later() for table in tables)
