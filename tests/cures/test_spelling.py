"""Types in edits are written with the names that the file has."""

import linecache

import pytest

from minits.frontend.calls.spelled_types import spelled


@pytest.mark.parametrize(
    ("imports", "annotation", "written"),
    [
        ("from typing import List", "List[int]", "List[int]"),
        ("import torch", "List[int]", "list[int]"),
        ("import torch", "Dict[str, List[Tensor]]", "dict[str, list[torch.Tensor]]"),
        ("from torch import Tensor", "Optional[Tensor]", "Tensor | None"),
        ("from typing import Optional", "Optional[Tensor]", "Optional[torch.Tensor]"),
        ("import torch", "Tuple[int, torch.Tensor]", "tuple[int, torch.Tensor]"),
    ],
)
def test_spelled(imports: str, annotation: str, written: str) -> None:
    linecache.cache["spelled.py"] = (len(imports), None, [f"{imports}\n"], "spelled.py")
    assert spelled(annotation, "spelled.py") == written
