"""Times of patterns, and of rows of many lengths, beside eager, torch.jit and torch.compile."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch

import minits
from benchmarks.gpu.checking import DTYPES
from benchmarks.gpu.run import Run
from benchmarks.gpu.timing import GPU, Call, Machine, limited, measure
from benchmarks.patterns import PATTERNS, ROWS, Pattern, load_examples

REDUCTIONS = ("scale_mask_softmax", "residual_layer_norm")
_ELEMENTWISE_TARGET, _ROW_TARGET, _COMPILE_TARGET = 0.90, 0.80, 1 / 1.05
PLANNED = [
    *[(pattern, dtype) for pattern in PATTERNS for dtype in DTYPES],
    *[(pattern, dtype) for pattern in ROWS for dtype in DTYPES[:2]],
]


Way = Callable[[Call, int], float]
"""How a call is timed: its seconds, of so many repetitions."""


def name_of(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def variants(run: Run, pattern: Pattern, arguments: tuple[Any, ...]) -> dict[str, Call]:
    """Return the calls to measure, warmed up; those that fail are left out, with a line."""
    function = getattr(load_examples(), pattern.function)
    backend = "inductor" if run.machine.is_gpu else "eager"
    makers: dict[str, Callable[[], Any]] = {
        "eager": lambda: function,
        "torch.jit": lambda: torch.jit.script(function),
        "torch.compile": lambda: torch.compile(function, dynamic=False, backend=backend),
        "minits": lambda: minits.script(function),
    }
    torch._dynamo.reset()
    calls: dict[str, Call] = {}
    peers = [peer for peer in run.peers if pattern in PATTERNS or peer != "torch.jit"]
    for name in ("eager", *peers, "minits"):
        try:
            with limited(run.limit):
                call = call_of(makers[name](), pattern, arguments)
                for _ in range(5):
                    call()
                run.machine.wait()
            calls[name] = call
        except Exception as fault:  # a peer that cannot run a pattern has no figure
            reason = (str(fault).splitlines() or [type(fault).__name__])[0]
            print(f"{pattern.name}: {name} fails: {reason}", file=sys.stderr, flush=True)
    return calls


def call_of(function: Any, pattern: Pattern, arguments: tuple[Any, ...]) -> Call:
    """Return the call to be measured: of the function, or of it and its backward pass."""
    if not pattern.backward:
        return lambda: function(*arguments)
    inputs = [a.detach().requires_grad_() for a in arguments]
    gradient = torch.ones_like(inputs[0])

    def both() -> Any:
        return torch.autograd.grad(function(*inputs), inputs, gradient)

    return both


def planned(run: Run) -> list[tuple[int, Way, Pattern, torch.dtype]]:
    """Return the rows of a run: first all large sizes, which say most."""
    machine = run.machine
    large = [(machine.large, machine.device_seconds, *each) for each in PLANNED]
    small = [
        (machine.small, machine.call_seconds, pattern, dtype)
        for pattern in PATTERNS
        for dtype in DTYPES
    ]
    return [each for each in [*large, *small] if each[2] in run.patterns]


def rows(run: Run, bandwidth: float) -> Iterator[dict[str, Any]]:
    """Yield the figures of each pattern."""
    machine, wanted = run.machine, planned(run)
    for number, (elements, seconds, pattern, dtype) in enumerate(wanted):
        if run.is_late:
            left = len(wanted) - number
            run.note(left_out=left)
            print(f"{run.seconds:g} s are over: {left} rows are left out", file=sys.stderr)
            return
        torch.manual_seed(0)
        arguments = pattern.arguments(elements, {"dtype": dtype, "device": machine.device})
        calls = variants(run, pattern, arguments)
        found = measure(calls, run.rounds, seconds)
        yield table_row(pattern, dtype, elements, found, bandwidth, machine)
        del arguments, calls
        machine.free()


def table_row(
    pattern: Pattern,
    dtype: torch.dtype,
    elements: int,
    found: dict[str, float],
    bandwidth: float,
    machine: Machine = GPU,
) -> dict[str, Any]:
    """Return the figures of a pattern, and which targets it misses."""
    ideal = pattern.bytes(elements, dtype.itemsize) / bandwidth
    row: dict[str, Any] = {
        "pattern": pattern.name,
        "dtype": name_of(dtype),
        "elements": elements,
        "seconds": found,
        "missed": [],
    }
    if elements < machine.large or "minits" not in found:
        return row
    row["of_copy_bandwidth"] = {name: round(ideal / own, 4) for name, own in found.items()}
    wanted = _ROW_TARGET if pattern.function in REDUCTIONS else _ELEMENTWISE_TARGET
    if not pattern.backward and row["of_copy_bandwidth"]["minits"] < wanted:
        row["missed"].append(f"{wanted:.0%} of copy bandwidth")
    if found["minits"] * _COMPILE_TARGET > found.get("torch.compile", float("inf")):
        row["missed"].append("torch.compile")
    return row
