"""Properties of calls on which what is remembered of them depends, a row each.

Whatever is remembered of a call (a plan, a launcher, gradients) is for calls with the same
properties. Keys (`call_key.py`), guards (`guards.py`) and the question who looks at single
operators (`observers.py`) are made from these two tables, so that a property that turns out to
matter is a row here and nothing else.

    TENSOR_PROPERTIES   what is asked of each tensor: its dtype, its strides, its dispatch keys
    STATE_PROPERTIES    what is asked of the process: its default dtype, whether autocast is on

Not among them, since nothing that is remembered depends on it:

- grad mode and inference mode: a launch asks when it runs (`autograd.py`), and what it allocates is
  an inference tensor where eager's result is one;
- the number of threads: a launch asks for it;
- whether denormals are flushed: kernels run on the caller's thread with its processor state;
- deterministic algorithms, precision of matrix products: they change operators that no kernel
  computes; kernels write each element once.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd import forward_ad

from minits import torch_internals as internals

if TYPE_CHECKING:
    from minits.types.tensor_meta import TensorMeta


def default_device() -> torch.device:
    """Return the device of new tensors. torch makes one to see, which transforms may refuse.

    And so may dispatch modes: FakeTensorMode does in inference mode.
    """
    unseen = internals.without_modes() if internals.dispatch_modes() else nullcontext()
    with internals.without_transforms(), unseen:
        return torch.get_default_device()


def ones_of(tensor: Tensor | TensorMeta) -> tuple[bool, ...]:
    """Return for each dimension whether its size is one."""
    return tuple([size == 1 for size in tensor.shape])


class TensorProperty(NamedTuple):
    """A property of each tensor of a call."""

    text: str
    """An expression for generated code; `{0}` is the tensor."""
    kind: str
    """The part of it on which a plan for any sizes relies, which may be all."""
    is_of_attribute: bool
    """Whether plans rely on it in attributes. A group looks at all of what it gets."""
    is_guarded: bool
    """Whether torch's own guard compares it. A property that it does not know costs 0.1 us."""


def _same(text: str, is_of_attribute: bool) -> TensorProperty:
    return TensorProperty(text, text, is_of_attribute, is_guarded=True)


TENSOR_PROPERTIES = [
    _same("{0}.dtype", is_of_attribute=True),
    _same("{0}.device", is_of_attribute=True),
    _same("{0}.requires_grad", is_of_attribute=True),
    _same("type({0})", is_of_attribute=True),
    TensorProperty("{0}.shape", "ones_of({0})", is_of_attribute=True, is_guarded=True),
    TensorProperty("{0}.stride()", "{0}.is_contiguous()", is_of_attribute=False, is_guarded=True),
    _same("keys({0})", is_of_attribute=False),
]


class State(NamedTuple):
    """A part of the state of the process, or of a thread, that changes what operators do."""

    text: str
    """An expression for generated code."""
    usual: Any
    """Its value in a process where nobody has changed it."""
    observer: str | None = None
    """The name, for people, of the one who looks at single operators unless the value is usual.
    Such calls run unfused and are not remembered. None: calls with other values are fused, too."""
    is_transform: bool = False
    """Whether the observer wraps tensors or gives them tangents: constants stay as they are."""
    is_guarded: bool = False
    """Whether torch's own guard of a tensor notices that the observer has come."""
    switch: str | None = None
    """An expression, which rows share, that is false only where the value is usual."""


_FUNCTION_MODES = "function_modes()"
STATE_PROPERTIES = [
    State("default_dtype()", torch.float32),
    # A default device is a function mode; to ask for it takes a while where there is one.
    State(f"{_FUNCTION_MODES} and default_device()", 0, switch=_FUNCTION_MODES),
    State("functorch_level()", None, "a torch.func transform", is_transform=True),
    State("dispatch_modes()", 0, "a dispatch mode", is_guarded=True),
    State(
        f"({_FUNCTION_MODES} and watching_modes())", 0, "a function mode", switch=_FUNCTION_MODES
    ),
    State("is_autocast()", False, "torch.autocast", is_guarded=True),
    State(internals.FORWARD_LEVEL, -1, "forward-mode differentiation", is_transform=True),
]

NAMESPACE: dict[str, Any] = {
    "default_dtype": torch.get_default_dtype,
    "default_device": default_device,
    "function_modes": internals.function_modes,
    "watching_modes": internals.watching_modes,
    "functorch_level": internals.functorch_level,
    "dispatch_modes": internals.dispatch_modes,
    "is_autocast": internals.is_any_autocast_enabled,
    "forward_ad": forward_ad,
    "keys": internals.dispatch_keys,
    "ones_of": ones_of,
}
"""The names that the expressions use."""
