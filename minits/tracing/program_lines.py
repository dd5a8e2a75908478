"""The line of the user's program at which something is recorded, and its variables.

Frames of minits and of torch's dispatcher stand between the program and what is recorded.
"""

from __future__ import annotations

import linecache
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from minits.source import SourceFile, SourceRange

_MINITS = str(Path(__file__).parent.parent)
_TORCH = str(Path(torch.__file__).parent)
_DISPATCHER = tuple(
    f"{_TORCH}/{name}"
    for name in ("_ops.py", "_library/utils.py", "_compile.py", "_dynamo/eval_frame.py")
)
"""Files of torch that call a dispatch mode; the outermost of these frames is called `handler`."""


def program_frame() -> FrameType:
    """Return the innermost frame that is neither of minits nor of torch's way to a dispatch mode.

    `torch.ops.aten.relu(x)` is at a line of torch, as in torch.jit.
    """
    frame: FrameType | None = sys._getframe(1)
    is_past_handler = False
    while True:
        assert frame is not None, "nothing is recorded that no program does"
        file = frame.f_code.co_filename
        if file.startswith(_MINITS):
            is_past_handler = False
        elif is_past_handler or not file.startswith(_DISPATCHER):
            return frame
        else:
            is_past_handler = frame.f_code.co_name == "handler"
        frame = frame.f_back


def calling_frame() -> FrameType:
    """Return the innermost frame of the program that is not of torch either."""
    frame = program_frame()
    while is_in_torch(frame) and frame.f_back is not None:
        frame = frame.f_back
    return frame


def range_of(frame: FrameType) -> SourceRange:
    """Return the range of the line that a frame is at; like torch's, it begins in column 0."""
    name, number = frame.f_code.co_filename, frame.f_lineno
    line = linecache.getline(name, number).rstrip("\n")
    return SourceRange(SourceFile(name, line or " ", number), 0, max(1, len(line)))


def is_in_torch(frame: FrameType) -> bool:
    """Return whether a frame runs code of torch, whose checks of sizes warn nobody."""
    module = frame.f_globals.get("__name__", "")
    return bool(module == "torch" or module.startswith("torch."))


def variable_holding(value: Any, frame: FrameType) -> str | None:
    """Return the name of the first local variable that is this very object; None for `self`."""
    for name, held in frame.f_locals.items():
        if held is value:
            return None if name == "self" else name
    return None
