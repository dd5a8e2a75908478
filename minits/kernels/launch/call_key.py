"""The key of a call: a tuple of all that what is remembered of it depends on.

Plans, groups, kernels and gradients are looked up by a key of the tensors that a call gives and of
the state of the process that changes what eager does, which are the rows of `properties.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from types import CodeType
from typing import Any

from torch import Tensor

from minits.kernels.launch.properties import NAMESPACE, STATE_PROPERTIES, TENSOR_PROPERTIES

KeyOf = Callable[[Sequence[Any]], Any]

TENSOR = tuple([each.text for each in TENSOR_PROPERTIES])
"""Properties of each tensor that are in a key."""
KIND = tuple([each.kind for each in TENSOR_PROPERTIES])
"""Properties of a tensor on which a plan relies: all but its sizes, as long as they are not one."""
ATTRIBUTE = tuple([each.text for each in TENSOR_PROPERTIES if each.is_of_attribute])
"""Properties of an attribute that is a tensor: plans rely on no more of it, and a group looks at
all of what it gets."""
STATE = tuple([each.text for each in STATE_PROPERTIES])
"""State of the process that is in a key."""


_OF_CONSTANTS = [each for each in STATE_PROPERTIES if not each.is_transform]
state_of_constants: Callable[[], Any] = eval(
    f"lambda: ({', '.join(each.text for each in _OF_CONSTANTS)},)", dict(NAMESPACE)
)
"""Return the state that decides now what operators make of constants.

Passes compute such operators once, so what they leave is for calls in this state alone."""
USUAL_STATE = tuple([each.usual for each in _OF_CONSTANTS])
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
    return tuple([_asked(part, value) for part in _parts(tuple(asked))])


@lru_cache(maxsize=64)
def _parts(asked: tuple[str, ...]) -> list[Callable[[Tensor], Any]]:
    """Return a function of a tensor for each property."""
    return [eval(f"lambda value: {text.format('value')}", dict(NAMESPACE)) for text in asked]


def _asked(part: Callable[[Tensor], Any], value: Tensor) -> Any:
    try:
        return part(value)
    except Exception as fault:
        return type(fault)
