"""The budget of an archive's `__setstate__`: steps, bytes, and which operators may run.

`__setstate__` runs while an archive is loaded, and whoever wrote it chose its operators. Each node
is looked at before it runs, and so is each operator that the tensors' dispatcher is given: it must
be one whose time and memory are known from its arguments, and these are taken from the budget.
Nothing that outlives the load may be changed.

    x = torch.zeros([1000000, 1000000])    refused: more bytes than the budget has
    torch.manual_seed(0)                   refused: it changes what is outside the archive
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from minits.archive.reading.packed_params import prepacked_bytes
from minits.ir.graph import Node
from minits.runtime.interpreter import OutOfSteps, Steps

_REFUSED = frozenset(
    "prim::fork prim::awaitable prim::rpc_async prim::rpc_sync prim::rpc_remote aten::manual_seed "
    "aten::seed aten::_cufft_set_plan_cache_max_size aten::_cufft_clear_plan_cache aten::ljust "
    "aten::rjust aten::center aten::zfill aten::expandtabs aten::replace aten::join "
    "aten::percentFormat aten::backward aten::record_stream".split()
)
"""Other threads, the state of the process, and strings of any length."""
_VIEWS = frozenset(
    "view _unsafe_view reshape _reshape_alias expand permute transpose t select slice squeeze "
    "unsqueeze as_strided alias detach detach_ diagonal narrow split split_with_sizes unbind "
    "view_as_real view_as_complex _conj _neg_view unflatten lift_fresh lift size stride dim".split()
)
_FACTORIES = frozenset("zeros ones empty full new_zeros new_ones new_empty new_full".split())
_LINEAR = frozenset(
    "clone _to_copy copy_ zero_ fill_ ones_like zeros_like empty_like full_like sum mean prod amax "
    "amin max min any all argmax argmin gather cumsum sort flip roll cat stack equal is_nonzero "
    "item _local_scalar_dense scalar_tensor nonzero".split()
)
_BYTES = 16
"""Of the largest element; counts are of elements."""


class StateBudget(Steps):
    """Steps and bytes that all `__setstate__` methods of one archive share."""

    def __init__(self, steps: int, size: int) -> None:
        super().__init__(steps)
        self.bytes_left = size

    def before(self, node: Node, inputs: Sequence[Any]) -> None:
        """Take what a node costs. Raises `OutOfSteps` where there is not enough left."""
        self.take()
        if node.kind in _REFUSED:
            raise OutOfSteps(f"{node.kind} may not run while an archive is loaded")
        size = sum(len(value) for value in inputs if isinstance(value, (str, list, dict, tuple)))
        if node.kind in ("aten::mul", "aten::mul_"):
            size *= max([1, *(value for value in inputs if isinstance(value, int))])
        if node.kind == "prim::tolist":
            size += sum(value.numel() for value in inputs if isinstance(value, Tensor))
        self.spend(size * 8)

    def spend(self, size: int) -> None:
        """Take bytes. Raises `OutOfSteps` where there are not enough left."""
        self.bytes_left -= size
        if self.bytes_left < 0:
            raise OutOfSteps("the program needs more memory or work than it may")

    def run(self, call: Callable[[], Any]) -> None:
        """Run a call within the budget; afterwards gradients are enabled as they were."""
        with torch.set_grad_enabled(torch.is_grad_enabled()), _Guard(self):
            call()


class _Guard(TorchDispatchMode):  # type: ignore[misc]
    """Looks at each operator on tensors before it runs."""

    def __init__(self, budget: StateBudget) -> None:
        super().__init__()
        self.budget = budget

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.budget.spend(_BYTES * _elements(func, args, kwargs or {}))
        return func(*args, **(kwargs or {}))


def _elements(func: Any, args: Any, kwargs: dict[str, Any]) -> int:
    """Return how many elements an operator reads and makes. Raises `OutOfSteps` if nobody knows."""
    namespace, _, name = func.name().partition("::")
    name = name.partition(".")[0]
    packed = prepacked_bytes(f"{namespace}::{name}", args)
    if packed is not None:
        return packed // _BYTES + 1
    tensors = list(_tensors((*args, *kwargs.values())))
    if namespace == "aten":
        if name in _VIEWS:
            return 1
        if name in _FACTORIES:
            sizes = [a for a in args if isinstance(a, (list, tuple))]
            return int(math.prod(sizes[0])) if sizes else 1
        if name in _LINEAR:
            return sum(tensor.numel() for tensor in tensors)
        if torch.Tag.pointwise in func.tags and torch.Tag.nondeterministic_seeded not in func.tags:
            shape = torch.broadcast_shapes(*(tensor.shape for tensor in tensors))
            return int(math.prod(shape)) * (1 + len(tensors))
    raise OutOfSteps(f"{namespace}::{name} may not run while an archive is loaded")


def _tensors(values: Any) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)
