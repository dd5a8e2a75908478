"""Telling in a fraction of a microsecond whether tensors are like those of the last call.

torch's own compiler guards its graphs by a function in C++ that compares tensors with what was
written down of earlier ones: type, dtype, device, sizes, strides, requires_grad, and the dispatch
keys, both the tensor's own and those that are on in this thread, so that negative and conjugate
bits, autocast, transforms and dispatch modes are noticed. It takes 0.1 us for a tensor where the
same in Python takes 0.5 us (`call_key.py`). What it does not see of a key is asked beside it.

Source: torch/csrc/dynamo/guards.cpp (`TensorGuards`, `TensorCheck::check`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from minits.kernels.launch.call_key import MADE_LIKE, NAMESPACE
from minits.torch_internals import FORWARD_LEVEL, TENSOR_GUARDS

Guard = Callable[..., bool]

_UNSEEN = (
    f"({', '.join(MADE_LIKE)}) == made_like_then and {FORWARD_LEVEL} < 0 and not dispatch_modes()"
)
"""The part of the state of a call that a guard does not see. Nothing is remembered of calls that
are observed (`FakeTensorMode` sets no dispatch key)."""
GUARD_NAMES: dict[str, Any] = {**NAMESPACE, "Tensor": Tensor}


def guard_text(names: Sequence[str]) -> str:
    """Return an expression for generated code: whether a call is like the one that came last.

    `names` are expressions of its tensors. It uses `GUARD_NAMES`, `guard`, which `guard_for` gave
    for the last call, and `made_like_then`, what `made_like` gave then. Nested tensors are kept
    from `guard`, which would end the process, as are those that transforms wrap: they may be nested
    and do not say so.
    """
    dense = [f"isinstance({name}, Tensor) and not {name}.is_nested" for name in names]
    return " and ".join(
        [*dense, "functorch_level() is None", f"guard({', '.join(names)})", _UNSEEN]
    )


def guard_for(tensors: Sequence[Tensor], any_sizes: bool = False) -> Guard:
    """Return a function of as many values that tells whether they are tensors like these.

    Of `any_sizes`, they have as many dimensions, and sizes and strides are not looked at. It never
    says yes wrongly where `guard_text` asks it. It may say no to tensors that are alike: if one is
    given twice, or if this torch has no such function.
    """
    if TENSOR_GUARDS is None:
        return never
    try:
        unknown = [[None] * tensor.dim() for tensor in tensors]
        sizes = unknown if any_sizes else [list(tensor.size()) for tensor in tensors]
        strides = unknown if any_sizes else [list(tensor.stride()) for tensor in tensors]
        made = TENSOR_GUARDS(*tensors, dynamic_dims_sizes=sizes, dynamic_dims_strides=strides)
    except (TypeError, RuntimeError):
        return never
    check: Guard = made.check
    return check


def never(*values: Any) -> Any:
    """The guard of what there is not, or not yet."""
    return False
