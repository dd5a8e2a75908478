"""What tells the calls of a kernel or a plan apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

KeyOf = Callable[[Sequence[Any]], Any]

_PARTS = "{0}.shape, {0}.stride(), {0}.dtype, {0}.device, {0}.requires_grad, type({0}), "


def key_of_tensors(indices: Iterable[int], flags: Iterable[str] = ()) -> KeyOf:
    """Return a function that gives all that matters of the tensors at these indices of a list.

    `flags` are expressions of `values`, the list; what they give comes first in the key. The
    function is generated, since it is called at each call of a program: 0.3 us for each tensor.
    """
    parts = "".join(f"{text}, " for text in flags)
    parts += "".join(_PARTS.format(f"values[{index}]") for index in indices)
    function: KeyOf = eval(f"lambda values: ({parts})")
    return function
