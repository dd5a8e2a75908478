"""Branches, loops, jumps and returns at random: the graph and the code that torch.jit makes."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import minits
from minits.ir.canonical import canonicalize
from minits.ir.printer import print_graph
from minits.ir.verifier import verify
from tests.support.control_flow import load, make_program


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(120))
def test_agrees_with_torch(seed: int, tmp_path: Path) -> None:
    program = make_program(seed, tmp_path)
    try:
        theirs = torch.jit.script(program)
    except RuntimeError:
        with pytest.raises(minits.CompileError):
            minits.script(program)
        return
    ours = minits.script(program)
    verify(ours.graph)
    expected = torch._C._jit_pass_canonicalize(theirs.graph)
    assert print_graph(canonicalize(ours.graph)) == str(expected)
    assert ours.code == theirs.code


def test_with_block_that_may_return_and_defines(tmp_path: Path) -> None:
    """torch.jit stops at an internal assertion here."""
    path = tmp_path / "with_block.py"
    path.write_text(
        "import torch\n"
        "def f(x: torch.Tensor, n: int) -> torch.Tensor:\n"
        "    with torch.no_grad():\n"
        "        if n > 1:\n"
        "            return x\n"
        "        y = x + n\n"
        "    return y * 2\n"
    )
    compiled = minits.script(load(path).f)
    verify(compiled.graph)
    x = torch.ones(2)
    assert compiled(x, 2) is x
    assert torch.equal(compiled(x, 1), torch.full((2,), 4.0))
