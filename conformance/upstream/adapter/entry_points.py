"""torch.jit's entry points that compile, as calls of minits."""

from __future__ import annotations

import inspect
from typing import Any

import torch

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
    if inspect.isclass(obj) and not issubclass(obj, torch.nn.Module):
        return _script_class(obj)
    if hasattr(obj, "__script_if_tracing_wrapper"):
        obj = obj.__original_fn
    return minits.script(obj)


def _script_class(cls: type) -> type:
    """Compile a class at once, as torch does, and return it."""
    from minits.frontend import class_types

    if class_types.class_types(cls) is None:
        if cls in class_types.faults:
            raise class_types.faults[cls]
        return missing("torch.jit.script of such a class")()  # type: ignore[no-any-return]
    return cls


def interface(cls: type) -> type:
    """`torch.jit.interface`: the mark that minits looks for."""
    from minits.frontend import class_types

    cls.__torch_script_interface__ = cls.__qualname__  # type: ignore[attr-defined]
    class_types.class_types(cls)
    return cls
