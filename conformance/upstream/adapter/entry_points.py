"""torch.jit's entry points that compile, as calls of minits."""

from __future__ import annotations

from typing import Any

import minits


def script(
    obj: Any,
    optimize: Any = None,
    _frames_up: int = 0,
    _rcb: Any = None,
    example_inputs: Any = None,
) -> Any:
    """`torch.jit.script`."""
    if hasattr(obj, "__script_if_tracing_wrapper"):
        obj = obj.__original_fn
    return minits.script(obj, optimize, _frames_up + 2, _rcb, example_inputs)  # past `forgiving`
