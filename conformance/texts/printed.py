"""The texts that minits prints about one program."""

from __future__ import annotations

import contextlib
import functools
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

import minits
import minits.api  # imported once for all forks
import minits.runtime.fusing
from conformance.case import Call, Case
from conformance.fuzz.programs import random_program
from conformance.fuzz.search import drawn
from conformance.minits_implementation import Minits
from minits.cli import main as command_line
from minits.codegen.kernel_text import kernel_text
from minits.codegen.python import python_source
from minits.diagnostics import CompileError
from minits.ir.printer import print_graph
from minits.kernels.launch.geometry import ShapeMismatch
from minits.kernels.lowering import NotFusable
from minits.passes.remarks import to_yaml
from minits.runtime.plan import Plan
from minits.runtime.script_variants import VariadicFunction

ROOT = Path(__file__).parents[2]
_PATHS = re.compile("|".join(re.escape(f"{each}/") for each in (ROOT, Path(torch.__file__).parent)))
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}|(?<=<fuzz )[0-9a-f]+")


def settled(text: str) -> str:
    """Return a text without the paths, addresses and hashes that differ between processes."""
    return _ADDRESS.sub("...", _PATHS.sub("", text))


def case_text(case: Case, dialect: str) -> str:
    """Return the text of a conformance case: its functions, or the reason for its refusal."""
    program = case.load()
    torch.manual_seed(0)
    try:
        compiled = minits.script(program.make(), dialect=dialect)
    except CompileError as error:
        return f"{error}\n"
    parts = [f"{each.name}\n{each.graph}\n{each.code}" for each in Minits().functions(compiled)]
    for call in program.calls():
        parts += _call_texts(compiled, call)
    return "\n".join(parts)


def drawn_text(seed: int, number: int) -> str:
    """Return the text of a program of the fuzzer of kernels."""
    make = functools.partial(random_program, is_smooth=number % 2 == 1)
    [(_, program)] = drawn(seed, number, 1, make)
    compiled = minits.script(program.function())
    return "\n".join([program.text, *_call_texts(compiled, Call(tuple(program.arguments)))])


def example_text(path: Path, kind: str) -> str:
    """Return the output of `minits compile --emit KIND --remarks` for an example."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        command_line.main(["compile", str(path), "--emit", kind, "--remarks"])
    return printed.getvalue()


def _call_texts(compiled: Any, call: Call) -> Iterator[str]:
    function = compiled
    if isinstance(compiled, torch.nn.Module):
        function = getattr(compiled, call.method)
    try:
        if isinstance(function, VariadicFunction):
            function = function.variant(*call.args, **call.kwargs)
        plan = function.plan_for(*call.args, **call.kwargs)
    except Exception as error:  # the arguments do not fit, or there is no plan
        yield f"{type(error).__name__}: {error}"
        return
    yield print_graph(plan.graph)
    yield python_source(plan.graph, "plan")
    yield to_yaml(plan.remarks)
    yield from _kernel_texts(plan)


def _kernel_texts(plan: Plan) -> Iterator[str]:
    for number, (graph, metas) in enumerate(plan.kernels):
        for language in ("cpp", "cuda"):
            try:
                yield kernel_text(graph, metas, language, f"kernel_{number}")
            except (NotFusable, ShapeMismatch) as error:
                yield f"kernel_{number}: {type(error).__name__}: {error}"
