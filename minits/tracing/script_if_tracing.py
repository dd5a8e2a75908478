"""`minits.script_if_tracing`: a function that is compiled where a trace calls it.

Source: torch/jit/_trace.py (`_script_if_tracing`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from minits.tracing_state import active_recorder

P = ParamSpec("P")
R = TypeVar("R")


def script_if_tracing(fn: Callable[P, R]) -> Callable[P, R]:
    """Return a function that runs as it is, and is compiled by `minits.script` within traces.

    Its control flow is so kept. Raises `CompileError` where a trace calls what cannot be compiled.
    """

    @functools.wraps(fn)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if active_recorder() is None:
            return fn(*args, **kwargs)
        from minits.api import script

        return script(fn)(*args, **kwargs)

    marked: Any = wrapper  # `compile_function` asks for torch's marks
    setattr(marked, "__original_fn", fn)
    setattr(marked, "__script_if_tracing_wrapper", True)
    return wrapper
