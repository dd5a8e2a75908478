"""Check one call of an operator: torch.jit, minits and its reference interpreter do the same."""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

import minits
from conformance.fuzz.language.programs import copied
from conformance.operators.programs import Program
from minits.codegen.python import compile_graph
from minits.diagnostics import CompileError
from minits.ops.errors import as_script_error
from minits.runtime import interpreter

_TORCH = str(Path(torch.__file__).parent)
_RAW = (TypeError, AttributeError, KeyError, AssertionError, NameError, RecursionError)
"""Raised by Python itself where minits forgot a case; torch raises some of these classes, too."""
_TORCH_FAULTS = (
    "INTERNAL ASSERT",
    "Type cannot be accurately recovered",
    "required keyword attribute",  # a kind of node that no program writes
    "ArrayRef: invalid index",
    "called on an undefined Tensor",  # a result that eager returns as None
    "vector::reserve",  # a list that is repeated less than no times
)


class Disagreement(AssertionError):
    """torch.jit and minits differ."""


def check(program: Program, announce: Callable[[str], None]) -> str:
    """Return `refused`, `raises`, `runs`, or `faulty` where torch.jit is at fault itself.

    `announce` is told who is about to run, as operators may end the process. Raises `Disagreement`.
    """
    function = program.function()
    announce("torch.jit")
    expected, refusal = _compiled(torch.jit.script, function, RuntimeError)
    found, own_refusal = _compiled(minits.script, function, CompileError)
    if expected is None or found is None:
        if refusal and any(text in refusal for text in _TORCH_FAULTS):
            return "faulty"
        if (expected is None) != (found is None):
            raise Disagreement(
                f"torch.jit: {refusal or 'accepts'}\nminits: {own_refusal or 'accepts'}"
            )
        return "refused"
    wanted_graph, graph = (_without_signs_of_nan(str(each.graph)) for each in (expected, found))
    if wanted_graph != graph:
        raise Disagreement(f"graphs\n{wanted_graph}\n{graph}")
    with torch.jit.optimized_execution(False):
        wanted = _outcome(expected, program)
    if isinstance(wanted, Exception) and any(text in str(wanted) for text in _TORCH_FAULTS):
        return "faulty"
    announce("minits")
    inlined = found.inlined_graph
    for who, run in (
        ("interpreter", lambda *values: interpreter.run(inlined, *values)),
        ("generated code", compile_graph(inlined, "program")),
    ):
        difference = _difference(wanted, _outcome(run, program), _is_defined(program))
        if difference:
            raise Disagreement(f"{who}: {difference}")
    return "raises" if isinstance(wanted, Exception) else "runs"


def _without_signs_of_nan(graph: str) -> str:
    """The sign of a NaN is whatever the processor gives."""
    return graph.replace("-nan", "nan")


def _compiled(script: Any, function: Any, fault: type[Exception]) -> tuple[Any, str | None]:
    try:
        return script(function), None
    except fault as refusal:
        return None, str(refusal).strip()


def _outcome(run: Any, program: Program) -> Any:
    """The result of a call and its tensors afterwards, or the error that was raised."""
    arguments = [_copied(value) for value in program.arguments]
    torch.manual_seed(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = run(*arguments)
    except Exception as error:
        return as_script_error(error)
    finally:
        torch.set_grad_enabled(True)
    return result, [value for value in arguments if isinstance(value, Tensor)]


def _copied(value: Any) -> Any:
    if isinstance(value, torch.Generator):
        return torch.Generator().manual_seed(value.initial_seed())
    return copied(value)


def _is_defined(program: Program) -> bool:
    """Whether the elements of the result are told by the arguments."""
    words = ("empty", "resize", "new_", "::set", "pack_gemm_matrix_fp16")
    return not any(word in program.schema for word in words)


def _difference(wanted: Any, found: Any, is_defined: bool) -> str | None:
    if isinstance(wanted, Exception) != isinstance(found, Exception):
        return f"{_told(wanted)} in torch.jit, {_told(found)} here"
    if isinstance(wanted, Exception):
        if _is_raw(found) and not isinstance(wanted, type(found)):
            return f"{_told(wanted)} in torch.jit, {_told(found)} here"
        return None
    if _comparable(wanted, is_defined) == _comparable(found, is_defined):
        return None
    return f"{_told(wanted)} in torch.jit, {_told(found)} here\nafter: {wanted[1]}\n{found[1]}"


def _is_raw(error: Exception) -> bool:
    """Whether Python itself raised, in minits; some of torch's operators are Python, too."""
    if isinstance(error, RuntimeError) or not isinstance(error, _RAW):
        return False
    *_, last = traceback.extract_tb(error.__traceback__)
    return _TORCH not in last.filename


def _told(outcome: Any) -> str:
    if isinstance(outcome, Exception):
        return f"{type(outcome).__name__}: {str(outcome).strip().splitlines()[-1:]}"
    try:
        return repr(outcome[0])
    except RuntimeError as why:  # tensors whose parts contradict each other
        return f"a tensor that cannot be printed ({why})"


def _comparable(value: Any, is_defined: bool) -> Any:
    """A form in which NaN equals itself; tensors with all that tells them apart."""
    if isinstance(value, Tensor):
        try:
            return _comparable_tensor(value, is_defined)
        except (RuntimeError, MemoryError) as why:  # a nested one, or one of torch.func
            return "Tensor", type(why).__name__
    if isinstance(value, (list, tuple)):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return (kind, *(_comparable(item, is_defined) for item in value))
    if isinstance(value, dict):
        return ("dict", *((key, _comparable(item, is_defined)) for key, item in value.items()))
    if isinstance(value, torch.Generator):
        return "Generator", value.initial_seed()
    if hasattr(value, "is_nowait"):
        return "Await", _comparable(value.wait(), is_defined)
    return type(value).__name__, re.sub(" at 0x[0-9a-f]+", "", repr(value))


def _comparable_tensor(tensor: Tensor, is_defined: bool) -> Any:
    facts = (tensor.dtype, tuple(tensor.shape), tensor.device, tensor.layout, tensor.is_quantized)
    if tensor.layout != torch.strided or tensor._is_zerotensor():
        return facts
    elements = None
    if is_defined and tensor.device.type != "meta":
        plain = tensor.detach().resolve_conj().resolve_neg()
        elements = repr(plain.dequantize().tolist() if tensor.is_quantized else plain.tolist())
    return (*facts, tensor.stride(), tensor.is_conj(), tensor.is_neg(), elements)
