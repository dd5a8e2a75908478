"""Which tensors of a run are alive when each operator begins, seen by weak references."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode


class Watch(TorchDispatchMode):
    """Records, for each operator, the results that are alive and those that it reads.

    Tensors of one storage count as one: a view keeps the memory of its base.
    """

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.alive: list[set[int]] = []
        self.read: list[set[int]] = []
        self._results: list[tuple[int, weakref.ref[Tensor]]] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        self.names.append(str(func))
        self.alive.append({number for number, ref in self._results if ref() is not None})
        given = list(_tensors((args, kwargs)))
        self.read.append({n for each in given if (n := self.number(each)) is not None})
        result = func(*args, **(kwargs or {}))
        for each in _tensors(result):
            number = self.number(each)
            is_new = number is None and not any(_same(each, other) for other in given)
            if is_new:
                number = len(self._results)
            if number is not None:
                self._results.append((number, weakref.ref(each)))
        return result

    def number(self, tensor: Tensor) -> int | None:
        """Return the number of the result whose storage a tensor has; None for an argument."""
        for number, ref in self._results:
            known = ref()
            if known is not None and _same(known, tensor):
                return number
        return None

    def kept_too_long(self, returned: Any) -> list[str]:
        """Return, for each operator, which results were alive that nothing read any more."""
        last = {n: place for place, read in enumerate(self.read) for n in sorted(read)}
        last |= {
            n: len(self.names) for x in _tensors(returned) if (n := self.number(x)) is not None
        }
        return [
            f"result {number} at {self.names[place]}, number {place}"
            for place, alive in enumerate(self.alive)
            for number in sorted(alive)
            if last.get(number, -1) < place
        ]


def kept_too_long(call: Callable[..., Any], *arguments: Any) -> list[str]:
    """Call a function; return which results of operators lived longer than they were needed."""
    watch = Watch()
    with torch.inference_mode(), watch:
        result = call(*arguments)
    assert len(watch.names) > 1
    return watch.kept_too_long(result)


def _same(one: Tensor, other: Tensor) -> bool:
    return one.untyped_storage()._cdata == other.untyped_storage()._cdata


def _tensors(value: Any) -> Iterator[Tensor]:
    match value:
        case Tensor():
            yield value
        case list() | tuple():
            for each in value:
                yield from _tensors(each)
        case dict():
            for each in value.values():
                yield from _tensors(each)
