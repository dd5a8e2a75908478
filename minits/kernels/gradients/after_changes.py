"""Gradients of a call of which inputs have been changed in place since.

Autograd gives back nothing of what a node has saved once one tensor of it has changed. Here those
inputs may have that eager does not save: they are kept for gradients of gradients alone, which the
operators compute again from all inputs. Without these inputs, the gradients are made from what was
kept beside (`evaluated_gradients`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from minits import torch_internals as internals
from minits.kernels.gradients.results_instead import CHANGED
from minits.kernels.launch.observers import is_transformed

if TYPE_CHECKING:
    from minits.kernels.gradients.recorded_call import Call


def is_checked_by_autograd(ctx: Any) -> bool:
    """Return whether it is autograd that checks if what a node has saved was changed.

    It is not where hooks have saved it, and where torch does not tell.
    """
    packed: Sequence[Any] = internals.raw_saved_tensors(ctx)
    return bool(packed) and all(isinstance(getattr(x, "data", None), Tensor) for x in packed)


class AfterChanges:
    """Stands for a call in its node, of which kept tensors have been changed in place."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.training = call.training
        self.dropped = call.dropped
        self.changed: set[int] = set()
        """Indices among the tensors that were kept."""

    def gradients(
        self,
        ctx: Any,
        needs: Sequence[bool],
        given: Sequence[Tensor | None],
        numbers: Sequence[Any],
    ) -> Sequence[Tensor | None]:
        """Return gradients for a node: None for the call, then those of the group's inputs.

        Each has its input's shape and dtype. Raises RuntimeError where eager does: where a gradient
        reads what has been changed.
        """
        needs = self._asked(ctx, needs)
        returned = given[: len(self.training.positions)]
        kept = self._kept(ctx, self.training.reads(needs, returned))
        if not torch.is_grad_enabled() and all(x is None for x in given[len(returned) :]):
            run = self.call.gradients(needs, kept, returned, numbers)[2]
            if not self.call.is_unfused(run):
                return run(kept, returned, numbers)
        if is_transformed() or any(map(_has_dispatch, given)):
            raise RuntimeError(CHANGED)
        return self._further(needs, kept, given, numbers)

    def _asked(self, ctx: Any, needs: Sequence[bool]) -> Sequence[bool]:
        """Return which inputs want a gradient, but for those of which nobody asked for any.

        What made such an input does not run: an operator's own node would not read what only its
        gradient reads.
        """
        asked = list(needs)
        tensors = sorted(self.training.dtypes)
        if len(tensors) == len(ctx.next_functions):
            for index, (node, _) in zip(tensors, ctx.next_functions, strict=True):
                asked[1 + index] = needs[1 + index] and internals.will_run(node)
        return tuple(asked)

    def _kept(self, ctx: Any, read: Collection[int]) -> Sequence[Tensor]:
        """Return the kept tensors, changed or not. Raises RuntimeError if a changed one is read."""
        ctx.call = self
        for index, each in enumerate(internals.raw_saved_tensors(ctx)):
            version = None if internals.TELLS_OF_CHANGES else ctx.versions[index]
            if self._is_changed(index, each, version):
                if index in read:
                    raise RuntimeError(CHANGED)
                if index not in self.changed:
                    each.register_hooks(_same, _same)
                    self.changed.add(index)
        kept: Sequence[Tensor] = ctx.saved_tensors
        return kept[: self.training.kept_count]

    def _is_changed(self, index: int, packed: Any, version: int | None) -> bool:
        if index in self.changed:
            return True
        if index >= len(self.training.read):
            return internals.version_of(packed.data) > 0
        return internals.has_changed(packed, version)

    def _further(
        self,
        needs: Sequence[bool],
        kept: Sequence[Tensor],
        given: Sequence[Tensor | None],
        numbers: Sequence[Any],
    ) -> Sequence[Tensor | None]:
        if all(gradient is None for gradient in given):
            return (None,) * len(needs)
        values = self.call.values(kept, numbers)
        for index, read in enumerate(self.training.read):
            if index in self.changed:
                values[read] = self.call.shapes[read]
        wanted = self.call.wanted(needs)
        return None, *self.training.further_gradients(values, wanted, kept, given)


def _has_dispatch(gradient: Tensor | None) -> bool:
    """Return whether a gradient is of a subclass that computes itself, and numpy cannot see it."""
    own = getattr(type(gradient), "__torch_dispatch__", Tensor.__torch_dispatch__)
    return own is not Tensor.__torch_dispatch__


def _same(tensor: Tensor) -> Tensor:
    return tensor
