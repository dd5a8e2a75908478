"""`python -m benchmarks.gpu`: fused kernels on a CUDA device.

First each pattern's results are compared with eager's. Then times are taken, of eager, torch.jit,
torch.compile and minits in turn: at sizes well past the L2 cache by CUDA events, beside the time in
which the bytes that must be moved can be copied; at small sizes by the clock, which is the cost of
a call. Figures go to benchmarks/results/gpu-<date>.json.

Exits with 1 where there is no device, or where a result is wrong.
"""

from __future__ import annotations

import argparse
import datetime
import json
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from rich import box
from rich.console import Console
from rich.table import Table

import minits
from benchmarks.patterns import PATTERNS, Pattern, load_examples

DTYPES = (torch.float32, torch.float16, torch.bfloat16)
LARGE = 1 << 26
"""Elements: 128 MiB a tensor in half precision, where L2 caches have about 50."""
SMALL = 1 << 12
CHECKED = (1 << 12, 1 << 18)
TOLERANCES = {torch.float32: 2e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}
"""Relative to the largest value. The halves: a few roundings, at each operation."""
REDUCTIONS = ("scale_mask_softmax", "residual_layer_norm")
_ELEMENTWISE_TARGET, _ROW_TARGET, _COMPILE_TARGET = 0.90, 0.80, 1 / 1.05
_COPIED = 1 << 30
_SAMPLE = 2e-3
"""Seconds that a sample should take."""

Call = Callable[[], Any]


def name_of(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def arguments_of(
    pattern: Pattern, elements: int, dtype: torch.dtype, device: str
) -> tuple[Any, ...]:
    torch.manual_seed(0)
    return pattern.arguments(elements, {"dtype": dtype, "device": device})


def call_of(function: Any, pattern: Pattern, arguments: tuple[Any, ...]) -> Call:
    """Return what is measured: a call, or a call and its backward pass."""
    if not pattern.backward:
        return lambda: function(*arguments)
    inputs = [a.detach().requires_grad_() for a in arguments]
    gradient = torch.ones_like(inputs[0])

    def both() -> Any:
        return torch.autograd.grad(function(*inputs), inputs, gradient)

    return both


# ---- Correctness -------------------------------------------------------------------------------


def difference(
    function: Any, pattern: Pattern, elements: int, dtype: torch.dtype, device: str
) -> float:
    """Return the largest difference from eager's results, relative to the largest value."""
    arguments = arguments_of(pattern, elements, dtype, device)
    expected = call_of(getattr(load_examples(), pattern.function), pattern, arguments)()
    call = call_of(function, pattern, arguments)
    worst = 0.0
    for _ in range(3):
        found = call()
        for mine, theirs in zip(_tensors(found), _tensors(expected), strict=True):
            if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
                return float("inf")
            a, b = mine.double(), theirs.double()
            scale = b.abs().amax().clamp_min(1e-30)
            worst = max(worst, ((a - b).abs() / scale).nan_to_num(nan=float("inf")).max().item())
    return worst


def _tensors(result: Any) -> list[torch.Tensor]:
    return list(result) if isinstance(result, tuple) else [result]


def wrong_patterns(patterns: list[Pattern], device: str) -> list[str]:
    """Return what does not compute what eager does: one line each."""
    wrong = []
    for pattern in patterns:
        scripted = minits.script(getattr(load_examples(), pattern.function))
        for dtype in DTYPES:
            for elements in CHECKED:
                what = f"{pattern.name}, {name_of(dtype)}, {elements} elements"
                try:
                    found = difference(scripted, pattern, elements, dtype, device)
                except Exception as fault:  # whatever it is, the table goes on
                    wrong.append(f"{what}: {type(fault).__name__}: {fault}")
                    continue
                if found > TOLERANCES[dtype]:
                    wrong.append(f"{what}: differs from eager by {found:.2g}")
    return wrong


# ---- Times -------------------------------------------------------------------------------------


def variants(pattern: Pattern, arguments: tuple[Any, ...], peers: list[str]) -> dict[str, Call]:
    """Return the calls to measure, warmed up; those that fail are left out, with a line."""
    function = getattr(load_examples(), pattern.function)
    makers: dict[str, Callable[[], Any]] = {
        "eager": lambda: function,
        "torch.jit": lambda: torch.jit.script(function),
        "torch.compile": lambda: torch.compile(function, dynamic=False),
        "minits": lambda: minits.script(function),
    }
    torch._dynamo.reset()
    calls: dict[str, Call] = {}
    for name in ("eager", *peers, "minits"):
        try:
            call = call_of(makers[name](), pattern, arguments)
            for _ in range(5):
                call()
            torch.cuda.synchronize()
            calls[name] = call
        except Exception as fault:  # a peer that cannot run a pattern has no figure
            print(f"{pattern.name}: {name} fails: {str(fault).splitlines()[0]}", file=sys.stderr)
    return calls


def device_seconds(call: Call, repeats: int) -> float:
    """Return the time between two events around some calls, by the number of calls."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(repeats):
        call()
    end.record()
    end.synchronize()
    return float(start.elapsed_time(end)) / 1e3 / repeats


def call_seconds(call: Call, repeats: int) -> float:
    """Return the time by the clock of one call, the device's work being hidden behind it."""
    torch.cuda.synchronize()
    started = time.perf_counter()
    for _ in range(repeats):
        call()
    taken = time.perf_counter() - started
    torch.cuda.synchronize()
    return taken / repeats


def measure(
    calls: dict[str, Call], rounds: int, seconds: Callable[[Call, int], float]
) -> dict[str, float]:
    """Return the median time of each call; a round has one sample of each."""
    repeats = {
        name: min(500, max(1, int(_SAMPLE / max(seconds(call, 2), 1e-7))))
        for name, call in calls.items()
    }
    samples: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            samples[name].append(seconds(call, repeats[name]))
    return {name: statistics.median(own) for name, own in samples.items()}


def copy_bandwidth(rounds: int) -> float:
    """Return the bytes that a large copy reads and writes in a second."""
    source = torch.ones(_COPIED // 4, device="cuda")
    target = torch.empty_like(source)
    found = measure({"copy": lambda: target.copy_(source)}, rounds, device_seconds)
    return 2 * _COPIED / found["copy"]


def table_row(
    pattern: Pattern, dtype: torch.dtype, elements: int, found: dict[str, float], bandwidth: float
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
    if elements < LARGE or "minits" not in found:
        return row
    row["of_copy_bandwidth"] = {name: round(ideal / own, 4) for name, own in found.items()}
    wanted = _ROW_TARGET if pattern.function in REDUCTIONS else _ELEMENTWISE_TARGET
    if not pattern.backward and row["of_copy_bandwidth"]["minits"] < wanted:
        row["missed"].append(f"{wanted:.0%} of copy bandwidth")
    if found["minits"] * _COMPILE_TARGET > found.get("torch.compile", float("inf")):
        row["missed"].append("torch.compile")
    return row


# ---- The command -------------------------------------------------------------------------------


def run(patterns: list[Pattern], rounds: int, peers: list[str], output: Path) -> int:
    """Check, measure, print a table and write the figures. Returns the exit code."""
    wrong = wrong_patterns(patterns, "cuda")
    for line in wrong:
        print(f"wrong: {line}", file=sys.stderr)
    bandwidth = copy_bandwidth(rounds)
    rows = []
    for pattern in patterns:
        for dtype in DTYPES:
            for elements, seconds in ((SMALL, call_seconds), (LARGE, device_seconds)):
                arguments = arguments_of(pattern, elements, dtype, "cuda")
                found = measure(variants(pattern, arguments, peers), rounds, seconds)
                rows.append(table_row(pattern, dtype, elements, found, bandwidth))
                del arguments
                torch.cuda.empty_cache()
    Console(width=120).print(_table(rows, peers))
    print(f"copy bandwidth {bandwidth / 1e9:.0f} GB/s on {torch.cuda.get_device_name()}")
    figures = {
        "date": datetime.date.today().isoformat(),
        "device": torch.cuda.get_device_name(),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "copy_bytes_per_second": bandwidth,
        "wrong": wrong,
        "rows": rows,
    }
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(f"written to {output}")
    return 1 if wrong else 0


def _table(rows: list[dict[str, Any]], peers: list[str]) -> Table:
    names = ["eager", *peers, "minits"]
    table = Table(box=box.SIMPLE, caption="µs (share of copy bandwidth)")
    for column in ("pattern", "dtype", "elements", *names, "misses"):
        table.add_column(column, justify="left" if column == "pattern" else "right")
    for row in rows:
        shares = row.get("of_copy_bandwidth", {})
        cells = [
            f"{row['seconds'][name] * 1e6:.1f}" + (f" ({shares[name]:.0%})" if shares else "")
            if name in row["seconds"]
            else "-"
            for name in names
        ]
        missed = ", ".join(row["missed"])
        table.add_row(row["pattern"], row["dtype"], str(row["elements"]), *cells, missed)
    return table


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", metavar="PATTERN", help="measure this one alone")
    parser.add_argument("--peers", metavar="A,B", default="torch.jit,torch.compile")
    parser.add_argument("--output", metavar="FILE", type=Path)
    options = parser.parse_args(given)
    if not torch.cuda.is_available():
        print(
            f"benchmarks.gpu needs a CUDA device, and torch {torch.__version__} finds none here",
            file=sys.stderr,
        )
        return 1
    warnings.simplefilter("ignore")
    patterns = [p for p in PATTERNS if options.only in (None, p.name, p.function)]
    peers = [name for name in options.peers.split(",") if name]
    name = f"gpu-{datetime.date.today().isoformat()}.json"
    output = options.output or Path(__file__).parent / "results" / name
    return run(patterns, options.rounds, peers, output)


if __name__ == "__main__":
    sys.exit(main())
