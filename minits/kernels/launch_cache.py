"""The launchers of a group of operators, found by the tensors of a call.

A call looks for a launcher in this order:

    last          the guard of the last call: a fraction of a microsecond
    any_sizes     that of the last call whose launcher takes any sizes (`cpu/any_sizes.py`)
    _launches     the key of the inputs: a microsecond for each tensor
    stored        what an earlier process has stored
    group.bind    a kernel is bound to the shapes of the inputs, if they are admitted

How kernels are lowered and built, it does not know: it asks the group (`codegen/groups.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor

from minits.bounded_cache import BoundedCache
from minits.kernels.cpu.background import BeingBuilt, Job
from minits.kernels.launch.admission import ONE_IN, Admission
from minits.kernels.launch.call_key import KIND, key_of_tensors
from minits.kernels.launch.guards import (
    GUARD_NAMES,
    Guard,
    are_repeated,
    guard_text,
    never,
    remembered,
)
from minits.kernels.launch.launch import CallRefused, Launch
from minits.kernels.launch.observers import is_observed
from minits.kernels.launch.properties import ones_of
from minits.types.tensor_meta import TensorMeta, is_plain

if TYPE_CHECKING:
    from minits.kernels.cpu.any_sizes import Interface
    from minits.kernels.fused_kernel import FusedKernel

Found = tuple[Guard, Any, Launch]
"""The guard on the inputs of a call, what it does not see of that call, and the launcher."""
MOST_LAUNCHES = 256
"""Combinations of exact shapes and strides that are remembered."""
MOST_KINDS = 64
"""Kinds of inputs for which it is remembered whether a launch takes any sizes."""
MOST_KERNELS = 64
"""Kernels of a group: combinations of dtypes, devices, ranks and sizes of one."""
BUILDING = "being-built"
UNBUILDABLE = "no-compiler"


class GroupLike(Protocol):
    """A group as its launchers know it: it has them made, and can do without any."""

    @property
    def unfused(self) -> Launch:
        """The function that computes the group operator by operator."""

    def bind(self, values: Sequence[Any]) -> Launch:
        """Return a launcher for inputs of exactly these shapes. Raises BeingBuilt, CallRefused."""

    def restore(self, stored: Any) -> Launch | None:
        """Return the launcher of a stored form; None where it can no longer be loaded."""

    def kernel_for(self, values: Sequence[Any]) -> FusedKernel | None:
        """Return the kernel for inputs like these; None where they can have none."""


class LaunchCache:
    """The launchers of one group.

    `call` takes the inputs of the group and returns its output, or a tuple if there are several. It
    is generated for the group and has an inline cache: a loop that calls it with inputs like the
    last ones pays for one comparison. `tensors` are the indices of the inputs that are tensors,
    `stored` has launchers of an earlier process by their keys.
    """

    def __init__(
        self,
        group: GroupLike,
        name: str,
        inputs: int,
        tensors: Sequence[int],
        stored: Mapping[Any, Any] | None = None,
    ) -> None:
        self.kernels: BoundedCache[Any, FusedKernel] = BoundedCache(MOST_KERNELS)
        """The kernels of the group by `kind_of` its tensors."""
        self.refusals: dict[str, str] = {}
        """Reasons why the group ran unfused: message by code."""
        self.admission = Admission()
        self._job: Job | None = None
        """The build of the kernel that the last call needed."""
        self._group = group
        self._names = [f"i{index}" for index in range(inputs)]
        self._tensors = tensors
        self._key = key_of_tensors(tensors)
        self._launches: BoundedCache[Any, Found] = BoundedCache(MOST_LAUNCHES)
        self._kind = key_of_tensors(tensors, asked=KIND)
        self._for_any_sizes: BoundedCache[Any, Found | None] = BoundedCache(MOST_KINDS)
        self._stored = dict(stored or {})
        self._namespace: dict[str, Any] = {
            **GUARD_NAMES,
            "find": self._find,
            "last": _NOTHING,
            "any_sizes": _NOTHING,
            "turn": count().__next__,
        }
        self.call = self._make_call(name)

    def _make_call(self, name: str) -> Launch:
        """Build `call`. Its inline cache is one tuple, so that other threads see a whole entry."""
        given = ", ".join(self._names)
        is_like_last = guard_text([self._names[index] for index in self._tensors])
        text = (
            f"def {name}({given}):\n"
            f"    guard, then, launch = last\n"
            f"    if {is_like_last}:\n"
            f"        return launch({given})\n"
            f"    guard, then, launch = any_sizes\n"
            f"    if turn() % {ONE_IN} and {is_like_last}:\n"
            f"        return launch({given})\n"
            f"    return find({given})\n"
        )
        exec(compile(text, f"<{name}>", "exec"), self._namespace)
        made: Launch = self._namespace[name]
        return made

    def _find(self, *values: Any) -> Any:
        """Run the group for inputs that neither inline cache of `call` fits."""
        if is_observed() or (self.admission.passing and self.admission.passes(values)):
            return self._group.unfused(*values)
        if self._job is not None:
            if self._job.is_going_on:
                return self._group.unfused(*values)
            self._job = None
        key = self._key(values)
        found = self._launches.get(key)
        if found is None and key not in self._stored:
            open = self._found_for_any_sizes(values)
            if open is not None and not self.admission.comes_again(key):
                self._namespace["any_sizes"] = open
                return open[2](*values)
        return self._run_bound(key, found, values)

    def _run_bound(self, key: Any, found: Found | None, values: Sequence[Any]) -> Any:
        """Run the launcher for exactly these shapes, bound now if admitted; else the operators."""
        admission = self.admission
        if found is not None:
            admission.found += 1
            tensors = [values[index] for index in self._tensors]
            if are_repeated(tensors) and not found[0](*tensors):
                found = self._launches.put(key, (*remembered(tensors), found[2]))
        elif admission.admits(key, values):
            try:
                launch = self._take(key) or self._group.bind(values)
            except (BeingBuilt, CallRefused) as reason:
                admission.bound -= 1
                self._job = reason.job if isinstance(reason, BeingBuilt) else None
                return self._group.unfused(*values)
            found = self._launches.put(key, (*self._remembered(values), launch))
        else:
            return self._group.unfused(*values)
        self._namespace["last"] = found
        return found[2](*values)

    def _take(self, key: Any) -> Launch | None:
        """Return a launcher that an earlier process stored for this key. It is handed out once."""
        stored = self._stored.pop(key, None)
        return stored and self._group.restore(stored)

    def _remembered(self, values: Sequence[Any], any_sizes: bool = False) -> tuple[Guard, Any]:
        return remembered([values[index] for index in self._tensors], any_sizes)

    @property
    def launches(self) -> dict[Any, Launch]:
        """The launchers that calls have found, by their keys."""
        return {key: launch for key, (_, _, launch) in list(self._launches.items())}

    def launch_for(self, values: Sequence[Any]) -> Launch | None:
        """Return the launcher that a call has found for exactly these inputs, if there is one."""
        found = self._launches.get(self._key(values))
        return None if found is None else found[2]

    # ---- Any sizes -----------------------------------------------------------------------------

    def _found_for_any_sizes(self, values: Sequence[Any]) -> Found | None:
        """Return an entry with a launcher for any sizes, from the second call with such inputs on.

        None if there is no such launcher, or while a kernel is being built.
        """
        if self.is_being_built:
            return None
        kind = self._kind(values)
        if kind not in self._for_any_sizes:
            self._for_any_sizes.put(kind, _NOTHING if self._are_plain(values) else None)
            return None
        found = self._for_any_sizes.get(kind)
        if found is _NOTHING:
            run = self.bind_any_sizes(values)
            like = self._remembered(values, any_sizes=True)
            found = self._for_any_sizes.put(kind, run and (*like, run))
        return found

    def _are_plain(self, values: Sequence[Any]) -> bool:
        tensors = [values[index] for index in self._tensors]
        return all(isinstance(tensor, Tensor) and is_plain(tensor) for tensor in tensors)

    @property
    def is_being_built(self) -> bool:
        """Return whether the last call to be bound found its kernel still being compiled."""
        return BUILDING in self.refusals

    def bind_any_sizes(
        self, values: Sequence[Any], interface: Interface | None = None
    ) -> Launch | None:
        """Return a launcher for plain tensors of any sizes that are otherwise like these, or None.

        Without an interface, it takes the inputs of the group and returns what `call` does.
        """
        if self.refusals.keys() & (BUILDING, UNBUILDABLE):
            return None  # a launcher that is never used would be asked first in every call
        if any(values[index].requires_grad for index in self._tensors):
            return None
        kind = kind_of([value for value in values if isinstance(value, Tensor)])
        kernel = self.kernels.get(kind) or self._group.kernel_for(values)
        if kernel is None:
            return None
        return kernel.bind_any_sizes(
            values, interface or kernel.interface(self._names, self._other)
        )

    def _other(self, *values: Any) -> Any:
        """Run the group for inputs that the launcher for any sizes does not accept."""
        key = self._key(values)
        return self._run_bound(key, self._launches.get(key), values)


_NOTHING: Found = (never, None, never)


def kind_of(tensors: Sequence[TensorMeta | Tensor]) -> Any:
    """Return the key of a lowering: the default dtype and, by tensor, dtype, device, ones."""
    kinds = [(x.dtype, x.device, ones_of(x)) for x in tensors]
    return torch.get_default_dtype(), *kinds
