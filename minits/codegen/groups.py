"""A `prim::FusionGroup` as a Python callable: kernels where they can run, else its operators.

A group looks for what to run by the key of its inputs: first among what it has found before, then
among what an earlier process has stored, and then it has a kernel bound (`group_kernels.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import count
from types import FunctionType
from typing import TYPE_CHECKING, Any

from minits.bounded_cache import BoundedCache
from minits.codegen.group_body import Body, checking
from minits.codegen.stored_launch import StoredLaunch, load, stored_launch
from minits.kernels.cpu.background import BeingBuilt
from minits.kernels.launch.admission import ONE_IN, Admission
from minits.kernels.launch.call_key import KIND, key_of_tensors, made_like
from minits.kernels.launch.guards import GUARD_NAMES, Guard, guard_for, guard_text, never
from minits.kernels.launch.launch import CallRefused, while_unrecorded
from minits.kernels.launch.observers import is_observed
from minits.passes.remarks import Remark

if TYPE_CHECKING:
    from minits.codegen.group_kernels import GroupKernels
    from minits.kernels.cpu.any_sizes import Interface

Run = Callable[..., Any]
Found = tuple[Guard, Any, Run]
"""A guard on the inputs of a call, the value of `made_like()` for that call, and its launcher."""
MOST_LAUNCHES = 256
"""Combinations of exact shapes and strides that a group remembers."""
MOST_KINDS = 64
"""Kinds of inputs for which it is remembered whether a launch takes any sizes."""


class Group:
    """A fused group of a plan: looks up, or has made, a launcher for the inputs of each call.

    `call` takes the inputs of the group and returns its output, or a tuple if there are several. It
    is generated for the group and has an inline cache: a loop that calls it with inputs like the
    last ones pays for one comparison. Inputs of other sizes run by a launcher for any sizes, if the
    kernel has one (`kernels/cpu/any_sizes.py`).
    """

    def __init__(self, body: Body, stored: Mapping[Any, StoredLaunch] | None = None) -> None:
        self.body = body
        self.admission = Admission()
        self._key = key_of_tensors(body.tensors)
        self._launches: BoundedCache[Any, Found] = BoundedCache(MOST_LAUNCHES)
        self._kind = key_of_tensors(body.tensors, asked=KIND)
        self._for_any_sizes: BoundedCache[Any, Found | None] = BoundedCache(MOST_KINDS)
        self._stored = dict(stored or {})
        self._namespace: dict[str, Any] = {
            **GUARD_NAMES,
            "find": self._find,
            "last": _NOTHING,
            "any_sizes": _NOTHING,
            "turn": count().__next__,
        }
        self.call = self._make_call()

    @cached_property
    def made(self) -> GroupKernels:
        """The kernels of the group. The modules that make them are imported on first use."""
        from minits.codegen.group_kernels import GroupKernels

        return GroupKernels(self.body)

    def _make_call(self) -> Run:
        """Build `call`. Its inline cache is one tuple, so that other threads see a whole entry."""
        names = [f"i{index}" for index in range(self.body.inputs)]
        given = ", ".join(names)
        is_like_last = guard_text([names[index] for index in self.body.tensors])
        text = (
            f"def {self.body.name}({given}):\n"
            f"    guard, made_like_then, launch = last\n"
            f"    if {is_like_last}:\n"
            f"        return launch({given})\n"
            f"    guard, made_like_then, launch = any_sizes\n"
            f"    if turn() % {ONE_IN} and {is_like_last}:\n"
            f"        return launch({given})\n"
            f"    return find({given})\n"
        )
        exec(compile(text, f"<{self.body.name}>", "exec"), self._namespace)
        made: Run = self._namespace[self.body.name]
        made.__dict__["group"] = self
        return made

    def _find(self, *values: Any) -> Any:
        """Run the group for inputs that neither inline cache of `call` fits."""
        if is_observed() or (self.admission.passing and self.admission.passes(values)):
            return self.body.unfused(*values)
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
        elif admission.admits(key, values):
            try:
                launch = self._take(key) or self.bind(values)
            except (BeingBuilt, CallRefused):
                admission.bound -= 1
                return self.body.unfused(*values)
            found = self._launches.put(key, (self._guard(values), made_like(), launch))
        else:
            return self.body.unfused(*values)
        self._namespace["last"] = found
        return found[2](*values)

    def _guard(self, values: Sequence[Any], any_sizes: bool = False) -> Guard:
        return guard_for([values[index] for index in self.body.tensors], any_sizes)

    # ---- Any sizes -----------------------------------------------------------------------------

    def _found_for_any_sizes(self, values: Sequence[Any]) -> Found | None:
        """Return an entry with a launcher for any sizes, from the second call with such inputs on.

        None if there is no such launcher, or while a kernel is being built.
        """
        if self.is_being_built:
            return None
        kind = self._kind(values)
        if kind not in self._for_any_sizes:
            self._for_any_sizes.put(kind, _NOTHING)
            return None
        found = self._for_any_sizes.get(kind)
        if found is _NOTHING:
            run = self.bind_any_sizes(values)
            guard = self._guard(values, any_sizes=True)
            found = self._for_any_sizes.put(kind, run and (guard, made_like(), run))
        return found

    @property
    def is_being_built(self) -> bool:
        """Return whether the last call to be bound found its kernel still being compiled."""
        return self._has_made and self.made.is_being_built

    def _interface(self) -> Interface:
        from minits.kernels.cpu.any_sizes import Interface

        names = [f"i{index}" for index in range(self.body.inputs)]
        outputs = range(len(self.body.graph.outputs))
        return Interface(names, outputs, self.body.is_single, self._bound_call)

    def _bound_call(self, *values: Any) -> Any:
        """Run the group for inputs that the launcher for any sizes does not accept."""
        key = self._key(values)
        return self._run_bound(key, self._launches.get(key), values)

    def bind_any_sizes(self, values: Sequence[Any]) -> Run | None:
        """Return a launcher for inputs of any sizes that are otherwise like these, or None."""
        return self.made.bind_any_sizes(values, self._interface())

    def _take(self, key: Any) -> Run | None:
        """Return a launcher that an earlier process stored for this key. It is handed out once."""
        stored = self._stored.pop(key, None)
        return stored and self.restore(stored)

    def bind(self, values: Sequence[Any]) -> Run:
        """Return a launcher for inputs of exactly these shapes, strides and dtypes.

        Raises BeingBuilt while its kernel is built in the background, and CallRefused.
        """
        return self.made.bind(values)

    def restore(self, stored: StoredLaunch) -> Run | None:
        """Return the launcher of a stored form; None where its library no longer exists."""
        launch = load(stored)
        if launch is None:
            return None
        run = launch
        if stored.is_unrecorded:
            faults = BeingBuilt, CallRefused
            run = while_unrecorded(launch, self.bind, self.body.run_unfused, *faults)
        return checking(run, self.body.run_unfused) if stored.is_checked else run

    def launches(self) -> dict[Any, StoredLaunch]:
        """Return the launchers that calls have found, in stored form, by their keys.

        Launchers that cannot be stored are left out.
        """
        found = {key: stored_launch(run) for key, (_, _, run) in list(self._launches.items())}
        return {key: stored for key, stored in found.items() if stored is not None}

    # ---- Reports -------------------------------------------------------------------------------

    def remarks(self) -> list[Remark]:
        """Return remarks on why the group ran operator by operator; none if it did not."""
        return self.made.remarks() if self._has_made else []

    def report(self) -> list[str]:
        """Return lines for people: how many kernels there are, and what was not fused."""
        return self.made.report() if self._has_made else [f"{self.body.name}: read from disk"]

    @property
    def _has_made(self) -> bool:
        return "made" in self.__dict__


_NOTHING: Found = (never, None, never)


def group_of(value: Any) -> Group | None:
    """Return the group whose `call` this is."""
    return getattr(value, "group", None) if isinstance(value, FunctionType) else None


def groups_in(run: Run) -> list[Group]:
    """Return the groups that a generated function calls, by their numbers; a launch calls none."""
    namespace = getattr(run, "__globals__", {})
    return [group for group in map(group_of, list(namespace.values())) if group is not None]
