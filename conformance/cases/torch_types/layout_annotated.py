"""torch.layout and torch.memory_format name no types; only torch.dtype and torch.device do."""

import torch


def known(kind: torch.dtype, device: torch.device) -> torch.Tensor:
    return torch.zeros(1, dtype=kind, device=device)


def program(x: torch.Tensor, layout: torch.layout) -> bool:  # error
    return x.layout == layout
