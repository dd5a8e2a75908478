"""Aliases of operators: those that torch.jit replaces, each listed once.

`UPDATE=1 pytest tests/passes/test_normalize_ops.py` writes the aliases of rows into the pass, which
does not import them; review the difference as code.
"""

import os
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from minits.kernels.scalar_ops import SCALAR_OPS
from minits.passes import normalize_ops
from minits.passes.normalize_ops import _OF_OTHERS, _OF_ROWS, ALIASES


def aliases_of_rows() -> Iterator[tuple[str, str]]:
    """Yield each alias that a row names, and in-place ones that torch has, with what they are."""
    for row in SCALAR_OPS.values():
        for alias in row.aliases:
            assert row.aten is not None
            name = row.aten.removeprefix("aten::")
            yield alias, name
            if hasattr(torch.ops.aten, f"{alias}_"):
                yield f"{alias}_", f"{name}_"


def test_aliases_of_rows_are_those_of_the_pass() -> None:
    expected = dict(sorted(aliases_of_rows()))
    if os.environ.get("UPDATE"):
        update(expected)
    else:
        assert expected == _OF_ROWS


def update(aliases: dict[str, str]) -> None:
    path = Path(normalize_ops.__file__)
    items = ", ".join(f'"{alias}":\0"{name}"' for alias, name in aliases.items()) + ","
    table = textwrap.fill(items, 100, initial_indent="    ", subsequent_indent="    ")
    text = table.replace("\0", " ")
    found = path.read_text()
    path.write_text(re.sub(r"(?<=^_OF_ROWS = \{\n).*?(?=\n\})", text, found, 1, re.M | re.S))


def test_each_alias_stands_once() -> None:
    names = [*(alias for alias, _ in aliases_of_rows()), *_OF_OTHERS]
    assert len(names) == len(set(names))


def test_aliases_and_what_they_are_are_operators() -> None:
    registered = {schema.name for schema in torch._C._jit_get_all_schemas()}
    assert registered >= {*ALIASES, *ALIASES.values()}


def test_torch_replaces_the_same() -> None:
    """Every operator that a program can call by its name is called, by torch.jit's word."""
    replaced = {}
    for name in {s.name for s in torch._C._jit_get_all_schemas() if s.name.startswith("aten::")}:
        kind = emitted_for(name)
        if kind not in (None, name):
            replaced[name] = kind
    assert replaced.pop("aten::rsub") == "aten::sub"  # not by its name alone
    assert replaced == ALIASES


def emitted_for(name: str) -> str | None:
    """Return the kind of node that torch.jit makes of a call; None if it takes no such call."""
    for schema in torch._C._jit_get_schemas_for_operator(name):
        try:
            graph = torch.jit.CompilationUnit(calling(schema)).f.graph
        except RuntimeError:
            continue
        return next((n.kind() for n in graph.nodes() if n.kind().startswith("aten::")), None)
    return None


def calling(schema: Any) -> str:
    """Return a function that calls an overload with its own parameters."""
    parameters = ", ".join(
        f"p{i}: {argument.type.annotation_str}" for i, argument in enumerate(schema.arguments)
    )
    given = ", ".join(
        f"{argument.name}=p{i}" if argument.kwarg_only else f"p{i}"
        for i, argument in enumerate(schema.arguments)
    )
    name = schema.name.removeprefix("aten::")
    return f"def f({parameters}):\n    return torch.ops.aten.{name}({given})\n"
