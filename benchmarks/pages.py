"""Report pages: how long they take to be written, and to be opened in chromium."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.support.browser import missing, started

PROGRAMS = """
import torch
from torch import Tensor, nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, batch_first=True), 12)

def walk(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = torch.tanh(x * 2 + i)
        if i % 3 == 0:
            x = x - 1
    return x
"""
ENCODER = ("encoder", "--input", "torch.randn(2, 4, 16)")
WALK = ("walk", "--input", "torch.randn(64)", "--input", "5000")
PAGES = (
    ("an encoder of 12 layers", ENCODER),
    ("the same with a run", (*ENCODER, "--record")),
    ("a run of 20,000 steps", (*WALK, "--record")),
)


def run(rounds: int) -> int:
    """Print medians of the browser's times; a page is written once."""
    reason = missing()
    if reason is not None:
        print(reason, file=sys.stderr)
        return 2
    table = Table("page", "written, s", "MB", "opened, s", "a step, ms")
    browsers = started()
    browser = next(browsers)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "programs.py"
        program.write_text(PROGRAMS)
        for name, (target, *given) in PAGES:
            page = Path(folder) / "page.html"
            begun = time.perf_counter()
            command = ["report", f"{program}:{target}", *given, "-o", str(page)]
            subprocess.run(
                [sys.executable, "-m", "minits", *command], check=True, capture_output=True
            )
            seconds = time.perf_counter() - begun
            opened = statistics.median(_opened(browser, page) for _ in range(rounds))
            step = f"{_step_ms(browser):.1f}" if "--record" in given else ""
            size = f"{page.stat().st_size / 1e6:.1f}"
            table.add_row(name, f"{seconds:.1f}", size, f"{opened:.2f}", step)
    next(browsers, None)  # ends it
    Console().print(table)
    return 0


def _opened(browser: Any, page: Path) -> float:
    """Open a page; return the processor time of the browser's main thread until it is there."""
    browser.get("about:blank")
    browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    before = _busy(browser)
    browser.get(page.as_uri())
    return _busy(browser) - before


def _step_ms(browser: Any, steps: int = 200) -> float:
    """Return the time of a step of the run that the page plays, drawn and all."""
    before = _busy(browser)
    browser.execute_script(
        "const { player } = program;"
        "for (let i = 0; i < arguments[0]; i++) player.move('step'), document.body.offsetTop",
        steps,
    )
    return (_busy(browser) - before) / steps * 1000


def _busy(browser: Any) -> float:
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")
