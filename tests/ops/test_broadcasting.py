"""Shapes of broadcast results are torch's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from minits.ops.broadcasting import broadcast_shapes

SHAPES = st.lists(st.lists(st.integers(0, 3), max_size=4).map(tuple), min_size=1, max_size=4)


@settings(deadline=None)
@given(SHAPES)
def test_shapes_are_those_of_torch(shapes: list[tuple[int, ...]]) -> None:
    try:
        expected = tuple(torch.broadcast_shapes(*shapes))
    except RuntimeError:
        with pytest.raises(RuntimeError, match="at non-singleton dimension"):
            broadcast_shapes(*shapes)
    else:
        assert broadcast_shapes(*shapes) == expected


def test_the_error_is_that_of_the_operator() -> None:
    with pytest.raises(RuntimeError) as expected:
        torch.ones(4, 2) + torch.ones(4, 3)
    with pytest.raises(RuntimeError) as found:
        broadcast_shapes((4, 2), (4, 3))
    assert str(found.value) == str(expected.value)


FIRST_CALL = """
import sys, torch, minits

def scaled(x: torch.Tensor, y: torch.Tensor):
    return torch.sigmoid(x * y + 1.0) * 2 + x

before = set(sys.modules)
compiled = minits.script(scaled)
compiled(torch.ones(2), torch.ones(3, 2))
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""


@pytest.mark.slow
def test_a_first_call_imports_no_library_of_symbols(tmp_path: Path) -> None:
    script = tmp_path / "first_call.py"
    script.write_text(FIRST_CALL)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    names = done.stdout.split()
    assert "minits" in names and "sympy" not in names
