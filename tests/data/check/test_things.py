"""A file for a test runner."""
import torch


def test_sum():
    assert torch.ones(2).sum() == 2


def helper(x: torch.Tensor) -> torch.Tensor:
    return x + 1
