"""Decorators of torch.jit on users' functions, and what else it is told before it compiles.

`torch._jit_internal` keeps what `@torch.jit.ignore`, `@unused`, `@export` and `@_overload` said
about functions. `import torch` loads it; `torch.jit`, which compiles, is another module. All are
in 1.13, but for `_is_drop_fn`, 2.0. Without it: decorators of our own alone, and programs that
were written for torch.jit would lose theirs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, ItemsView
from typing import Any, cast

import torch

_internal = torch._jit_internal

is_ignored: Callable[[Any], bool] = _internal.is_ignored_fn
"""Whether a function stays Python: `@ignore`, `@unused`, or torch's own `@_drop`."""

is_dropped: Callable[[Any], bool] = _internal.should_drop
"""Whether calls of a function only raise: `@unused` and `@_drop`."""

is_left_out: Callable[[Any], bool] = _internal._is_drop_fn
"""Whether a method is no part of its class: `@_drop`."""

modifier_of: Callable[[Any], Any] = _internal.get_torchscript_modifier
MODIFIER = "_torchscript_modifier"
EXPORTED: Any = _internal.FunctionModifiers.EXPORT
IGNORED: Any = _internal.FunctionModifiers.IGNORE
UNUSED: Any = _internal.FunctionModifiers.UNUSED
"""Reads a function's modifier; the attribute that it is; the modifiers of one that is compiled
although nothing calls it, of one that stays Python, and of one whose calls raise."""

overloads_of_method: Callable[[Any, type], list[Any] | None] = _internal._get_overloaded_methods
"""The declarations of a method with `@_overload_method`. Raises AssertionError if two classes share
a name."""

is_optional: Callable[[Any], bool] = _internal.is_optional
"""Whether an annotation is an Optional."""


class _NoRRef:
    """Stands for `torch.distributed.rpc.RRef` in a build of torch without remote calls."""


class _NoAwait:
    """Stands for `torch.jit._Await` in a torch without it."""


RREF_CLASS: Any = getattr(_internal, "RRef", _NoRRef)
"""The class of remote references, which is known without an import of torch.distributed, 1.13."""

AWAIT_CLASS: Any = getattr(_internal, "_Await", _NoAwait)
"""`torch.jit._Await`, 2.0."""


def boolean_dispatch(function: Any) -> dict[str, Any] | None:
    """Return the table by which a function of nn.functional chooses by a flag, or None."""
    found: dict[str, Any] | None = _internal.boolean_dispatched.get(function)
    return found


def overloads_of_functions() -> ItemsView[str, list[Any]]:
    """Return the declarations that `@_overload` left, by qualified name, until torch takes them."""
    return cast("ItemsView[str, list[Any]]", _internal._overloaded_fns.items())


def has_taken_overloads(function: Any) -> bool:
    """Return whether torch has compiled a function's overloads, and so forgotten them."""
    state = sys.modules.get("torch.jit._state")
    return bool(getattr(state, "_jit_function_overload_caching", {}).get(function))


def has_overloaded_methods() -> bool:
    """Return whether any method was declared with `@_overload_method`."""
    return bool(_internal._overloaded_methods)


def qualified_name(value: Any) -> str:
    """Return torch's name of a function or class: `__torch__.module.name`."""
    name: str = _internal._qualified_name(value)
    return name


JIT_INTERNAL: Any = _internal
"""The module that `torch.jit.is_scripting` is from."""
