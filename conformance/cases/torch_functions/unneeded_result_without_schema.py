"""An operator whose schema was made from its C++ function is run though nobody needs its result."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    torch.ops.mkldnn._is_mkldnn_acl_supported()
    torch.ops.quantized.relu6(x)
    return x


def inputs():
    return [(torch.ones(2),)]
