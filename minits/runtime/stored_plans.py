"""Plans on disk: a plan that one process made is read by the next one.

A file has the plans of one function and one pattern of None. Its name is a hash of all that they
hang on: the program (`digest.py`), this minits, this torch and this Python, the compiler and the
processor. It lies beside the kernels, is verified before it is read as they are, and is deleted as
they are when there is too much. `MINITS_PLANS=memory` keeps plans in the process alone.

A plan is written when calls have run it, with the launches that they have found. A plan that is
read runs calls with those very keys; for other calls, and for whoever asks what was fused and why,
it is made anew and takes the place of the one that was read.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from minits.bounded_cache import BoundedCache
from minits.environment import choice
from minits.frontend.values.function import CompiledFunction
from minits.native.modes import mode
from minits.runtime.digest import Digest, digest_of, fingerprint
from minits.runtime.plan import Bound, Family, Pattern, Plan, RestoredPlan

if TYPE_CHECKING:
    from minits.runtime.stored import StoredBound, StoredFamily, StoredPlan

WORTH_WRITING = 2e-3
"""Seconds of planning from which on a plan is written."""
MOST_PLANS = 8
"""Plans that a file keeps, the newest ones, and keys of calls that it keeps of a plan."""
MOST_READ = 256
"""Patterns of None whose file is remembered, or that there is none."""


class StoredPlans:
    """The plans of one function on disk. Its user holds the lock of the function's plans."""

    def __init__(self, function: CompiledFunction) -> None:
        self._function = function
        self._families: BoundedCache[Pattern, StoredFamily | None] = BoundedCache(MOST_READ)
        self._noted: dict[int, tuple[Family, Any, Plan]] = {}
        self.has_noted = False
        """Whether there is something to write."""

    @cached_property
    def _digest(self) -> Digest | None:
        return digest_of(self._function)

    def family(self, key: Pattern) -> StoredFamily | None:
        """Return the stored family of a pattern of None, or None."""
        if not _is_on_disk():
            return None
        try:
            return self._families[key]
        except KeyError:
            return self._families.put(key, self._read(key))

    def plan(self, key: Pattern, kind: Any) -> RestoredPlan | None:
        """Return the plan that was stored for a signature."""
        family = self.family(key)
        stored = None if family is None else family.plans.get(kind)
        if stored is None or self._digest is None:
            return None
        return restored_plan(stored, self._function.name, self._digest)

    def note(self, family: Family, values: Sequence[Any], plan: Plan) -> None:
        """Note a plan that was bound for a call, to be written to disk after the call.

        It is noted at most `MOST_PLANS` times, as a file keeps no more keys of one plan.
        """
        is_worth_it = plan.seconds >= WORTH_WRITING and plan.noted < MOST_PLANS
        if family.key is not None and is_worth_it and _is_on_disk():
            plan.noted += 1
            self._noted[id(plan)] = family, family.kind_of(values), plan
            self.has_noted = True

    def write(self) -> None:
        """Write the plans that were noted. Those that cannot be written are skipped."""
        from minits.runtime.stored import NotStorable

        noted, self._noted, self.has_noted = list(self._noted.values()), {}, False
        for family, kind, plan in noted:
            try:
                self._write(family, kind, plan)
            except (NotStorable, OSError):
                continue

    def _write(self, family: Family, kind: Any, plan: Plan) -> None:
        from minits.kernels.cpu.cache import note_built
        from minits.kernels.cpu.libraries import store
        from minits.runtime.stored import StoredFamily, dumps, stored_plan

        assert family.key is not None
        path = self._path(family.key)
        bound = stored_bounds(family, plan)
        if path is None or self._digest is None or not bound or any(_refused(plan)):
            return
        externals = self._digest.externals
        stored = stored_plan(plan.signature, plan.run, bound, externals)
        known = self._families.get(family.key)
        before = {} if known is None else dict(known.plans)
        plans = {**before, kind: _merged(before.pop(kind, None), stored)}
        content = StoredFamily(
            family.description, family.fuses, family.flags, family.tensors, family.attributes,
            dict(list(plans.items())[-MOST_PLANS:]),
        )  # fmt: skip
        store(path, dumps(content, externals), path.stem)
        note_built(path)
        self._families.put(family.key, content)

    def _read(self, key: Pattern) -> StoredFamily | None:
        path = self._path(key)
        if path is None or self._digest is None or not path.exists():
            return None
        from minits.kernels.cpu.cache import use
        from minits.kernels.cpu.libraries import read_whole
        from minits.runtime.stored import loads

        content = read_whole(path, path.stem)
        if content is None:
            return None
        use(path)
        try:
            found: StoredFamily = loads(content, self._digest.externals)
        except Exception:  # of whatever torch or Python no longer have: it is made anew
            return None
        return found

    def _path(self, key: Pattern) -> Path | None:
        """Return the file of a pattern; None where plans cannot be stored."""
        from minits.kernels.cpu.c_build import NoCompiler
        from minits.kernels.cpu.c_compiler import find_compiler
        from minits.kernels.cpu.cache import cache_folder

        if self._digest is None or not all(isinstance(each, bool) for each in key):
            return None
        try:
            versions = [fingerprint(), find_compiler().identity, mode()]
            parts = [self._digest.text, repr(key), *versions]
            name = hashlib.sha256("\0".join(parts).encode(errors="backslashreplace")).hexdigest()
            return cache_folder() / f"{name[:40]}.plan"
        except (NoCompiler, OSError):
            return None


def restored_plan(stored: StoredPlan, name: str, digest: Digest) -> RestoredPlan | None:
    """Return a plan of a function that was stored; None if it cannot be read."""
    from minits.runtime.stored import restored_run

    try:
        run = restored_run(stored, name, digest.externals)
    except Exception:  # as of operators that torch no longer has: it is made anew
        return None
    return RestoredPlan(stored.signature, run, dict(stored.bound))


def restored_bound(plan: RestoredPlan, key: Any) -> Bound | None:
    """Return the bound plan of a key; None if it was not stored, or its kernels no longer exist."""
    from minits.codegen.groups import group_of

    stored = plan.stored.pop(key, None)
    if stored is None:
        return None
    namespace, launches = plan.run.__globals__, {}
    for name, launch in stored.launches.items():
        group = group_of(namespace[name])
        run = None if group is None else group.restore(launch)
        if run is None:
            return None
        launches[name] = run
    if stored.is_launch:
        return Bound(next(iter(launches.values())), plan, stored.is_whole)
    if not launches:
        return Bound(plan.run, plan, stored.is_whole)
    made = FunctionType(plan.run.__code__, {**namespace, **launches})
    made.__qualname__ = plan.run.__qualname__
    return Bound(made, plan, stored.is_whole)


def stored_bounds(family: Family, plan: Plan) -> dict[Any, StoredBound]:
    """Return the stored form of the newest bound plans of `plan`, by their keys."""
    mine = [(key, bound) for key, bound in list(family.bound.items()) if bound.plan is plan]
    found = {key: _stored_bound(bound, plan) for key, bound in mine[-MOST_PLANS:]}
    return {key: stored for key, stored in found.items() if stored is not None}


def _stored_bound(bound: Bound, plan: Plan) -> StoredBound | None:
    from minits.codegen.groups import group_of
    from minits.codegen.stored_launch import stored_launch
    from minits.runtime.stored import StoredBound

    names = list(plan.run.__globals__.items())
    groups = [name for name, value in names if group_of(value) is not None]
    bound_run = inspect.unwrap(bound.run)
    if bound_run is plan.native:
        bound_run = plan.run
    is_launch = bound_run.__code__ is not plan.run.__code__
    if is_launch:
        runs = dict.fromkeys(groups, bound_run)
    else:
        namespace = bound_run.__globals__
        runs = {name: namespace[name] for name in groups if group_of(namespace[name]) is None}
    launches = {}
    for name, run in runs.items():
        launch = stored_launch(run)
        if launch is None:
            return None
        launches[name] = launch
    return StoredBound(launches, is_launch, bound.is_whole)


def _merged(before: StoredPlan | None, stored: StoredPlan) -> StoredPlan:
    """Return a plan with the keys of one that was stored earlier, if it is the same one."""
    from minits.records import replace

    if before is None or before.code != stored.code:
        return stored
    if [group.graph for group in before.groups] != [group.graph for group in stored.groups]:
        return stored
    groups = [
        replace(group, launches={**earlier.launches, **group.launches})
        for earlier, group in zip(before.groups, stored.groups, strict=True)
    ]
    bound = dict(list({**before.bound, **stored.bound}.items())[-MOST_PLANS:])
    return replace(stored, groups=groups, bound=bound)


def _refused(plan: Plan) -> list[str]:
    """Return the reasons why groups ran unfused. Plans with such groups are built again."""
    return [remark.message for group in plan.groups for remark in group.remarks()]


def _is_on_disk() -> bool:
    return choice("MINITS_PLANS", "disk", "memory") == "disk"
