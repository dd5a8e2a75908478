"""Fused kernels on the CPU, against eager torch, torch.jit, torch.compile and the memory's limit.

One thread. All variants of a pattern run in turn in one process; a round is one sample of each, and
the result is the median over the rounds of eager's time by the variant's. "memcpy" is the time in
which the bytes that must be moved can be copied: no kernel is faster.
"""

from __future__ import annotations

import json
import os
import statistics
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
from benchmarks.patterns import PATTERNS, Pattern, load_examples, load_lstm

SIZES = {"1k": 1 << 10, "64k": 1 << 16, "4M": 1 << 22}
_SAMPLE = 1e-3
"""Seconds that a sample should take; a small call is repeated until it does."""

Call = Callable[[], Any]


def variants(pattern: Pattern, arguments: tuple[Any, ...], peers: list[str]) -> dict[str, Call]:
    """Return the calls to measure, by name; each is warmed up."""
    made = _compiled(getattr(load_examples(), pattern.function), peers)
    calls = {name: _call(variant, pattern, arguments) for name, variant in made.items()}
    calls["memcpy"] = _copy(pattern, arguments)
    return _warm(calls)


def lstm_variants(peers: list[str]) -> dict[str, Call]:
    """Return the calls of a custom LSTM over a sequence, without gradients."""
    module, arguments = load_lstm()

    def inference(variant: Any) -> Call:
        def call() -> Any:
            with torch.no_grad():
                return variant(*arguments)

        return call

    return _warm({name: inference(made) for name, made in _compiled(module, peers).items()})


def _compiled(program: Any, peers: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = {"eager": program, "minits": minits.script(program)}
    if "torch.jit" in peers:
        made["torch.jit"] = torch.jit.script(program)
    if "torch.compile" in peers:
        torch._dynamo.reset()
        made["torch.compile"] = torch.compile(program, dynamic=False)
    return made


def _warm(calls: dict[str, Call]) -> dict[str, Call]:
    for call in calls.values():
        for _ in range(4):
            call()
    return calls


def _call(function: Any, pattern: Pattern, arguments: tuple[Any, ...]) -> Call:
    if not pattern.backward:
        return lambda: function(*arguments)
    inputs = [a.detach().requires_grad_() for a in arguments]
    gradient = torch.randn_like(function(*arguments))

    def both() -> Any:
        return torch.autograd.grad(function(*inputs), inputs, gradient)

    return both


def _copy(pattern: Pattern, arguments: tuple[Any, ...]) -> Call:
    elements = max(a.numel() for a in arguments if isinstance(a, torch.Tensor))
    if pattern.function in ("lstm_pointwise", "gru_pointwise"):
        elements = arguments[-1].numel()
    half = torch.ones(int(pattern.bytes(elements, 4)) // 8)
    target = torch.empty_like(half)
    return lambda: target.copy_(half)


def measure(calls: dict[str, Call], rounds: int) -> dict[str, tuple[float, float]]:
    """Return (median seconds, median speed relative to eager) of each call."""
    repeats = {
        name: max(1, int(_SAMPLE / max(_seconds(call, 1), 1e-7))) for name, call in calls.items()
    }
    samples: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            samples[name].append(_seconds(call, repeats[name]))
    eager = samples["eager"]
    return {
        name: (
            statistics.median(own),
            statistics.median(theirs / mine for theirs, mine in zip(eager, own, strict=True)),
        )
        for name, own in samples.items()
    }


def _seconds(call: Call, repeats: int) -> float:
    started = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - started) / repeats


def run(rounds: int, file: str | None, peers: list[str], only: str | None) -> int:
    """Measure all patterns, print a table, and write the figures to a file if one is named."""
    warnings.simplefilter("ignore")
    os.environ.setdefault("TORCHINDUCTOR_FX_GRAPH_CACHE", "1")
    torch.set_num_threads(1)
    names = [*peers, "minits", "memcpy"]
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), caption="speed relative to eager torch")
    table.add_column("pattern", no_wrap=True)
    for column in ("size", "eager µs", *names, "target"):
        table.add_column(column, justify="right", no_wrap=True)
    results: list[dict[str, Any]] = []

    def add(name: str, size: str, calls: dict[str, Call], target: float | None) -> None:
        found = measure(calls, rounds)
        speeds = {peer: round(found[peer][1], 3) for peer in names if peer in found}
        eager = found["eager"][0]
        results.append({"pattern": name, "size": size, "eager": eager, **speeds, "target": target})
        cells = [f"{speeds[peer]:.2f}" if peer in speeds else "" for peer in names]
        table.add_row(name, size, f"{eager * 1e6:.1f}", *cells, f"{target}" if target else "")

    for pattern in PATTERNS:
        if only is not None and only not in (pattern.name, pattern.function):
            continue
        for size, elements in SIZES.items():
            torch.manual_seed(0)
            arguments = pattern.arguments(elements, {})
            add(pattern.name, size, variants(pattern, arguments, peers), _target(pattern, size))
    if only in (None, "LSTM"):
        add("custom LSTM", "1 x 64", lstm_variants(peers), None)
    console = Console()
    (console if console.is_terminal else Console(width=110)).print(table)
    if file:
        Path(file).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


def _target(pattern: Pattern, size: str) -> float | None:
    if size == "1k":
        return 1.0
    return pattern.targets[list(SIZES).index(size) - 1] if pattern.targets else None
