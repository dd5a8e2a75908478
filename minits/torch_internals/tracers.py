"""Tools of torch that look into calls of minits: torch.compile and torch.jit.trace.

Without them: torch.compile would trace the runtime of minits, and torch.jit.trace its kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import torch

F = TypeVar("F", bound=Callable[..., Any])

is_traced_by_torch: Callable[[], Any] = torch._C._get_tracing_state
"""Whether torch.jit.trace records what this thread does, 1.13."""


def constant_to_dynamo(function: F) -> F:
    """Let torch.compile call a function while it traces, and take the result for a constant, 2.0.

    As `torch.compiler.assume_constant_result`, which imports all of torch.compile.
    """
    function._dynamo_marked_constant = True  # type: ignore[attr-defined]
    return function


def inlined_as(python: Callable[..., Any]) -> Callable[[F], F]:
    """Let torch.compile trace `python` in the place of a function, 2.0.

    Where it cannot, the function is called; its frame and those below are not compiled, 2.7.
    """

    def mark(function: F) -> F:
        function._torchdynamo_inline = python  # type: ignore[attr-defined]
        frames = torch._C._dynamo.eval_frame
        skip = frames._FrameAction.SKIP
        strategy = frames._FrameExecStrategy(skip, skip)
        frames.set_code_exec_strategy(function.__code__, strategy)
        return function

    return mark
