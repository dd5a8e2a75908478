"""A dtype is an int: it is kept in lists and dicts, chosen, and found in them."""

from typing import Dict, List, Tuple

import torch


def widest(kinds: List[torch.dtype]) -> torch.dtype:
    found = kinds[0]
    for kind in kinds:
        found = torch.promote_types(found, kind)
    return found


def program(x: torch.Tensor, kind: torch.dtype) -> Tuple[torch.Tensor, bool, bool]:
    kinds: List[torch.dtype] = [x.dtype, torch.int16]
    kinds.append(kind)
    table: Dict[str, torch.dtype] = {"wide": widest(kinds)}
    return (
        x.to(table["wide"]),
        x.dtype in [torch.float32, torch.int8],
        torch.can_cast(kind, x.dtype),
    )


def inputs():
    return [(torch.ones(2), torch.int32), (torch.tensor([1], dtype=torch.int8), torch.complex64)]
