"""Fused kernels on a GPU: `python -m benchmarks.gpu`.

Correctness first: each program in float32, float16 and bfloat16, forward and backward, against
eager on the same device. Then times, beside eager, torch.jit with its fuser on and torch.compile:
at sizes past the L2 cache by CUDA events, as a share of the speed at which the bytes that must be
moved can be copied; at small sizes by the clock, which is the cost of a call; and the cost of a
launch alone. Figures go to benchmarks/results/gpu-<date>.json, which is written anew after each.

On a machine that is lent for ten minutes:

    python -m pytest -q -m cuda
    python -m benchmarks.gpu --quick --output out/quick.json
    python -m benchmarks.gpu --seconds 400 --output out/gpu.json

`--dry-run` does all of it on the CPU, with small tensors; its figures mean nothing.

Exits with 1 where there is no device, or where a result is wrong.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from rich import box
from rich.console import Console
from rich.table import Table

import minits
from benchmarks.gpu_check import DTYPES, checks, wrong_results
from benchmarks.gpu_timing import DRY, GPU, Call, Machine, limited, measure
from benchmarks.launch import launch_seconds
from benchmarks.patterns import PATTERNS, Pattern, load_examples

REDUCTIONS = ("scale_mask_softmax", "residual_layer_norm")
_ELEMENTWISE_TARGET, _ROW_TARGET, _COMPILE_TARGET = 0.90, 0.80, 1 / 1.05


def name_of(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


@dataclass
class Run:
    """A measurement: its patterns and settings, and the figures found so far.

    `seconds` is the time for all of it; what has not begun by then is left out, and counted.
    `limit` is the time that each way to run a pattern has to get warm.
    """

    machine: Machine
    patterns: list[Pattern]
    peers: list[str]
    rounds: int
    output: Path
    seconds: float = float("inf")
    limit: float = 60
    figures: dict[str, Any] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)

    @property
    def is_late(self) -> bool:
        return time.monotonic() - self.started > self.seconds

    def note(self, **found: Any) -> None:
        """Add to the figures, and write the file: what comes may not end."""
        self.figures.update(found)
        self.output.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.output.with_suffix(".tmp")
        unfinished.write_text(json.dumps(self.figures, indent=1) + "\n", encoding="utf-8")
        unfinished.replace(self.output)


# ---- Correctness -------------------------------------------------------------------------------


def check_all(run: Run, only: str | None) -> list[str]:
    """Return a line for each wrong result, after printing it."""
    wrong: list[str] = []
    machine = run.machine
    for line in wrong_results(checks(only), machine.device, machine.checked, run.limit):
        print(f"wrong: {line}", file=sys.stderr, flush=True)
        wrong.append(line)
        run.note(wrong=wrong)
    run.note(wrong=wrong, checked_after_seconds=round(time.monotonic() - run.started, 1))
    print(f"{len(wrong)} wrong results", flush=True)
    return wrong


# ---- Times -------------------------------------------------------------------------------------


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
    for name in ("eager", *run.peers, "minits"):
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


def rows(run: Run, bandwidth: float) -> Iterator[dict[str, Any]]:
    """Yield the figures of each pattern: first all large sizes, which say most."""
    machine = run.machine
    ways = [(machine.large, machine.device_seconds), (machine.small, machine.call_seconds)]
    planned = [(way, p, dtype) for way in ways for p in run.patterns for dtype in DTYPES]
    for number, ((elements, seconds), pattern, dtype) in enumerate(planned):
        if run.is_late:
            left = len(planned) - number
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


# ---- The command -------------------------------------------------------------------------------


def execute(run: Run, only: str | None = None) -> int:
    """Check, measure, and print a table; the file is written all along. Returns the exit code."""
    machine = run.machine
    run.note(
        date=datetime.date.today().isoformat(),
        device=machine.name,
        torch=torch.__version__,
        cuda=torch.version.cuda,
        rounds=run.rounds,
    )
    wrong = check_all(run, only)
    bandwidth = machine.copy_bandwidth(run.rounds)
    run.note(copy_bytes_per_second=bandwidth, rows=[])
    print(f"copy bandwidth {bandwidth / 1e9:.0f} GB/s on {machine.name}", flush=True)
    _measure_launch(run)
    for row in rows(run, bandwidth):
        run.note(rows=[*run.figures["rows"], row])
        print(*_cells(row, run.peers), sep="  ", flush=True)
    Console(width=120).print(_table(run.figures["rows"], run.peers))
    run.note(took_seconds=round(time.monotonic() - run.started, 1))
    print(f"written to {run.output}")
    return 1 if wrong else 0


def _measure_launch(run: Run) -> None:
    try:
        found = launch_seconds(run.machine.device, run.rounds)
    except Exception as fault:  # the table matters more
        print(f"a launch fails: {fault}", file=sys.stderr, flush=True)
        return
    run.note(launch_seconds=found)
    print(f"a launch takes {found * 1e6:.2f} µs", flush=True)


def _table(found: list[dict[str, Any]], peers: list[str]) -> Table:
    table = Table(box=box.SIMPLE, caption="µs (share of copy bandwidth)")
    for column in ("pattern", "dtype", "elements", "eager", *peers, "minits", "misses"):
        table.add_column(column, justify="left" if column == "pattern" else "right")
    for row in found:
        table.add_row(*_cells(row, peers))
    return table


def _cells(row: dict[str, Any], peers: list[str]) -> list[str]:
    shares = row.get("of_copy_bandwidth", {})
    cells = [
        f"{row['seconds'][name] * 1e6:.1f}" + (f" ({shares[name]:.0%})" if shares else "")
        if name in row["seconds"]
        else "-"
        for name in ("eager", *peers, "minits")
    ]
    missed = ", ".join(row["missed"])
    return [row["pattern"], row["dtype"], str(row["elements"]), *cells, missed]


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", metavar="PATTERN", help="check and measure this one alone")
    parser.add_argument("--peers", metavar="A,B", default="torch.jit,torch.compile")
    parser.add_argument("--output", metavar="FILE", type=Path)
    parser.add_argument("--quick", action="store_true", help="5 rounds, and no torch.compile")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for all of it")
    parser.add_argument("--limit", type=float, default=60, help="seconds to get a pattern warm")
    parser.add_argument("--dry-run", action="store_true", help="on the CPU: does it run?")
    options = parser.parse_args(given)
    if not options.dry_run and not torch.cuda.is_available():
        print(
            f"benchmarks.gpu needs a CUDA device, and torch {torch.__version__} finds none here",
            file=sys.stderr,
        )
        return 1
    warnings.simplefilter("ignore")
    if options.dry_run:
        torch.set_num_threads(1)
    name = "dry-run" if options.dry_run else datetime.date.today().isoformat()
    left_out = {"torch.compile"} if options.quick else set()
    run = Run(
        DRY if options.dry_run else GPU,
        [p for p in PATTERNS if options.only in (None, p.name, p.function)],
        [peer for peer in options.peers.split(",") if peer and peer not in left_out],
        5 if options.quick else options.rounds,
        options.output or Path(__file__).parent / "results" / f"gpu-{name}.json",
        options.seconds,
        options.limit,
    )
    return execute(run, options.only)


if __name__ == "__main__":
    sys.exit(main())
