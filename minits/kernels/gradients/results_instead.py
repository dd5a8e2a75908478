"""Saving the results of a call where operators that compute them again save their own.

    y = exp(x * 2)                               a kernel; eager saves y
    g, = grad(y.sum(), x, create_graph=True)     exp(x * 2) is computed again, and saves its result
    y.mul_(2)                                    which this does not change
    g.sum().backward()                           an error all the same, as in eager: it reads y

Tensors that hooks have saved are not checked by autograd, so that the hooks check all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from minits import torch_internals as internals
from minits.kernels.launch.observers import apart_from_its_node, are_saves_counted

CHANGED = (
    "one of the variables needed for gradient computation has been modified by an inplace operation"
)


class _Saved:
    """A tensor that was saved, and which version of it."""

    __slots__ = ("tensor", "version")

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = apart_from_its_node(tensor)
        self.version = _version(tensor)

    def unpack(self) -> Tensor:
        """Return the saved tensor. Raises RuntimeError if it has been changed."""
        if _version(self.tensor) != self.version:
            raise RuntimeError(CHANGED)
        return self.tensor


def _version(tensor: Tensor) -> int:
    """Return the number of changes of a tensor; tensors of inference mode do not count theirs."""
    return 0 if tensor.is_inference() else internals.version_of(tensor)


@contextmanager
def results_instead(
    results: Mapping[int, Tensor], unseen: bool = False
) -> Iterator[Callable[[Sequence[Tensor]], None]]:
    """Let autograd save `results` where operators save what they compute again.

    `results` are some of the outputs, by their positions. If `unseen`, no hooks of others see what
    is saved: it is overwritten later (`group_again`). Yields a function that is to be called
    with all outputs as computed again, which must live until the end. A tensor that was saved is
    replaced if it has the memory, shape and strides of one of them.
    """
    saved: list[_Saved] = []
    instead: dict[int, tuple[Any, Tensor]] = {}

    def replace(each: _Saved) -> None:
        layout, result = instead.get(internals.storage_of(each.tensor), (None, None))
        if result is not None and layout == _layout(each.tensor):
            each.tensor, each.version = result, _version(result)

    def pack(tensor: Tensor) -> _Saved:
        each = _Saved(tensor)
        saved.append(each)
        replace(each)
        return each

    def computed(outputs: Sequence[Tensor]) -> None:
        for position, result in results.items():
            output = outputs[position]
            instead[internals.storage_of(output)] = _layout(output), result.detach()
        for each in saved:
            replace(each)

    has_hooks = are_saves_counted()
    is_needed = unseen if has_hooks else bool(results)
    if not is_needed or not _may_hook():
        yield lambda outputs: None
        return
    with saved_tensors_hooks(pack, _Saved.unpack):
        yield computed


def _may_hook() -> bool:
    """Return whether nobody has disabled hooks."""
    try:
        with saved_tensors_hooks(lambda saved: saved, lambda saved: saved):
            return True
    except RuntimeError:
        return False


def _layout(tensor: Tensor) -> Any:
    return tensor.shape, tensor.stride(), tensor.storage_offset()
