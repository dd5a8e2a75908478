"""Fused kernels on a GPU: `python -m benchmarks.gpu`.

Correctness first: each program in float32, float16 and bfloat16, forward and backward, against
eager on the same device. Then what calls cost: launches, a decoder's step, first calls in a new
process; and the kernels of a masked softmax. Then times, beside eager, torch.jit with its fuser on
and torch.compile: at sizes past the L2 cache by CUDA events, as a share of the speed at which the
bytes that must be moved can be copied; at 1,024 elements by the clock, which is the cost of a call.
Figures go to benchmarks/results/gpu-<device>-<date>.json, which is written anew after each.

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
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.gpu.calls import (
    decoder_steps,
    first_calls,
    launch_costs,
    masked_softmax_kernels,
)
from benchmarks.gpu.checking import DTYPES, checks, wrong_results
from benchmarks.gpu.rows import name_of, rows
from benchmarks.gpu.run import Run
from benchmarks.gpu.timing import DRY, GPU
from benchmarks.gpu.warming import start_warming
from benchmarks.patterns import PATTERNS, ROWS

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
    warming = []
    if machine.is_gpu and "torch.compile" in run.peers and only is None:
        warming = start_warming(machine.large)
    wrong = check_all(run, only)
    for process in warming:
        process.wait()
    bandwidth = machine.copy_bandwidth(run.rounds)
    run.note(copy_bytes_per_second=bandwidth, rows=[])
    print(f"copy bandwidth {bandwidth / 1e9:.0f} GB/s on {machine.name}", flush=True)
    _measure_calls(run, only)
    for row in rows(run, bandwidth):
        run.note(rows=[*run.figures["rows"], row])
        print(*_cells(row, run.peers), sep="  ", flush=True)
    Console(width=120).print(_table(run.figures["rows"], run.peers))
    run.note(took_seconds=round(time.monotonic() - run.started, 1))
    print(f"written to {run.output}")
    return 1 if wrong else 0


def _measure_calls(run: Run, only: str | None) -> None:
    """Measure what is no row. What fails is told, and has no figure."""
    machine = run.machine
    parts: dict[str, Callable[[], Any]] = {"launch": lambda: launch_costs(machine, run.rounds)}
    if only is None:
        if machine.is_gpu:
            parts["masked softmax"] = lambda: masked_softmax_kernels(machine.device)
        for dtype in DTYPES[:2]:
            parts[f"decoder, {name_of(dtype)}"] = partial(decoder_steps, machine, dtype, run.rounds)
        parts["first calls"] = lambda: first_calls(machine, run.peers)
    for name, measured in parts.items():
        try:
            found = measured()
        except Exception as fault:  # the table matters more
            print(f"{name} fails: {fault}", file=sys.stderr, flush=True)
            continue
        run.note(**{name: found})
        print(f"{name}: {json.dumps(found)}", flush=True)


def show(path: Path) -> int:
    """Print the figures of a file. Returns the exit code."""
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        print(f"{path}: {fault}", file=sys.stderr)
        return 2
    console = Console(width=120)
    for name, found in figures.items():
        if name != "rows":
            console.print(f"{name}: {json.dumps(found)}", markup=False, soft_wrap=True)
    peers = list(dict.fromkeys(peer for row in figures["rows"] for peer in row["seconds"]))
    console.print(_table(figures["rows"], [peer for peer in peers if peer not in _OUR_COLUMNS]))
    return 0


_OUR_COLUMNS = ("eager", "minits")


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


def short_name(device: str) -> str:
    """Return the name of a device as files have it: `h100` for `NVIDIA H100 80GB HBM3`."""
    words = device.lower().replace("nvidia ", "").replace("geforce ", "").split()
    return words[0] if words[0] != "dry" else "dry-run"


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
    parser.add_argument("--show", metavar="FILE", type=Path, help="print figures of such a file")
    options = parser.parse_args(given)
    if options.show:
        return show(options.show)
    if not options.dry_run and not torch.cuda.is_available():
        print(
            f"benchmarks.gpu needs a CUDA device, and torch {torch.__version__} finds none here",
            file=sys.stderr,
        )
        return 1
    warnings.simplefilter("ignore")
    if options.dry_run:
        torch.set_num_threads(1)
    machine = DRY if options.dry_run else GPU
    name = f"{short_name(machine.name)}-{datetime.date.today().isoformat()}"
    left_out = {"torch.compile"} if options.quick else set()
    run = Run(
        machine,
        [p for p in (*PATTERNS, *ROWS) if options.only in (None, p.name, p.function)],
        [peer for peer in options.peers.split(",") if peer and peer not in left_out],
        5 if options.quick else options.rounds,
        options.output or Path(__file__).parents[1] / "results" / f"gpu-{name}.json",
        options.seconds,
        options.limit,
    )
    return execute(run, options.only)


if __name__ == "__main__":
    sys.exit(main())
