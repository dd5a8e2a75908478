"""Scores scaled by an attribute, an optional mask added, a softmax over the last dimension.

A model often takes a parameter that is either always given or never, such as the mask of an attention. This file writes
that down in the six ways that people try, one module each. `docs/masks.md` tells which of them torch.jit and minits
accept, and what each becomes.

    minits compile examples/masked_softmax.py --emit-ir
    minits compile examples/masked_softmax.py:CastMask --module 'CastMask(64, 8, True)' --dialect extended
"""

from typing import Final, Optional, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class UntypedMask(nn.Module):
    """No annotation, so a Tensor: the test is always true, and the default an undefined tensor.

    Old versions of torch.jit refuse it; newer ones accept it, and a call without a mask fails.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.scale = int(width / heads)

    def forward(self, scores, mask=None):
        scaled = scores / self.scale
        if mask is not None:
            scaled = scaled + mask
        return F.softmax(scaled, dim=-1)


class OptionalMask(nn.Module):
    """An Optional, refined by `is not None`. Accepted."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.scale = int(width / heads)

    def forward(self, scores: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        scaled = scores / self.scale
        if mask is not None:
            scaled = scaled + mask
        return F.softmax(scaled, dim=-1)


class FlaggedMask(nn.Module):
    """A Final flag says that the mask is there, but its type does not. Refused where it is True."""

    use_mask: Final[bool]

    def __init__(self, width: int, heads: int, use_mask: bool) -> None:
        super().__init__()
        self.scale = int(width / heads)
        self.use_mask = use_mask

    def forward(self, scores: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        scaled = scores / self.scale
        if self.use_mask:
            scaled = scaled + mask
        return F.softmax(scaled, dim=-1)


class AssertedMask(nn.Module):
    """The flag, and an assert that strips the Optional. Accepted."""

    use_mask: Final[bool]

    def __init__(self, width: int, heads: int, use_mask: bool) -> None:
        super().__init__()
        self.scale = int(width / heads)
        self.use_mask = use_mask

    def forward(self, scores: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        scaled = scores / self.scale
        if self.use_mask:
            assert mask is not None
            scaled = scaled + mask
        return F.softmax(scaled, dim=-1)


class EmptyMask(nn.Module):
    """The flag, and an empty tensor where no mask is meant. Accepted."""

    use_mask: Final[bool]

    def __init__(self, width: int, heads: int, use_mask: bool) -> None:
        super().__init__()
        self.scale = int(width / heads)
        self.use_mask = use_mask

    def forward(self, scores: Tensor, mask: Tensor = torch.empty(0)) -> Tensor:
        scaled = scores / self.scale
        if self.use_mask:
            scaled = scaled + mask
        return F.softmax(scaled, dim=-1)


class CastMask(nn.Module):
    """The flag, and a cast. Accepted in the extended dialect alone, where the cast is checked."""

    use_mask: Final[bool]

    def __init__(self, width: int, heads: int, use_mask: bool) -> None:
        super().__init__()
        self.scale = int(width / heads)
        self.use_mask = use_mask

    def forward(self, scores: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        scaled = scores / self.scale
        if self.use_mask:
            scaled = scaled + cast(Tensor, mask)
        return F.softmax(scaled, dim=-1)


untyped = UntypedMask(64, 8)
optional = OptionalMask(64, 8)
unmasked = FlaggedMask(64, 8, False)
asserted = AssertedMask(64, 8, True)
empty = EmptyMask(64, 8, True)
