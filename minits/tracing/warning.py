"""Warnings about what a trace cannot record: it becomes a constant.

Checks inside torch's own files warn nobody: nn.functional looks at sizes all the time.

Source: torch/csrc/jit/frontend/tracer.cpp (`warn`) and torch/jit/_trace.py (`TracerWarning`).
"""

from __future__ import annotations

import warnings
from types import FrameType

from minits.tracing.program_lines import is_in_torch, program_frame
from minits.tracing_state import TRACING


class TracerWarning(Warning):
    """A trace leaves something out, so it may be wrong for other inputs."""

    @staticmethod
    def ignore_lib_warnings() -> None:
        """Do nothing: lines of torch warn nobody. torch.jit adds a filter of warnings here."""


BAKED_IN = (
    "the trace does not record what Python does with it, and takes it for a constant, which might "
    "cause the trace to be incorrect for other inputs. If that matters, script this part "
    "(minits.script, or minits.script_if_tracing for a function)"
)


def warn(message: str, frame: FrameType | None = None, line: int | None = None) -> None:
    """Warn at the line of the program that runs now, unless that is a line of torch.

    frame, line: another line of the program.
    """
    recorder, frame = TRACING.recorder, frame or program_frame()
    if is_in_torch(frame) or (recorder is not None and recorder.is_quiet):
        return
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    warnings.warn_explicit(
        message,
        TracerWarning,
        frame.f_code.co_filename,
        line or frame.f_lineno,
        frame.f_globals.get("__name__"),
        registry,
    )
