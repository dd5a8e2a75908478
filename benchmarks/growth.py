"""Growth of planning with a program's length: `script` and the first call, against torch.jit.

Programs of 100 to 6,400 statements of eight kinds are generated, compiled and called once, each of
the two in a process of its own. The C compiler is not part of it: `CC` names one that fails at
once, so that the kernels are planned and lowered, and the groups then run unfused. The exponent k
is fitted to the times as n^k, with the least squares of their logarithms.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

SIZES = (100, 400, 1600, 6400)
SLOWEST = 60.0
"""Seconds; where a size takes longer, the larger ones are left out."""
HEADER = "import torch\nfrom typing import Dict, List\nfrom torch import Tensor, nn\n\n\n"

# ---- The programs ----------------------------------------------------------------------------


def chain(count: int) -> str:
    """Elementwise operators, each on the result of the last."""
    forms = ("torch.relu(x) + 1", "x * 2", "x.sigmoid()", "x - 0.5")
    lines = [f"x = {forms[index % 4]}" for index in range(count)]
    return _function("x: Tensor, n: int", [*lines, "return x"])


def branches(count: int) -> str:
    """`if`s, one after the other, every other one with an `else`."""
    lines: list[str] = []
    for index in range(0, count // 3, 2):
        lines += [f"if n > {index}:", "    x = x * 2 + 1"]
        lines += [f"if n > {index + 1}:", "    x = x * 2", "else:", "    x = x + 1"]
    return _function("x: Tensor, n: int", [*lines, "return x"])


def returns(count: int) -> str:
    """`if`s that return, one after the other."""
    lines: list[str] = []
    for index in range(count // 2):
        lines += [f"if n == {index}:", f"    return x + {index}"]
    return _function("x: Tensor, n: int", [*lines, "return x"])


def loops(count: int) -> str:
    """Loops, every other one with a loop in it."""
    lines: list[str] = []
    for _ in range(count // 5):
        lines += ["for i in range(n):", "    x = x + i"]
        lines += ["for i in range(n):", "    for j in range(i):", "        x = x * j"]
    return _function("x: Tensor, n: int", [*lines, "return x"])


def containers(count: int) -> str:
    """Lists and dicts that are written to and read."""
    lines = ["xs: List[Tensor] = [x]", 'table: Dict[str, Tensor] = {"a": x}']
    for index in range(count // 4):
        lines += [f"xs.append(xs[{index}] * 2)", f'table["k{index}"] = xs[-1]']
        lines += [f"xs[{index}] = x", f'x = x + table["k{index}"]']
    return _function("x: Tensor, n: int", [*lines, "return x, xs, table"])


def calls(count: int) -> str:
    """Calls of small functions, each of which is called once."""
    text = "".join(
        f"def f{index}(x: Tensor):\n    return x * {index} + 1\n\n\n" for index in range(count)
    )
    return text + _function("x: Tensor, n: int", [f"x = f{i}(x)" for i in range(count)] + _GIVES)


def modules(count: int) -> str:
    """Submodules of one class in an `nn.ModuleList`, called one after the other."""
    calls = ["for layer in self.layers:", "    x = layer(x)", "return x"]
    return _layered("nn.ModuleList([{}])", count, calls)


def sequences(count: int) -> str:
    """The same submodules in an `nn.Sequential`, which calls them."""
    return _layered("nn.Sequential(*[{}])", count, ["return self.layers(x)"])


def _layered(container: str, count: int, lines: Sequence[str]) -> str:
    layers = container.format(f"Scale(float(index)) for index in range({count})")
    body = "".join(f"        {line}\n" for line in lines)
    return f"""
class Scale(nn.Module):
    def __init__(self, factor: float):
        super().__init__()
        self.factor = factor
        self.weight = nn.Parameter(torch.ones(4), requires_grad=False)

    def forward(self, x: Tensor):
        return x * self.weight + self.factor


class Program(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {layers}

    def forward(self, x: Tensor, n: int):
{body}

program = Program()
"""


def _function(parameters: str, lines: Sequence[str]) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def program({parameters}):\n{body}"


_GIVES = ["return x"]
KINDS: dict[str, Callable[[int], str]] = {
    function.__name__: function
    for function in (chain, branches, returns, loops, containers, calls, modules, sequences)
}

# ---- Measuring -------------------------------------------------------------------------------


def measure(kind: str, count: int, peer: str) -> list[float]:
    """Return the processor's seconds of `script` and of the first call, in this process."""
    os.environ["CC"] = "false"
    warnings.simplefilter("ignore")
    import torch

    import minits

    torch.set_num_threads(1)
    script: Any = {"minits": minits.script, "torch.jit": torch.jit.script}[peer]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MINITS_CACHE"] = folder
        script(loaded(folder, "small", KINDS[kind](8)))(torch.ones(4), 2)
        program = loaded(folder, "generated", KINDS[kind](count))
        started = time.process_time()
        compiled = script(program)
        scripted = time.process_time()
        compiled(torch.ones(4), 2)
        return [scripted - started, time.process_time() - scripted]


def loaded(folder: str, name: str, text: str) -> Any:
    """Return the program of a text, as a module that is imported from a file."""
    path = Path(folder, f"{name}.py")
    path.write_text(HEADER + text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.program


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Return k of the power n^k that fits times best, by least squares of the logarithms."""
    xs, ys = [math.log(size) for size in sizes], [math.log(each) for each in seconds]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum(
        (a - x) ** 2 for a in xs
    )


def run(kinds: Sequence[str], sizes: Sequence[int]) -> int:
    """Measure the kinds of programs and print a table."""
    table = Table(
        box=box.SIMPLE, padding=(0, 1, 0, 0), caption="processor seconds: minits / torch.jit"
    )
    table.add_column("program", no_wrap=True)
    for column in (*(f"{size:,}" for size in sizes), "exponent"):
        table.add_column(column, justify="right", no_wrap=True)
    for kind in kinds:
        mine, theirs = (_sweep(kind, sizes, peer) for peer in ("minits", "torch.jit"))
        for part, name in enumerate(("script", "first call")):
            pairs = [[times[part] for times in peer] for peer in (mine, theirs)]
            table.add_row(f"{kind}, {name}", *_cells(pairs, sizes))
    Console(width=110).print(table)
    return 0


def _cells(pairs: Sequence[Sequence[float]], sizes: Sequence[int]) -> list[str]:
    cells = []
    for index in range(len(sizes)):
        known = [f"{times[index]:.3f}" if index < len(times) else "-" for times in pairs]
        cells.append(" / ".join(known))
    powers = [f"{exponent(sizes[: len(times)], times):.2f}" for times in pairs if len(times) > 1]
    return [*cells, " / ".join(powers)]


def _sweep(kind: str, sizes: Sequence[int], peer: str) -> list[list[float]]:
    """Return the times for each size, as far as these stay bearable."""
    found: list[list[float]] = []
    for size in sizes:
        command = [sys.executable, "-m", "benchmarks", "growth", "--one", f"{kind},{size},{peer}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{kind}, {size}, {peer}: {done.stderr.splitlines()[-1:]}", file=sys.stderr)
            break
        found.append(json.loads(done.stdout.splitlines()[-1]))
        if sum(found[-1]) > SLOWEST:
            break
    return found
