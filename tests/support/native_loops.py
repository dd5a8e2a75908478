"""Plans with loops that run as C: what came of a call, and which loops there are."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import torch

import minits
from minits.compilation_state import STATE
from minits.native.loop import NativeLoop
from minits.native.modes import loops_in
from tests.support.agreement import comparable


def told(function: Callable[..., Any], call: Callable[..., Any], values: tuple[Any, ...]) -> Any:
    """Return the result and the arguments after the call, or the error and its last line."""
    values = deepcopy(values)
    try:
        result = call(*values)
    except RuntimeError as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [each.lineno for each in frames if each.filename == function.__code__.co_filename]
        return type(error).__name__, str(error), lines[-1:], comparable(values)
    return comparable(result), comparable(values)


def outcome(function: Callable[..., Any], values: tuple[Any, ...]) -> Any:
    """Return the result of a call with copies of the values, or that it raises."""
    try:
        return comparable(function(*deepcopy(values)))
    except (RuntimeError, torch.jit.Error):
        return "raises"


def compiled(function: Callable[..., Any], mode: str, monkeypatch: Any) -> Any:
    monkeypatch.setenv("MINITS_NATIVE", mode)
    STATE.clear()
    return minits.script(function)


def loops_of(function: Any, values: tuple[Any, ...]) -> list[NativeLoop]:
    return loops_in(function.plan_for(*values).run)
