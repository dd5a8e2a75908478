"""A Stream is passed on, kept in containers and tested; compiled code asks nothing of it."""

from typing import Any, Dict, Optional, Tuple

import torch


def is_stream(x: Any) -> bool:
    return isinstance(x, torch.Stream)


def program(stream: Optional[torch.Stream], n: int) -> Tuple[int, bool, bool]:
    streams: Dict[int, torch.Stream] = {}
    if stream is not None:
        streams[n] = stream
    return len(streams), n in streams, is_stream(stream) or is_stream(n)


def inputs():
    return [(torch.Stream("cpu"), 1), (None, 2)]
