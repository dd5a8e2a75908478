"""The trace that is being recorded in a thread, if there is one.

Compiled functions ask for it when they are called: a call within a trace becomes a node of the
trace. What records is in `minits/tracing/`.

Source: torch/csrc/jit/frontend/tracer.h (`getTracingState`).
"""

from __future__ import annotations

import threading
from typing import Any


class _Tracing(threading.local):
    recorder: Any = None
    """The `minits.tracing.recorder.Recorder` of the thread."""


TRACING = _Tracing()


def active_recorder() -> Any:
    """Return the recorder that records what this thread does now; None outside of traces.

    None, too, while the trace runs what it has recorded already.
    """
    recorder = TRACING.recorder
    return None if recorder is None or recorder.is_paused else recorder
