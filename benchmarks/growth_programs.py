"""How the programs of `python -m benchmarks growth` are written."""

from __future__ import annotations

from collections.abc import Sequence

HEADER = (
    "import torch\n"
    "from typing import Dict, Final, List, NamedTuple, Optional, Tuple, Union\n"
    "from torch import Tensor, nn\n\n\n"
)


def function(lines: Sequence[str], more: Sequence[str] = (), before: str = "") -> str:
    """Write a function of a tensor and an int.

    more: further parameters, with their defaults; before: what stands before the function.
    """
    return before + _definition("program", ["x: Tensor", "n: int", *more], lines)


def module(lines: Sequence[str], attributes: Sequence[str], members: str = "") -> str:
    """Write a module of which `forward` has these lines, and `__init__` sets these attributes.

    members: further members of the class, indented.
    """
    made = _definition("__init__", ["self"], ["super().__init__()", *attributes], "    ")
    forward = _definition("forward", ["self", "x: Tensor", "n: int"], lines, "    ")
    return f"class Program(nn.Module):\n{members}\n{made}\n{forward}\n\nprogram = Program()\n"


def _definition(
    name: str, parameters: Sequence[str], lines: Sequence[str], indent: str = ""
) -> str:
    body = "".join(f"{indent}    {line}\n" for line in lines)
    return f"{indent}def {name}({', '.join(parameters)}):\n{body}"
