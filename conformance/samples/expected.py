"""What torch.jit shows for one call: as the program is written, and run in two other ways.

The oracle is the program as it is written, not optimised. Two differences from it are no faults,
and for each torch.jit itself is the witness:

    optimised     both leave out an operator whose result nobody needs, with the error that it would
                  have raised: torch.jit where it optimises, others perhaps in all or later calls
    in doubles    a gradient in half precision may be what is left of numbers that nearly cancel, as
                  that of x / norm(x) is; how large the errors of torch.jit's are, doubles tell
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from conformance.samples.outcome import Outcome, observe
from conformance.samples.program import Arguments

_TIMES = 2.0
"""How much larger an error may be than torch.jit's: of both, chance decides how much cancels."""


class Expected:
    """What torch.jit shows for a call; each way to run it is run where it is asked for."""

    def __init__(
        self, run: Callable[..., Any], arguments: Arguments, number: int, with_gradients: bool
    ) -> None:
        self._run = run
        self._arguments = arguments
        self._number = number
        self._with_gradients = with_gradients

    @cached_property
    def as_written(self) -> Outcome:
        """The outcome of the program without optimisations."""
        with torch.jit.optimized_execution(False):
            return self._observed(self._arguments)

    def for_what_returns(self) -> Outcome:
        """Return the outcome that a call which raised nothing is compared with.

        Where the program as written raises, it is that of the optimised one, which may raise, too.
        """
        return self.as_written if self.as_written.error is None else self._optimised

    @cached_property
    def _optimised(self) -> Outcome:
        with torch.jit.optimized_execution(True):
            return self._observed(self._arguments)

    def is_gradient_as_near(self, name: str, found: Tensor) -> bool:
        """Return whether a gradient is about as near to that of doubles as torch.jit's is."""
        exact, wanted = self._in_doubles.tensors.get(name), self.as_written.tensors[name]
        if exact is None or not exact.shape == wanted.shape == found.shape:
            return False
        return bool(_furthest(found, exact) <= _TIMES * _furthest(wanted, exact))

    @cached_property
    def _in_doubles(self) -> Outcome:
        """The outcome of the program as written, of arguments in double precision.

        It is an error where the program takes none.
        """
        args = tuple([_doubled(value) for value in self._arguments.args])
        named = tuple([(name, _doubled(value)) for name, value in self._arguments.kwargs])
        with torch.jit.optimized_execution(False):
            return self._observed(Arguments(args, named))

    def _observed(self, arguments: Arguments) -> Outcome:
        return observe(self._run, arguments, self._number, with_gradients=self._with_gradients)


def _doubled(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)([_doubled(item) for item in value])
    if not isinstance(value, Tensor) or not (value.is_floating_point() or value.is_complex()):
        return value
    return value.to(torch.complex128 if value.is_complex() else torch.float64)


def _furthest(found: Tensor, exact: Tensor) -> Tensor:
    """The largest distance of two elements; NaN if there is one."""
    return (found.to(exact.dtype) - exact).abs().amax()
