"""Defaults of parameters: torch.jit and minits take the same ones for the same types."""

from __future__ import annotations

import linecache
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
import torch

import minits

TYPES = (
    "None", "int", "float", "bool", "str", "complex", "torch.device", "Any", "Tuple[int, int]",
    "Tuple[None, int]", "Tuple[()]", "List[int]", "List[None]", "Dict[str, int]", "Tensor",
    "torch.dtype", "torch.Generator", "torch.Size", "Optional[int]", "Optional[float]",
    "Optional[Tensor]", "Optional[torch.device]", "Optional[List[int]]", "Union[int, str]",
    "Union[float, str]", "Union[int, bool]", "Color",
)  # fmt: skip
DEFAULTS = (
    "None", "0", "1.5", "-0.0", "True", "'a'", "1j", "torch.device('cpu')", "(1, 2)", "(None, 1)",
    "torch.Size([1, 2])", "torch.strided", "Color.RED", "float('nan')",
)  # fmt: skip
SOURCE = """\
def program(p: bool, c: {type} = {default}) -> int:
    return 1
"""


class Color(Enum):
    RED = 1


def accepts(script: Any, function: Any) -> bool:
    try:
        script(function)
    except RuntimeError:
        return False
    return True


@pytest.mark.one_in(3)
@pytest.mark.parametrize("type", TYPES)
def test_defaults_of_a_type(type: str, tmp_path: Path) -> None:
    for number, default in enumerate(DEFAULTS):
        if type.startswith("Union[int") and default == "torch.strided":
            continue  # torch takes it for an int, which its type is in graphs
        path = str(tmp_path / f"defaults_{number}.py")
        source = SOURCE.format(type=type, default=default)
        linecache.cache[path] = (len(source), None, source.splitlines(True), path)
        names = {"__name__": "defaults", "torch": torch, "Color": Color}
        exec("from typing import *; from torch import Tensor", names)
        exec(compile(source, path, "exec"), names)
        function = names["program"]
        assert accepts(minits.script, function) == accepts(torch.jit.script, function), source
