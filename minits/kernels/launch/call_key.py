"""The key of a call: all that what is remembered of it depends on, listed in one place.

Plans, groups, kernels and gradients are looked up by a key of the tensors that a call gives and of
the state of the process that changes what eager does. A property that turns out to matter is added
to `TENSOR` or to `STATE`, and everything that is remembered tells it apart. The guard of the call
that came last (`guards.py`) looks at no less.

Not in the key, since nothing that is remembered depends on it:

- grad mode and inference mode: a launch asks when it runs (`autograd.py`), and what it allocates is
  an inference tensor where eager's result is one;
- the number of threads: a launch asks for it;
- whether denormals are flushed: kernels run on the caller's thread with its processor state;
- deterministic algorithms, precision of matrix products: they change operators that no kernel
  computes; kernels write each element once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from types import CodeType
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from minits import torch_internals as internals
from minits.kernels.launch.observers import OBSERVER_NAMES, OBSERVERS

if TYPE_CHECKING:
    from minits.types.tensor_meta import TensorMeta

KeyOf = Callable[[Sequence[Any]], Any]


def default_device() -> torch.device:
    """Return the device of new tensors. torch makes one to see, which transforms may refuse."""
    with internals.without_transforms():
        return torch.get_default_device()


def ones_of(tensor: Tensor | TensorMeta) -> tuple[bool, ...]:
    """Return for each dimension whether its size is one."""
    return tuple([size == 1 for size in tensor.shape])


_KIND = ("{0}.dtype", "{0}.device", "{0}.requires_grad", "type({0})")
TENSOR = (*_KIND, "{0}.shape", "{0}.stride()", "keys({0})")
"""Properties of each tensor that are in a key."""
KIND = (*_KIND, "ones_of({0})", "{0}.is_contiguous()", "keys({0})")
"""Properties of a tensor on which a plan relies: all but its sizes, as long as they are not one."""
ATTRIBUTE = (*_KIND, "{0}.shape")
"""Properties of an attribute that is a tensor: plans rely on no more of it, and a group looks at
all of what it gets."""
MADE_LIKE = ("default_dtype()", "function_modes() and default_device()")
"""State that decides what tensors a program makes. A default device is a function mode; to ask for
it takes a while where there is one."""
STATE = (*MADE_LIKE, *OBSERVERS)
"""State of the process that is in a key."""
NAMESPACE: dict[str, Any] = {
    "default_dtype": torch.get_default_dtype,
    "default_device": default_device,
    "function_modes": internals.function_modes,
    "keys": internals.dispatch_keys,
    "ones_of": ones_of,
    **OBSERVER_NAMES,
}
"""The names that the expressions of keys use."""


made_like: Callable[[], Any] = eval(f"lambda: ({', '.join(MADE_LIKE)})", dict(NAMESPACE))
"""Return the state that decides now what tensors a program makes."""


state_of_constants: Callable[[], Any] = eval(
    f"lambda: ({', '.join((*MADE_LIKE, 'dispatch_modes()', 'is_autocast()'))})", dict(NAMESPACE)
)
"""Return the state that decides now what operators make of constants.

Passes compute such operators once, so what they leave is for calls in this state alone."""
USUAL_STATE = (torch.float32, 0, 0, False)
"""The one in which nobody has changed anything."""


def key_of_tensors(
    indices: Iterable[int], further: Iterable[str] = (), asked: Sequence[str] = TENSOR
) -> KeyOf:
    """Return a function that gives all that matters of the tensors at these indices of a list.

    `further` are expressions of `values`, the list. The function is generated, since it is called
    at each call of a program that is not like the last one. What has no strides, or is no tensor,
    has a key as well.
    """
    indices = list(indices)
    known = "".join(f"{text}, " for text in [*further, *STATE])
    tensors = "".join(parts_of_tensor(f"values[{index}]", asked) for index in indices)
    text = f"""
def key_of(values):
    try:
        return ({known}{tensors})
    except Exception:
        return ({known}*[key_of_any(values[index]) for index in {indices}])
"""
    namespace: dict[str, Any] = {**NAMESPACE, "key_of_any": partial(_key_of_any, asked=asked)}
    exec(_code(text), namespace)
    function: KeyOf = namespace["key_of"]
    return function


def attribute_text(read: str, asked: Sequence[str] = ATTRIBUTE) -> str:
    """Return the key expression of an attribute that is a tensor or None; `read` reads it."""
    return f"None if (a := {read}) is None else ({parts_of_tensor('a', asked)})"


def parts_of_tensor(name: str, asked: Sequence[str] = TENSOR) -> str:
    """Return the expressions of a tensor, each with a comma behind it."""
    return "".join(f"{text.format(name)}, " for text in asked)


def reader(texts: Sequence[str]) -> KeyOf:
    """Return a function that gives these expressions of `values` alone, as a tuple."""
    function: KeyOf = eval(f"lambda values: ({''.join(f'{text}, ' for text in texts)})")
    return function


@lru_cache(maxsize=512)
def _code(text: str) -> CodeType:
    """Compile a key function; those of the same tensors have the same text."""
    return compile(text, "<key of a call>", "exec")


def _key_of_any(value: Any, asked: Sequence[str]) -> Any:
    """Return the key of a value that may lack some of what plain tensors have."""
    if not isinstance(value, Tensor):
        return value is None, type(value)
    return tuple([_asked(text.format("value"), value) for text in asked])


def _asked(text: str, value: Tensor) -> Any:
    try:
        return eval(text, dict(NAMESPACE), {"value": value})
    except Exception as fault:
        return type(fault)
