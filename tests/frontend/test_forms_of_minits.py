"""Marks of minits on what is not compiled."""

from __future__ import annotations

import pytest
import torch

import minits


@minits.ignore
class Ignored:
    pass


def test_a_class_may_be_ignored() -> None:
    def program(x: torch.Tensor):
        return Ignored()

    with pytest.raises(minits.CompileError, match="Cannot instantiate class 'Ignored'"):
        minits.script(program)
