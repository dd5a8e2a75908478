"""Autograd: what its nodes save and whether they run, hooks, and forward-mode differentiation."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from minits.torch_internals.tensors import version_of

FORWARD_LEVEL = "forward_ad._current_level"
"""The level of forward-mode differentiation, 1.13, negative where there is none: an expression for
generated code, which names `torch.autograd.forward_ad`."""

_top_hooks = getattr(torch._C._autograd, "_top_saved_tensors_default_hooks", None)


def saving_hooks() -> Any:
    """Return the hooks that pack and unpack what is saved for gradients, 2.8, or None.

    Without it: as if there were none, and checkpoints may count other saved tensors than eager.
    """
    return None if _top_hooks is None else _top_hooks(True)


def has_backward_hooks(module: torch.nn.Module) -> bool:
    """Return whether a module has backward hooks, which torch.jit refuses to trace, 1.13."""
    return bool(module._backward_hooks)


def raw_saved_tensors(ctx: Any) -> tuple[Any, ...]:
    """Return the saved tensors of a function of autograd, still packed, 1.13; none without it."""
    return getattr(ctx, "_raw_saved_tensors", ())


TELLS_OF_CHANGES = hasattr(torch._C._autograd.SavedTensor, "unpack")
"""Whether what autograd has saved tells, one by one, if it was changed since, 2.13. Without it:
versions are noted when it is saved (`has_changed`)."""


def has_changed(packed: Any, version: int | None) -> bool:
    """Return whether a tensor that autograd has saved, still packed, was changed in place since.

    `version` is that of the tensor when it was saved; it may be None where `TELLS_OF_CHANGES`.
    """
    if version is not None:
        return version_of(packed.data) != version
    try:
        packed.unpack()
    except RuntimeError:
        return True
    return False


def saved_by(node: Any) -> list[Any]:
    """Return the values that a node of autograd has saved: attributes `_saved_...`, 1.13."""
    return [getattr(node, name) for name in dir(node) if name.startswith("_saved_")]


def saved_other(node: Any) -> Tensor | None:
    """Return the second operand that a node of autograd keeps, 1.13. Without it: None."""
    return getattr(node, "_saved_other", None)


def will_run(node: Any) -> bool:
    """Return whether autograd runs a node for the gradients that it computes now, 2.0.

    True where it does not tell: of leaves, while `torch.autograd.grad` runs. Without it: always
    True, so that gradients nobody asked for may say that a tensor was changed in place.
    """
    try:
        return node is not None and bool(torch._C._will_engine_execute_node(node))
    except RuntimeError:
        return True
