"""Long chains of methods with keyword arguments in any order."""

import torch


def program(x: torch.Tensor, low: float) -> torch.Tensor:
    y = (
        x.unsqueeze(dim=0)
        .expand(2, -1, -1)
        .clamp(max=4.0, min=low)
        .transpose(dim0=1, dim1=2)
        .contiguous()
        .view(size=[2, -1])
        .cumsum(dim=-1, dtype=torch.float64)
        .roll(shifts=1, dims=0)
    )
    return torch.cumsum(input=y, dim=0).narrow(dim=1, start=0, length=2).index_select(0, index=torch.tensor([1]))


def inputs():
    return [(torch.arange(6.0).view(2, 3), 0.5), (torch.arange(4).view(2, 2), 1.0), (torch.ones(1, 1), 0.0)]
