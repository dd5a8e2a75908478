"""Programs of one operator each: the samples of torch's database of operators, traced.

The tensors of a sample are the inputs of the program; what else the operator takes is written into
it. Operators that the database calls by a function are called by their methods too, and in place,
which is also recorded as what returns a new tensor. Those of two tensors are also called with a
number of Python for the second one, and run: it must not widen the dtype of the first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from conformance.fusion.database import torch_database
from conformance.tracing.compare import difference, difference_of_results, is_traced

MOST_SAMPLES = 4
NUMBERS = (3, 2.5)
DTYPES_WITH_NUMBERS = (torch.int64, torch.uint8, torch.float16, torch.float32)


@dataclass(frozen=True, slots=True)
class Program:
    """A program to trace: what makes it, and its inputs."""

    name: str
    make: Callable[[], Any]
    inputs: tuple[Any, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    is_run: bool = False
    """Whether the results of the traces are compared too."""


def programs(wanted: list[str], n: int = MOST_SAMPLES) -> Iterator[tuple[str, list[Program]]]:
    """Yield each operator's name with its programs."""
    database, core = torch_database()
    for info in database:
        name = f"{info.name}.{info.variant_test_name}" if info.variant_test_name else info.name
        if (wanted and name not in wanted) or not info.dtypes:
            continue
        found = list(_programs_of(name, info, n))
        if isinstance(info, core.BinaryUfuncInfo) and info.op is not None:
            found += _with_numbers(name, info, core.SampleInput)
        yield name, found


def _programs_of(name: str, info: Any, n: int) -> Iterator[Program]:
    dtype = torch.float32 if torch.float32 in info.dtypes else next(iter(info.dtypes))
    for way, operator in _ways(info):
        try:
            samples = list(itertools.islice(_samples(info, dtype), n))
        except Exception:  # the sample's own code fails on this machine
            continue
        for number, sample in enumerate(samples):
            program = _program(f"{name} {way} {number}", operator, sample)
            yield program
            if way == "in place":
                name_of_new = f"{program.name} as a new tensor"
                yield replace(program, name=name_of_new, options={"_force_outplace": True})


def _with_numbers(name: str, info: Any, sample_of: Callable[..., Any]) -> Iterator[Program]:
    for dtype, number in itertools.product(DTYPES_WITH_NUMBERS, NUMBERS):
        if dtype in info.dtypes:
            for tensor in (torch.tensor([1, 2, 3], dtype=dtype), torch.tensor(2, dtype=dtype)):
                shown = f"{name} {dtype}, {tensor.dim()} dimensions, with {number}"
                program = _program(shown, info.op, sample_of(tensor, args=(number,)))
                yield replace(program, is_run=True)


def _ways(info: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    if info.op is not None and info.op is not info.method_variant:
        yield "function", info.op
    for way, method in (("method", info.method_variant), ("in place", info.inplace_variant)):
        name = getattr(method, "__name__", None)
        if name is not None:
            yield way, _method(name)


def _method(name: str) -> Callable[..., Any]:
    """Return a function that looks a method up when it is called, as programs do."""
    return lambda first, *rest, **keywords: getattr(first, name)(*rest, **keywords)


def _samples(info: Any, dtype: torch.dtype) -> Iterator[Any]:
    torch.manual_seed(0)
    yield from info.sample_inputs("cpu", dtype, requires_grad=False)


def _program(name: str, operator: Callable[..., Any], sample: Any) -> Program:
    arguments = (sample.input, sample.args, dict(sample.kwargs))
    tensors: list[torch.Tensor] = []
    _collect(arguments, tensors)

    def make() -> Callable[..., Any]:
        def program(*given: torch.Tensor) -> Any:
            first, rest, keywords = _filled(arguments, iter(given))
            return operator(first, *rest, **keywords)

        return program

    return Program(name, make, tuple(tensors))


def _collect(value: Any, into: list[torch.Tensor]) -> None:
    if isinstance(value, torch.Tensor):
        into.append(value)
    elif isinstance(value, (tuple, list)):
        for item in value:
            _collect(item, into)
    elif isinstance(value, dict):
        _collect(list(value.values()), into)


def _filled(value: Any, given: Iterator[torch.Tensor]) -> Any:
    """Return the arguments with the given tensors in the places of a sample's."""
    if isinstance(value, torch.Tensor):
        return next(given)
    if isinstance(value, dict):
        return {key: _filled(item, given) for key, item in value.items()}
    if type(value) in (tuple, list):
        return type(value)([_filled(item, given) for item in value])
    return value


def check(program: Program) -> str | None:
    """Return how the traces differ; an empty text if torch.jit cannot trace the program."""
    if not program.inputs or not is_traced(program.make, program.inputs, **program.options):
        return ""
    fault = difference(program.make, program.inputs, **program.options)
    if fault is not None or not program.is_run:
        return fault
    return difference_of_results(program.make, program.inputs, **program.options)
