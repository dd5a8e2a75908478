"""Hooks of modules: the tables that a call of an nn.Module reads, its own and those of all.

Without them: hooks that are registered on a part of a compiled module would not be run.
"""

from __future__ import annotations

from typing import Any

from torch.nn.modules import module

HOOK_TABLES = ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks")
"""The tables of a module, 2.0; the others only say how to call what is in these."""
HOOKS_OF_GRADIENTS = HOOK_TABLES[2:]

GLOBAL_HOOKS: tuple[dict[int, Any], ...] = (
    module._global_forward_pre_hooks,
    module._global_forward_hooks,
    module._global_backward_pre_hooks,
    module._global_backward_hooks,
)
"""The tables of hooks for all modules, 2.0."""

IS_FULL_BACKWARD = "_is_full_backward_hook"
"""The attribute that tells which kind of backward hook a module has, 1.13."""
