"""Time of parsing, compared with CPython's `ast.parse`."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
import time
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table

from minits.source import SourceFile
from minits.syntax import parse_module

TARGET = 3.0


def run(rounds: int) -> int:
    """Print medians over paired rounds."""
    folder = Path(torch.__file__).parent
    table = Table("file", "lines", "ms", "ast.parse ms", "ratio", "target")
    for path in (folder / "nn" / "functional.py", folder / "nn" / "modules" / "activation.py"):
        text = path.read_text(encoding="utf-8")
        parse_module(SourceFile(path.name, text))
        pairs = [_pair(text) for _ in range(rounds)]
        ours, theirs = (statistics.median(column) * 1e3 for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        lines = str(text.count("\n"))
        table.add_row(
            path.name, lines, f"{ours:.1f}", f"{theirs:.1f}", f"{ratio:.2f}", f"<= {TARGET}"
        )
    console = Console()
    console.print(table)
    console.print(f"a cold `import minits`: {_import_ms():.0f} ms more than an empty interpreter")
    return 0


def _pair(text: str) -> tuple[float, float]:
    first = time.perf_counter()
    parse_module(SourceFile("a.py", text))
    second = time.perf_counter()
    ast.parse(text)
    return second - first, time.perf_counter() - second


def _import_ms() -> float:
    def seconds(code: str) -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - started

    pairs = [(seconds("import minits"), seconds("pass")) for _ in range(5)]
    return statistics.median(a - b for a, b in pairs) * 1e3
