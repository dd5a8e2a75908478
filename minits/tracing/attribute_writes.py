"""Tensors that a module is assigned while a trace runs: these writes are not recorded.

self.state = self.state + x          warns: the traced module keeps the tensor that it has
self.state.add_(x)                   is recorded
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from torch import Tensor, nn

from minits.tracing.stand_ins import stand_in
from minits.tracing.warning import warn
from minits.tracing_state import active_recorder


@contextmanager
def told_attribute_writes() -> Iterator[None]:
    """Warn of assignments to the parameters, buffers and tensors of modules meanwhile."""
    original = nn.Module.__setattr__
    with patch.object(nn.Module, "__setattr__", stand_in(original, _telling(original))):
        yield


def _telling(original: Callable[..., None]) -> Callable[..., None]:
    def set_attribute(module: nn.Module, name: str, value: Any) -> None:
        recorder = active_recorder()
        if recorder is not None and isinstance(value, Tensor):
            held = _held(module, name)
            if held is not None and held is not value and recorder.knows(held):
                warn(
                    f"the assignment to '{name}' of {type(module).__name__} is not recorded: the "
                    "traced module keeps the tensor that it has. If that matters, write to it in "
                    f"place (self.{name}.copy_(...)), or script the module"
                )
        original(module, name, value)

    return set_attribute


def _held(module: nn.Module, name: str) -> Tensor | None:
    """Return the tensor that a module has under a name."""
    own = vars(module)
    places = (own.get("_parameters") or {}, own.get("_buffers") or {}, own)
    found = next((place[name] for place in places if name in place), None)
    return found if isinstance(found, Tensor) else None
