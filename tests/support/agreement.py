"""Run a call, and tell what came of it in a form that can be compared."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable
from typing import Any

import torch

from conformance.tolerances import EXACT, Tolerance, close, tolerance_for
from minits.ops.errors import as_script_error


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return the result, or that the call failed."""
    arguments = copy.deepcopy(arguments)
    try:
        result = comparable(function(*arguments))
    except (RuntimeError, torch.jit.Error):
        result = "raises"
    except Exception as error:
        kind = type(as_script_error(error))
        result = "raises" if issubclass(kind, RuntimeError) else kind.__name__
    return result


def agree(found: Any, wanted: Any, graph: object) -> bool:
    """Return whether two outcomes are equal but for what a library rounds as it likes.

    Floats, those in tensors as well, may differ by the tolerance that `conformance/tolerances.py`
    gives to the operators that the graph names, for the reason that stands there. Torch's root of
    a float32, for example, is not the rounded one on processors of AMD.
    """
    return _agree(found, wanted, tolerance_for([str(graph)]))


def _agree(found: Any, wanted: Any, tolerance: Tolerance) -> bool:
    if found == wanted or tolerance == EXACT:
        return bool(found == wanted)
    if isinstance(wanted, tuple) and wanted[:1] != ("str",):
        is_alike = isinstance(found, tuple) and len(found) == len(wanted)
        return is_alike and all(_agree(x, y, tolerance) for x, y in zip(found, wanted, strict=True))
    if not (isinstance(found, str) and isinstance(wanted, str)):  # as floats are in these
        return False
    try:
        return close(float(found), float(wanted), tolerance)
    except ValueError:
        return False


def comparable(value: Any) -> Any:
    """Make NaN equal to itself, 0.0 not to -0.0, 1 not to True; tensors equal by content."""
    if isinstance(value, torch.Tensor):
        return ("tensor", str(value.dtype), tuple(value.shape), comparable(value.tolist()))
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, *map(comparable, value))
    if isinstance(value, dict):
        return ("dict", *((comparable(k), comparable(v)) for k, v in value.items()))
    if isinstance(value, float):
        return f"{value:.14g}"
    if isinstance(value, str):
        value.encode()  # torch raises for what is no text
    return (type(value).__name__, value)


def has_both_nan(values: Iterable[Any]) -> bool:
    """Return whether NaN of both signs are among operands: either may be the result, by the order
    in which a compiler has put them."""
    signs = {math.copysign(1.0, x) for x in values if isinstance(x, float) and math.isnan(x)}
    return len(signs) == 2
