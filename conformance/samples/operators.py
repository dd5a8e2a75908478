"""Programs of the samples of torch's database of operators, in every spelling of each operator.

    function    torch.add(a, b, alpha=2)         and by the operator's other names
    method      a.add(b, alpha=2)
    in place    a.add_(b, alpha=2)
    out         torch.add(a, b, alpha=2, out=c)
    overload    torch.ops.aten.add(a, b, alpha=2)
    operator    3 + a                            where the tensor is the right operand

Tensors are parameters of the program. Numbers are written into it in some programs, as in most
models, and parameters in others. Samples of other dtypes that make the same program are further
calls of it.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import torch
from torch import Tensor

from conformance.fusion.database import _OPERATORS as RIGHT_OPERATORS
from conformance.fusion.database import _SPELLED as SPELLED
from conformance.fusion.database import torch_database
from conformance.samples.program import Program, of_text

DTYPES = (
    torch.float32, torch.int64, torch.complex64, torch.bool, torch.float64, torch.bfloat16,
)  # fmt: skip
MOST_ELEMENTS = 20_000
MOST_SAMPLES = 4
"""Samples of each operator and dtype."""
_DEEPEST = 60
"""Samples that are looked at, of which some are chosen."""

_Spell = Callable[[list[str]], str]
"""Writes the call of an operator with these arguments, those by keyword behind the others."""


def names() -> list[str]:
    """Return the names of the database's entries, in its order."""
    database, _ = torch_database()
    return list(dict.fromkeys(_name(info) for info in database if not _needs_gpu(info)))


def programs(name: str, seed: int, most: int = MOST_SAMPLES) -> list[Program]:
    """Return the programs of an entry, of up to `most` samples of each dtype, drawn by the seed."""
    database, _ = torch_database()
    calls: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
    for info in [info for info in database if _name(info) == name]:
        for dtype in [dtype for dtype in DTYPES if dtype in info.dtypes] or [*info.dtypes][:1]:
            random = Random(f"{seed} {name} {dtype}")
            for sample in _samples(info, dtype, most, random):
                for way, text, arguments in _spelled(info, sample, random):
                    calls.setdefault((way, text), []).append(arguments)
    return [of_text(f"{name}, {way}", text, arguments) for (way, text), arguments in calls.items()]


def _name(info: Any) -> str:
    return f"{info.name}.{info.variant_test_name}" if info.variant_test_name else str(info.name)


def _needs_gpu(info: Any) -> bool:
    return info.name.startswith("jiterator") or not info.dtypes


def _samples(info: Any, dtype: torch.dtype, most: int, random: Random) -> list[Any]:
    """Draw samples, and such as must fail; none where torch's own code fails on this machine."""
    torch.manual_seed(0)
    found: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = list(itertools.islice(info.sample_inputs("cpu", dtype), _DEEPEST))
        except Exception:
            found = []
        found = random.sample(found, min(most, len(found)))
        if info.error_inputs_func is not None and dtype == torch.float32:
            try:
                wrong = list(itertools.islice(info.error_inputs("cpu"), _DEEPEST))
            except Exception:
                wrong = []
            found += [each.sample_input for each in random.sample(wrong, min(most, len(wrong)))]
    return found


def _spelled(info: Any, sample: Any, random: Random) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """Yield spellings of a sample: the way, the program's text, and its arguments."""
    seed = random.random()
    for way, spell in _ways(info):
        if way in ("method", "in place") and not isinstance(sample.input, Tensor):
            continue
        writer = _Writer(Random(seed))
        try:
            given = [writer.text(each) for each in (sample.input, *sample.args)]
            by_name = [f"{name}={writer.text(each)}" for name, each in sample.kwargs.items()]
        except _NoText:
            return
        if way != "out":
            yield way, writer.program(spell([*given, *by_name])), tuple(writer.values)
            continue
        made = _made(info, sample)
        if made is not None:
            outs = [writer.text(each) for each in made]
            shown = outs[0] if len(outs) == 1 else f"({', '.join(outs)})"
            text = writer.program(spell([*given, *by_name, f"out={shown}"]))
            yield way, text, tuple(writer.values)


def _ways(info: Any) -> Iterator[tuple[str, _Spell]]:
    if info.name in RIGHT_OPERATORS:
        yield "operator", lambda given: f"{given[1]} {RIGHT_OPERATORS[info.name]} {given[0]}"
    for alias in (info, *info.aliases):
        name = alias.name.removeprefix("torch.")
        spelled = SPELLED.get(_name(info)) or SPELLED.get(name)
        if spelled is not None and "{" in spelled:
            yield "function", lambda given, call=spelled: _by_number(call, given)  # type: ignore[misc]
        elif _is_function(name):
            yield "function", _called(f"torch.{name}")
        is_method_only = alias is info and not _is_function(name)
        if is_method_only or getattr(alias, "method_variant", None) is not None:
            yield "method", _method(name)
        in_place = getattr(alias.inplace_variant, "__name__", None)
        if in_place == "<lambda>":  # one that has a flag instead
            yield "in place", _called(f"torch.{name}", "inplace=True")
        elif in_place is not None:
            yield "in place", _method(in_place)
    if info.supports_out and _is_function(info.name):
        yield "out", _called(f"torch.{info.name}")
    overload = info.aten_name or info.name
    if hasattr(torch.ops.aten, overload):
        yield "overload", _called(f"torch.ops.aten.{overload}")


def _is_function(name: str) -> bool:
    place: Any = torch
    for part in name.split("."):
        place = getattr(place, part, None)
    return callable(place)


def _called(name: str, *more: str) -> _Spell:
    return lambda given: f"{name}({', '.join([*given, *more])})"


def _method(name: str) -> _Spell:
    if isinstance(getattr(Tensor, name, None), property) or name in ("T", "H", "mT", "mH"):
        return lambda given: f"{given[0]}.{name}"
    return lambda given: f"{given[0]}.{name}({', '.join(given[1:])})"


def _by_number(call: str, given: list[str]) -> str:
    """Fill a call in whose arguments stand in another order; further ones stand at its end."""
    count = call.count("{")
    rest = "".join([f", {each}" for each in given[count:]])
    return call.removesuffix(")").format(*given) + f"{rest})"


def _made(info: Any, sample: Any) -> list[Tensor] | None:
    """Tensors for `out=`, of the shapes and dtypes that eager gives; None if it gives others."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = info.op(sample.input, *sample.args, **sample.kwargs)
    except Exception:
        return None
    results = [made] if isinstance(made, Tensor) else made
    if not isinstance(results, (list, tuple)) or not results:
        return None
    if not all(isinstance(each, Tensor) and each.layout == torch.strided for each in results):
        return None
    return [torch.zeros_like(each.detach()) for each in results]


class _NoText(Exception):
    """A sample has an argument that cannot be written in a program."""


@dataclass
class _Writer:
    """Writes arguments; collects the parameters of the program and their values."""

    random: Random

    def __post_init__(self) -> None:
        self.parameters: list[str] = []
        self.values: list[Any] = []
        self.writes_numbers = self.random.random() < 0.6

    def program(self, call: str) -> str:
        return f"def program({', '.join(self.parameters)}):\n    return {call}\n"

    def text(self, value: Any) -> str:
        if isinstance(value, Tensor):
            if value.numel() > MOST_ELEMENTS or len(self.values) >= 26:
                raise _NoText
            return self._parameter("Tensor", value.detach())
        if isinstance(value, (list, tuple)):
            if (
                value
                and all(isinstance(each, Tensor) for each in value)
                and not self.writes_numbers
            ):
                return self._parameter("List[Tensor]", [each.detach() for each in value])
            items = [self.text(each) for each in value]
            ends = ("(", ",)" if len(items) == 1 else ")")
            opened, closed = ends if type(value) is tuple else ("[", "]")
            return f"{opened}{', '.join(items)}{closed}"
        if value is None or isinstance(value, (bool, str, torch.dtype, slice)):
            return _constant(value)
        if isinstance(value, (torch.memory_format, torch.layout)):
            return str(value)
        if isinstance(value, torch.device):
            return f"torch.device({str(value)!r})"
        if isinstance(value, (int, float, complex)):
            return self._number(value)
        raise _NoText

    def _number(self, value: complex) -> str:
        kind = next(kind for kind in (int, float, complex) if isinstance(value, kind))
        value = kind(value)  # type: ignore[arg-type]
        if not self.writes_numbers or kind is complex:
            return self._parameter(kind.__name__, value)
        if isinstance(value, float) and not math.isfinite(value):
            return f"float('{value}')"
        return repr(value)

    def _parameter(self, annotation: str, value: Any) -> str:
        name = chr(ord("a") + len(self.values))
        self.parameters.append(f"{name}: {annotation}")
        self.values.append(value)
        return name


def _constant(value: Any) -> str:
    if isinstance(value, slice):
        raise _NoText
    return repr(value) if isinstance(value, str) else str(value)
