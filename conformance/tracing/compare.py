"""Both traces of one program, and where they differ.

Names of types are compared without the numbers that tell one from another, which depend on what the
process has compiled before.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

import minits
from conformance.canonical import strip_ranges
from conformance.compare import text_difference
from conformance.torch_implementation import without_tracers_lines
from minits.ir.canonical import canonicalize
from minits.ir.printer import print_graph
from minits.name_mangling import demangled

TRACERS = (torch.jit.trace, minits.trace)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tracer makes of a program: graphs by the names of functions, or an error."""

    graphs: dict[str, str]
    error: str | None = None


def difference(make: Callable[[], Any], inputs: tuple[Any, ...], **options: Any) -> str | None:
    """Return how the two traces differ, None if they do not.

    `make` returns the function or module, anew for each of the two.
    """
    expected = _outcome(_by_torch, make, inputs, options)
    found = _outcome(_by_minits, make, inputs, options)
    if expected.error is not None:
        if found.error is not None:
            return None
        return f"torch.jit refuses it: {expected.error}"
    if found.error is not None:
        return f"minits refuses it: {found.error}"
    return text_difference(found.graphs, expected.graphs, ("torch", "minits"), context=1)


def difference_of_frozen(make: Callable[[], Any], inputs: tuple[Any, ...]) -> str | None:
    """Return how the frozen traces of a module differ, None if they do not.

    An empty text if torch.jit cannot freeze it. Lines of the program are compared in graphs that
    are not frozen.
    """
    try:
        expected = _frozen(torch.jit, make, inputs)
    except Exception:
        return ""
    texts = _text_of_minits(_frozen(minits, make, inputs)), _text_of_torch(expected)
    found, wanted = ({"": strip_ranges(text)} for text in texts)
    return text_difference(found, wanted, ("torch", "minits"), context=1)


def _frozen(by: Any, make: Callable[[], Any], inputs: tuple[Any, ...]) -> Any:
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return by.freeze(by.trace(make().eval(), copied(inputs), check_trace=False))


def difference_of_results(
    make: Callable[[], Any], inputs: tuple[Any, ...], **options: Any
) -> str | None:
    """Return how results of the two traces differ in dtypes or shapes, None if they do not.

    Each is called three times: the later calls run plans, which kernels may compute.
    """
    traces = [tracer(make(), copied(inputs), check_trace=False, **options) for tracer in TRACERS]
    for call in range(1, 4):
        expected, found = (_described(traced, inputs) for traced in traces)
        if found != expected:
            return f"call {call}: torch's returns {expected}, minits' {found}"
    return None


def _described(traced: Any, inputs: tuple[Any, ...]) -> list[str] | str:
    try:
        result = traced(*copied(inputs))
    except Exception as error:
        return f"an error: {type(error).__name__}"
    items = result if isinstance(result, (tuple, list)) else [result]
    return [f"{each.dtype} {list(each.shape)}" for each in items]


def is_traced(make: Callable[[], Any], inputs: tuple[Any, ...], **options: Any) -> bool:
    """Return whether torch.jit can trace the program: only such are compared."""
    return _outcome(_by_torch, make, inputs, options).error is None


def _outcome(
    by: Callable[..., dict[str, str]],
    make: Callable[[], Any],
    inputs: tuple[Any, ...],
    options: dict[str, Any],
) -> Outcome:
    torch.manual_seed(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Outcome(by(make(), copied(inputs), options))
    except Exception as error:
        return Outcome({}, f"{type(error).__name__}: {str(error)[:300]}")


def copied(value: Any) -> Any:
    """Return inputs of their own: programs may write to them."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, (tuple, list)):
        return type(value)(map(copied, value))
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return copy.deepcopy(value)


def _by_torch(program: Any, inputs: tuple[Any, ...], options: dict[str, Any]) -> dict[str, str]:
    traced = torch.jit.trace(program, inputs, check_trace=False, **options)
    return {name: _text_of_torch(function) for name, function in _functions_of_torch(traced)}


def _text_of_torch(function: Any) -> str:
    graph = torch._C._jit_pass_canonicalize(function.graph, True)
    return demangled(without_tracers_lines(str(graph)))


def _functions_of_torch(traced: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(traced, torch.jit.ScriptModule):
        yield "", traced
        return
    for path, module in traced.named_modules():
        for name in sorted(module._c._method_names()):
            yield f"{path}.{name}", module._c._get_method(name)


def _by_minits(program: Any, inputs: tuple[Any, ...], options: dict[str, Any]) -> dict[str, str]:
    traced = minits.trace(program, inputs, check_trace=False, **options)
    return {name: _text_of_minits(function) for name, function in _functions_of_minits(traced)}


def _text_of_minits(function: Any) -> str:
    return demangled(print_graph(canonicalize(function.graph)))


def _functions_of_minits(traced: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(traced, minits.ScriptModule):
        yield "", traced
        return
    for path, module in traced.named_modules():
        for name in sorted(module.method_names()):
            yield f"{path}.{name}", module.compile_method(name)
