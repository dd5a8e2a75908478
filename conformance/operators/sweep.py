"""Check all operators, each with some programs, in processes that may be lost."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import torch

from conformance.operators.check import Disagreement, check
from conformance.operators.programs import Program, random_program
from conformance.upstream.forks import Send, fork

CHUNK = 64
"""Operators that a process checks, if it lives."""
SILENCE = 60.0
"""Seconds after which a process is lost."""
LEFT_OUT = frozenset(
    "c10d symm_mem _c10d_functional _c10d_functional_autograd inductor _dtensor profiler "
    "static_runtime _test".split()
)
"""Namespaces of operators that need other processes, or are of torch's runtimes and tests."""
_OPERATORS_LEFT_OUT = frozenset(
    "aten::save aten::from_file aten::_print prim::Print prim::TimePoint "
    "aten::_compute_linear_combination aten::_foreach_copy aten::_make_dep_token "
    "aten::_get_cpu_capability prim::RaiseException prim::Uninitialized prim::profile "
    "prim::StaticRuntimeCopyOuts prim::profile_ivalue aten::percentFormat aten::seed "
    "aten::linalg_lstsq aten::_weight_norm_interface".split()
)
"""What has effects, or results that its arguments do not tell (some read out of bounds)."""


def schemas(pattern: str) -> list[Any]:
    """Return torch's operators that `pattern` matches, private ones last."""
    found = [
        schema
        for schema in torch._C._jit_get_all_schemas()
        if schema.name.partition("::")[0] not in LEFT_OUT
        and schema.name not in _OPERATORS_LEFT_OUT
        and re.search(pattern, str(schema))
    ]
    return sorted(found, key=lambda schema: (":_" in schema.name, str(schema)))


def sweep(pattern: str, count: int, seed: int) -> Iterator[tuple[Counter[str], str | None]]:
    """Check `count` programs of each operator; yield what became of them, and each failure."""
    waiting = schemas(pattern)
    while waiting:
        done = 0
        last: dict[str, Any] = {}
        for message in fork(partial(_work, waiting[:CHUNK], count, seed), SILENCE):
            if "end" in message:
                break
            if "done" in message:
                done += 1
            last = message
            if "count" in message:
                yield Counter(message["count"]), message.get("fault")
        if message["end"] and last.get("who") == "minits":
            yield Counter(), f"minits: {message['end']}\n{last['program']}"
        if message["end"]:
            yield Counter(lost=1), None
            done += 1
        waiting = waiting[max(done, 1) :]


def _work(schemas: list[Any], count: int, seed: int, send: Send) -> None:
    """Check operators one after the other, and send the findings: the work of a process."""
    silence()
    for schema in schemas:
        counts, fault = check_operator(schema, count, seed, send)
        send({"done": True, "count": counts, "fault": fault})


def silence() -> None:
    """Keep torch's own words from the screen."""
    torch.set_num_threads(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


def _announce(send: Send, program: Program, who: str) -> None:
    send({"who": who, "program": str(program)})


def check_operator(
    schema: Any, count: int, seed: int, send: Send = lambda message: None
) -> tuple[Counter[str], str | None]:
    """Return the counts of outcomes of an operator's programs, and the first disagreement."""
    counts: Counter[str] = Counter()
    for number in range(count):
        program = random_program(schema, Random(f"{seed} {schema} {number}"))
        if program is None:
            continue
        try:
            counts[check(program, partial(_announce, send, program))] += 1
        except Disagreement as found:
            counts["differs"] += 1
            return counts, f"{program}\n{found}"
    return counts, None
