"""Several managers of one statement are entered from left to right and left from right to left."""

from typing import Any, List

import torch


@torch.jit.script
class Mark:
    def __init__(self, name: str, log: List[str]):
        self.name = name
        self.log = log

    def __enter__(self) -> str:
        self.log.append("+" + self.name)
        return self.name

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self.log.append("-" + self.name)


def program(first: str, second: str) -> List[str]:
    log: List[str] = []
    with Mark(first, log) as a, Mark(second, log) as b:
        log.append(a + b)
    with Mark("out", log):
        with Mark("in", log):
            log.append("body")
    return log


def inputs():
    return [("a", "b"), ("", "x")]
