"""Random histories."""

from __future__ import annotations

from random import Random

from conformance.orders.steps import (
    Change,
    Compile,
    DefaultDtype,
    History,
    Import,
    Load,
    Restore,
    Step,
)

PROGRAMS = 8
"""Of one history."""
STEPS = 40
IMPORTED = (
    "torch._dynamo torch.export torch.fx torch.distributed torch.ao.quantization torch._inductor "
    "torch.testing torch.utils.data torch.onnx torch._refs torch._decomp torch.func torch.masked "
    "torch.distributed.rpc torch.package torch.overrides torch._lazy torch.utils.checkpoint"
).split()


def draw(body: list[str], random: Random) -> History:
    """Return a history of programs of a body: all are compiled, some several times."""
    chosen = _chosen(body, random)
    compiled: list[Step] = [Compile(program) for program in chosen]
    random.shuffle(compiled)
    return (*compiled, *(_step(chosen, random) for _ in range(STEPS - len(compiled))))


def _chosen(body: list[str], random: Random) -> list[str]:
    """Return some programs; half of them are neighbours, which call each other."""
    first = random.randrange(len(body))
    near = body[max(0, first - 2 * PROGRAMS) : first + 2 * PROGRAMS]
    chosen = random.sample(near, min(PROGRAMS // 2, len(near)))
    return list(dict.fromkeys([*chosen, *random.sample(body, PROGRAMS // 2)]))


def _step(programs: list[str], random: Random) -> Step:
    program = random.choice(programs)
    kind = random.random()
    if kind < 0.50:
        dialect = "extended" if random.random() < 0.1 else "torch"
        return Compile(program, dialect, held=random.random() < 0.25)
    if kind < 0.72:
        return Change(program, random.randrange(1 << 16))
    if kind < 0.82:
        return Restore()
    if kind < 0.90:
        return Load(program)
    if kind < 0.96:
        return Import(random.choice(IMPORTED))
    return DefaultDtype(random.choice(("float32", "float32", "float64")))
