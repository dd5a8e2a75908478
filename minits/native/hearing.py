"""What torch warns of while C calls its operators, as Python's warnings.

torch's bindings collect the warnings of a call and issue them at its end; C calls operators without
them, and their warnings would be lines on stderr. The call of C is therefore made within a binding:
one which finds that its argument has `__torch_function__`, and calls that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from minits.torch_internals import overrides_are_enabled


class _Call:
    """A call, in the guise of a tensor of another library."""

    __slots__ = ("arguments", "function")

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.function, self.arguments = function, arguments

    @classmethod
    def __torch_function__(cls, binding: Any, types: Any, args: Any, kwargs: Any = None) -> Any:
        (call,) = args
        return call.function(*call.arguments)


def heard(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what `function` returns for some arguments; torch's warnings are Python's.

    It raises what the function raises, and warnings that filters make errors. No function modes of
    torch may be active, as these would see the binding.
    """
    if not overrides_are_enabled():
        return function(*arguments)
    return torch.is_floating_point(_Call(function, arguments))
