"""torch.jit's entry points that compile, as calls of minits."""

from __future__ import annotations

from typing import Any

import minits
from conformance.upstream.adapter.missing import missing


def script(
    obj: Any,
    optimize: Any = None,
    _frames_up: int = 0,
    _rcb: Any = None,
    example_inputs: Any = None,
) -> Any:
    """`torch.jit.script`."""
    if example_inputs is not None:
        return missing("torch.jit.script(example_inputs=…)")()
    if hasattr(obj, "__script_if_tracing_wrapper"):
        obj = obj.__original_fn
    return minits.script(obj, _frames_up=_frames_up + 2)  # past `forgiving`
