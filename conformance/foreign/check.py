"""Compile one foreign program with minits and with torch.jit: both accept it, or both refuse it."""

from __future__ import annotations

import traceback
import warnings
from pathlib import Path
from typing import Any

import torch

from conformance.canonical import Normaliser, at_level
from conformance.foreign.programs import Foreign
from conformance.implementations import Implementation, implementation
from conformance.upstream.forks import Send

_ROOTS = {Path(torch.__file__).parent: "torch/"}


def check(program: Foreign, send: Send) -> None:
    """Send the outcome of compiling a program by minits, and then that by torch.jit.

    outcome: `accepts`, `refuses`, `raises` (what is documented nowhere), or, for both,
    `unmakable` where there is no instance.
    """
    warnings.simplefilter("ignore")
    try:
        program.make()
    except BaseException as error:
        send({"who": "both", "outcome": "unmakable", "told": repr(error)[:200]})
        return
    for who in ("minits", "torch"):
        outcome, told = _compiled(program, implementation(who))
        send({"who": who, "outcome": outcome, "told": told})


def _compiled(program: Foreign, compiler: Implementation) -> tuple[str, str]:
    try:
        compiled = compiler.compile(program.make())
        return "accepts", _texts(compiler, compiled)
    except Exception as error:
        fault = compiler.compile_fault(error)
        if fault is None:
            lines = traceback.format_exception(error, limit=-8)
            return "raises", f"{type(error).__name__}\n{''.join(lines)}"
        return "refuses", f"{fault.kind} {fault.file}:{fault.line}: {fault.message}"


def _texts(compiler: Implementation, compiled: Any) -> str:
    """The graphs of everything that was compiled, in their structure."""
    if isinstance(compiled, type):
        return ""
    normalise = Normaliser(_ROOTS)
    texts = []
    for function in compiler.functions(compiled):
        graph = at_level(normalise.graph(function.graph), "structure")
        texts.append(f"{normalise.names(function.name)}\n{graph}")
    return "\n".join(texts)
