"""What tells the calls of a kernel or a plan apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

KeyOf = Callable[[Sequence[Any]], Any]

_PARTS = "{0}.shape, {0}.stride(), {0}.dtype, {0}.device, {0}.requires_grad, type({0}), "


def key_of_tensors(indices: Iterable[int], flags: Iterable[Sequence[str]] = ()) -> KeyOf:
    """Return a function that gives all that matters of the tensors at these indices of a list.

    `flags` are paths to attributes of the first value, a module, which come first in the key. The
    function is generated, since it is called at each call of a program: 0.3 us for each tensor.
    """
    parts = "".join(_flag(path) for path in flags)
    parts += "".join(_PARTS.format(f"values[{index}]") for index in indices)
    function: KeyOf = eval(f"lambda values: ({parts})")
    return function


def _flag(path: Sequence[str]) -> str:
    """The text that reads an attribute where modules keep it, past `nn.Module.__getattr__`."""
    modules = "".join(f"._modules[{name!r}]" for name in path[:-1])
    return f"values[0]{modules}.__dict__[{path[-1]!r}], "
