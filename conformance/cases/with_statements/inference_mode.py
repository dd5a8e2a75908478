"""inference_mode has no script class: of gradients only no_grad has one."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    with torch.inference_mode():  # error
        return x + 1
