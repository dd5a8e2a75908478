"""Time of calls of programs that are bound by calls of operators, beside torch.jit and eager.

    python -m benchmarks plain [--rounds N]

The programs (`plain_programs.py`) make views, write parts and read elements of small tensors: no
kernel saves time, so that a call costs what the calls of its operators do. Targets: 0.9 times
torch.jit's time in the median, and 1.2 at worst.
"""

from __future__ import annotations

import minits
from benchmarks.beside_torch_jit import Targets, begin, measured, report
from benchmarks.plain_programs import PROGRAMS

_TARGETS = Targets(median=0.9, most=1.2)


def run(rounds: int, only: str | None, file: str | None) -> int:
    """Print the table. Return 0 if the targets are met."""
    begin()
    rows = []
    for program, arguments in PROGRAMS:
        if only in (None, program.__name__):
            times = measured(program, minits.script(program), [(arguments, {})], rounds)
            rows.append({"program": program.__name__, **times})
    return report(rows, "program", file, _TARGETS)
