"""A `prim::FusionGroup` as a Python callable: kernels where they can run, else its operators.

Its launchers are looked up by the tensors of a call (`kernels/launch_cache.py`). Where there is
none yet, the group has a kernel bound (`group_kernels.py`), or loads what an earlier process has
stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any

from minits.codegen.group_body import Body
from minits.codegen.stored_launch import StoredLaunch, load, stored_launch
from minits.kernels.cpu.background import BeingBuilt
from minits.kernels.launch.launch import CallRefused, checking, while_unrecorded
from minits.kernels.launch_cache import LaunchCache
from minits.passes.remarks import Remark

if TYPE_CHECKING:
    from minits.codegen.group_kernels import GroupKernels
    from minits.kernels.fused_kernel import FusedKernel

Run = Callable[..., Any]


class Group:
    """A fused group of a plan. `call` runs it, by the launchers in its `cache`."""

    def __init__(self, body: Body, stored: Mapping[Any, StoredLaunch] | None = None) -> None:
        self.body = body
        self.cache = LaunchCache(self, body.name, body.inputs, body.tensors, stored)
        self.call = self.cache.call
        self.call.__dict__["group"] = self

    @cached_property
    def made(self) -> GroupKernels:
        """The kernels of the group. The modules that make them are imported on first use."""
        from minits.codegen.group_kernels import GroupKernels

        return GroupKernels(self.body, self.cache)

    @property
    def unfused(self) -> Run:
        """The function that computes the group operator by operator."""
        return self.body.unfused

    def bind(self, values: Sequence[Any]) -> Run:
        """Return a launcher for inputs of exactly these shapes, strides and dtypes.

        Raises BeingBuilt while its kernel is built in the background, and CallRefused.
        """
        return self.made.bind(values)

    def kernel_for(self, values: Sequence[Any]) -> FusedKernel | None:
        """Return the kernel for inputs of these dtypes and ranks; None where they can have none."""
        return self.made.kernel_if_any(values)

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
        found = {key: stored_launch(run) for key, run in self.cache.launches.items()}
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


def group_of(value: Any) -> Group | None:
    """Return the group whose `call` this is."""
    return getattr(value, "group", None) if isinstance(value, FunctionType) else None


def groups_in(run: Run) -> list[Group]:
    """Return the groups that a generated function calls, by their numbers; a launch calls none."""
    namespace = getattr(run, "__globals__", {})
    return [group for group in map(group_of, list(namespace.values())) if group is not None]
