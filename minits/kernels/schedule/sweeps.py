"""Division of a kernel into sweeps over a row.

A row is swept over once for each stage of reductions and scans. What an earlier sweep has computed
is read from a buffer as long as the row if it is among those `worth_keeping`, and computed again if
not: for the softmax of x / s,

    sweep 0    kept: t = x / s         max(t)
    sweep 1    kept: e = exp(t - m)    sum(e)
    sweep 2    e / sum                 stored

A scan's operand is written to such a buffer, which is scanned at the end of the sweep: later sweeps
read the result there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from minits.kernels.ir.kernel import Kernel, Level, Scalar, stages
from minits.records import dataclass, field


@dataclass(eq=False, slots=True)
class Sweep:
    """One sweep: `values` are computed at each column, operands first.

    `reread` were kept by an earlier sweep, `kept` are for later ones. `reductions` are accumulated,
    `scans` made in buffers, `outputs` (indices) stored.
    """

    values: list[Scalar] = field(default_factory=list)
    reread: list[Scalar] = field(default_factory=list)
    kept: list[Scalar] = field(default_factory=list)
    reductions: list[Scalar] = field(default_factory=list)
    scans: list[Scalar] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)


def sweeps_of(kernel: Kernel, worth_keeping: Collection[Scalar]) -> list[Sweep]:
    """Return the sweeps, first to last; none where nothing differs within a row."""
    sweeps = _ends_of_sweeps(kernel)
    computed: dict[Scalar, Sweep] = {}
    for sweep in sweeps:
        ready = {value for value in computed if value in worth_keeping}
        ends = [*sweep.reductions, *sweep.scans]
        roots = [operand for value in ends for operand in value.operands]
        roots += [kernel.outputs[index].value for index in sweep.outputs]
        needed = _needed(roots, ready)
        for value in kernel.values:
            if value in needed and value in ready:
                sweep.reread.append(value)
                if value not in computed[value].kept:
                    computed[value].kept.append(value)
            elif value in needed:
                sweep.values.append(value)
        for value in [*sweep.values, *sweep.scans]:
            computed.setdefault(value, sweep)
    return sweeps


def _ends_of_sweeps(kernel: Kernel) -> list[Sweep]:
    """Return the sweeps, each with its reductions, scans and outputs."""
    stage = stages(kernel)
    ending = [value for value in kernel.values if value.ends_sweep]
    full = [i for i, output in enumerate(kernel.outputs) if output.value.level is Level.FULL]
    stored = {i: stage[value] + value.is_scan for i in full for value in [kernel.outputs[i].value]}
    count = 1 + max([*stored.values(), *[stage[value] for value in ending]], default=-1)
    return [
        Sweep(
            reductions=[v for v in ending if stage[v] == number and v.is_reduction],
            scans=[v for v in ending if stage[v] == number and v.is_scan],
            outputs=[index for index in full if stored[index] == number],
        )
        for number in range(count)
    ]


def _needed(roots: Iterable[Scalar], ready: Collection[Scalar]) -> set[Scalar]:
    """Return the FULL values that the roots are made of, down to those that are `ready`."""
    needed: set[Scalar] = set()
    stack = list(roots)
    while stack:
        value = stack.pop()
        if value in needed or value.level is Level.ROW:
            continue
        needed.add(value)
        if value not in ready:
            stack += value.operands
    return needed
