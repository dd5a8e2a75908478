"""The visible effects of a step: results, arguments and warnings, in a form to be compared."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils import _pytree as pytree

from conformance.fuzz.calls.tensors import Wrapper
from minits.codegen.script_traceback import message_of
from minits.codegen.tasks import Future

REFUSED = "refused"
"""What the programs say where they raise something themselves."""


@dataclass
class Seen:
    """The effects of a step. `facts` are compared by `==`, `values` as far as rounding allows."""

    facts: dict[str, Any] = field(default_factory=dict)
    values: dict[str, list[Any]] = field(default_factory=dict)
    leaves: int = 0
    """Of how many tensors there are gradients; behind them are theirs, if these were asked for."""


Heard = tuple[Any, list[tuple[str, str]]]
"""What a run returned, and the warnings, each by its class and message."""


def warned(run: Callable[[], Any]) -> Heard:
    """Run something; return what it returns, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with _with_its_tasks():
            result = run()
    return result, [
        (x.category.__name__, _first_line(str(x.message)))
        for x in caught
        if not issubclass(x.category, DeprecationWarning)  # of what torch imports when it must
    ]


@contextlib.contextmanager
def _with_its_tasks() -> Iterator[None]:
    """End when the tasks have ended that were begun meanwhile.

    A program that raises waits for none of them; what one of them warns of later would be taken
    for a warning of the next call.
    """
    begun: list[Future] = []
    start = Future.start

    def noted(future: Future) -> None:
        begun.append(future)
        start(future)

    with patch.object(Future, "start", noted):
        try:
            yield
        finally:
            for future in begun:
                future.finish()


def unheard(run: Callable[[], Any]) -> Heard:
    """Run something in a thread: what catches warnings catches those of all threads."""
    return run(), []


def raised(error: Exception) -> str:
    """Return in a line what a call raised, without the lines of the program."""
    message = re.sub(r"\bj\d+\b", "j", _first_line(message_of(error)))
    return f"{type(error).__name__}: {message}"


FOREIGN = ("Internal error", "do not have strides", "support sizes", "has no attribute", "storage")
"""What compiled programs say where they ask something of a tensor that it does not have."""
TWICE = {"twice": "", "twice, result": "result", "twice, argument": "argument"}
"""Ways to ask for gradients of gradients, and what is changed in place between the two."""
_ALL, _FIRST, _LAST = slice(None), slice(1), slice(-1, None)
PARTS: dict[str, tuple[slice, slice, slice]] = {
    "first": (_ALL, _FIRST, slice(0)),
    "last of first": (_FIRST, _LAST, slice(0)),
    "first, last changed": (_ALL, _FIRST, _LAST),
    "last, first changed": (_ALL, _LAST, _FIRST),
    "last of last, first changed": (_LAST, _LAST, _FIRST),
}
"""Ways to ask for gradients in part: of which results, by which leaves, and the leaves that are
changed in place before."""


def is_alike(raised: str | None, other: str | None) -> bool:
    """Whether a compiled program raises what eager does.

    Where an operator fails, compiled programs have classes and messages of their own, torch.jit's:
    it slices by another operator than Python does, and every fault is a `RuntimeError`.
    """
    if raised is None or other is None or REFUSED in raised:
        return raised == other
    return not any(word in other and word not in raised for word in FOREIGN)


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def see_results(seen: Seen, result: Any, given: Sequence[Tensor]) -> list[Tensor]:
    """Note a result and how it shares memory with the tensors given; return its tensors."""
    leaves, tree = pytree.tree_flatten(result)
    tensors = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
    seen.facts["structure"] = str(tree)
    seen.facts["numbers"] = [
        f"{leaf:.3g}" if isinstance(leaf, float) else repr(leaf)
        for leaf in leaves
        if not isinstance(leaf, Tensor)
    ]
    for aspect in ASPECTS:
        seen.facts[aspect] = [_of(ASPECTS[aspect], x) for x in tensors]
    seen.facts["aliasing"] = _groups([_of(storage, x) for x in (*given, *tensors)])
    seen.facts["identity"] = _groups([id(x) for x in (*given, *tensors)])
    seen.values["values"] = [plain(x) for x in tensors]
    return tensors


def see_arguments(seen: Seen, given: Sequence[Tensor], before: Sequence[int | None]) -> None:
    """Note the arguments after the call; `before` are their versions before it."""
    after = versions(given)
    seen.facts["versions"] = [
        None if old is None or new is None else new - old
        for old, new in zip(before, after, strict=True)
    ]
    seen.values["arguments"] = [plain(x) for x in given]


def see_gradients(
    seen: Seen,
    results: Sequence[Tensor],
    leaves: Sequence[Tensor],
    how: str,
    caught: Callable[[Callable[[], Any]], Heard] = warned,
) -> None:
    """Note the gradients of results with respect to leaves."""
    of, by, changed = PARTS.get(how, (_ALL, _ALL, slice(0)))
    for leaf in leaves[changed]:
        with torch.no_grad(), contextlib.suppress(RuntimeError):  # its elements may share memory
            leaf.mul_(0.5)
    roots, leaves = [x for x in results if x.requires_grad][of], leaves[by]
    if not roots or not leaves:
        seen.facts["gradients of"] = len(roots)
        return
    try:
        made, seen.facts["warnings of gradients"] = caught(lambda: _gradients(roots, leaves, how))
    except Exception as error:
        seen.facts["gradients raise"] = raised(error)
        return
    seen.leaves = len(leaves)
    seen.facts["gradients"] = [
        None if x is None else (x.dtype, tuple(x.shape), x.layout, x.requires_grad) for x in made
    ]
    seen.values["gradient values"] = [None if x is None else plain(x) for x in made]


def _gradients(roots: Sequence[Tensor], leaves: Sequence[Tensor], how: str) -> Sequence[Any]:
    given = [_ramp(root) if how == "ramp" else torch.ones_like(root) for root in roots]
    made: Sequence[Any] = torch.autograd.grad(
        roots, leaves, given, allow_unused=True, create_graph=how in TWICE, retain_graph=True
    )
    if how not in TWICE:
        return made
    if TWICE[how]:
        with torch.no_grad():
            (roots if TWICE[how] == "result" else leaves)[0].mul_(0.5)
    again = [x.sum() for x in made if x is not None and x.requires_grad]
    if not again:
        return made
    return [*made, *torch.autograd.grad(again, leaves, allow_unused=True, retain_graph=True)]


def _ramp(root: Tensor) -> Tensor:
    steps = torch.arange(root.numel(), dtype=torch.float64) % 7 / 4 - 0.5
    return steps.view(root.shape).to(root.dtype)


def versions(tensors: Sequence[Tensor]) -> list[int | None]:
    found = [_of(lambda x: x._version, x) for x in tensors]
    return [each if isinstance(each, int) else None for each in found]


ASPECTS: dict[str, Callable[[Tensor], Any]] = {
    "type": lambda x: type(x).__name__,
    "dtype": lambda x: x.dtype,
    "device": lambda x: x.device.type,
    "layout": lambda x: x.layout,
    "shape": lambda x: tuple(map(_size, x.shape)),
    "strides": lambda x: tuple(map(_size, x.stride())) if x.layout == torch.strided else None,
    "offset": lambda x: x.storage_offset() if x.layout == torch.strided else None,
    "bits": lambda x: (x.is_conj(), x.is_neg(), x._is_zerotensor()),
    "requires_grad": lambda x: (x.requires_grad, x.is_leaf, x.grad_fn is not None),
    "inference": lambda x: x.is_inference(),
}
"""What is compared of each tensor of a result, by `==`."""


def _size(size: Any) -> Any:
    """A size; that of a jagged tensor has a number of its own."""
    return size if isinstance(size, int) else "jagged"


def _of(aspect: Callable[[Tensor], Any], tensor: Tensor) -> Any:
    try:
        return aspect(tensor)
    except (RuntimeError, NotImplementedError) as error:
        return type(error).__name__


def storage(tensor: Tensor) -> Any:
    """Return a key of a tensor's memory: views of one tensor have the same."""
    return tensor.untyped_storage()._cdata if tensor.layout == torch.strided else id(tensor)


def _groups(keys: Sequence[Any]) -> list[int]:
    """The first position of each key among the keys."""
    return [keys.index(key) for key in keys]


def plain(tensor: Tensor) -> Any:
    """Return a copy of a tensor's numbers, in a plain tensor; None where it has none."""
    if isinstance(tensor, FakeTensor) or tensor.device.type == "meta":
        return None
    with torch.no_grad():
        if isinstance(tensor, Wrapper):
            return plain(tensor.inner)
        if tensor.is_nested:
            return _parts(tensor)
        if tensor.is_quantized:
            tensor = tensor.detach().dequantize()
        if tensor.layout != torch.strided:
            is_inference = tensor.is_inference()
            with torch.inference_mode() if is_inference else contextlib.nullcontext():
                tensor = tensor.to_dense()
        if tensor._is_zerotensor():
            return torch.zeros(tensor.shape, dtype=tensor.dtype)
        tensor = tensor.as_subclass(Tensor) if type(tensor) is not Tensor else tensor
        return (
            tensor.detach()
            .resolve_conj()
            .resolve_neg()
            .clone(memory_format=torch.contiguous_format)
        )


def _parts(nested: Tensor) -> Any:
    """Return copies of a nested tensor's parts; None where these are not within its memory.

    `torch.cat` of nested tensors makes such ones.
    """
    try:
        return [plain(part) for part in nested.unbind()]
    except RuntimeError:
        return None
