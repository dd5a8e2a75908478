"""Calls of programs as C, beside generated Python and torch.jit."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import torch

from minits.native.hot import NativeRun
from tests.support.native_loops import compiled

Program = Callable[..., Any]


def outcome(function: Program, call: Program, values: tuple[Any, ...]) -> Any:
    """Return what a call returns, or what it raises and at which lines of the program's file."""
    try:
        result = call(*deepcopy(values))
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        file = function.__code__.co_filename
        lines = [(each.name, each.lineno) for each in frames if each.filename == file]
        return type(error).__name__, str(error), lines
    return repr(result)


def run_twice(function: Program, values: tuple[Any, ...], native: str, monkeypatch: Any) -> Any:
    """Return a compiled function, and the outcome of its second call."""
    script = compiled(function, native, monkeypatch)
    outcome(function, script, values)
    return script, outcome(function, script, values)


def check_agreement(function: Program, values: tuple[Any, ...], monkeypatch: Any) -> None:
    """Check that a program runs as C, with the outcome of generated Python, and torch's."""
    script, found = run_twice(function, values, "now", monkeypatch)
    assert isinstance(script.plan_for(*values).native, NativeRun)
    assert "runs as C" in script.plan_report()
    python, expected = run_twice(function, values, "off", monkeypatch)
    assert "runs as C" not in python.plan_report()
    assert found == expected
    theirs = outcome(function, torch.jit.script(function), values)
    assert isinstance(theirs, tuple) == isinstance(found, tuple)
    assert isinstance(theirs, tuple) or theirs == found
