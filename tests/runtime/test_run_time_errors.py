"""What a compiled function raises: a `RuntimeError`, as torch.jit does, and Python's class too."""
# ruff: noqa: UP006, UP035

from __future__ import annotations

from typing import Any, Dict, List

import pytest

import minits
from minits.ops.errors import ScriptError


def look_up(xs: List[int], d: Dict[str, int], divisor: int) -> int:
    if divisor == 7:
        raise NotImplementedError("seven")
    return xs[3] // divisor if len(xs) > 0 else d["q"]


@pytest.mark.parametrize(
    "arguments, kind, message",
    [
        (([1], {}, 1), IndexError, "list index out of range"),
        (([], {}, 1), KeyError, "KeyError: q"),
        (([1, 2, 3, 4], {}, 0), ZeroDivisionError, "division by 0"),
        (([], {}, 7), NotImplementedError, "seven"),
    ],
)
def test_faults(arguments: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        minits.script(look_up)(*arguments)
    assert isinstance(caught.value, RuntimeError) and isinstance(caught.value, ScriptError)
    assert str(caught.value) == message
    assert any(str(entry.path) == __file__ for entry in caught.traceback[1:])
