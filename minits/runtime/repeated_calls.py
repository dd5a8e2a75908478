"""The short way into a plan for calls that are like the last one, whatever the plan is.

`direct_calls.py` remembers calls that are one kernel. All others, and those of methods, are
remembered here, one for a function or for each object: a call that comes again is recognised by its
arguments (`guards.py`), without binding them and without the key of the call.

The plans of a method are shared by all objects of its type (`plans.shared_plans`), and depend on
attributes of the object: flags such as `training`, dtypes and shapes of its parameters. These are
compared as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

from torch import Tensor

from minits.kernels.launch.guards import GUARD_NAMES, dense_text, guard_for
from minits.kernels.launch.observers import is_observed
from minits.ops.schema import Schema
from minits.runtime.direct_calls import conditions, is_direct

if TYPE_CHECKING:
    from minits.runtime.plan import AnyPlan, Bound
    from minits.runtime.plans import Plans

Run = Callable[..., Any]
MOST_CHANGES = 64
"""Calls that are remembered in the place of others; to make a guard takes as long as ten calls."""


class Attributes(NamedTuple):
    """Attributes of a method's object on which a plan relies, as expressions of `values`.

    `tensors` may be None as well.
    """

    flags: Sequence[str]
    tensors: Sequence[str]


class LastCall(NamedTuple):
    """A call that may be repeated: `run(*owner, *args, *defaults)`, where `matches` says so."""

    matches: Callable[[Sequence[Any], tuple[Any, ...]], bool]
    """A predicate on the arguments of a call, and on a tuple of its object, empty if none."""
    run: Run
    defaults: tuple[Any, ...]
    plan: AnyPlan
    generation: int
    """That of the plans; with another one, the plan may have been evicted."""


class RepeatedCall:
    """The inline cache of a function, or of a method of one object: one call, from its second on.

    owner: a tuple of the object, empty for a function.
    """

    def __init__(self, schema: Schema, plans: Plans, owner: tuple[Any, ...] = ()) -> None:
        self.last: LastCall | None = None
        self._plans = plans
        self._owners = len(owner)
        self._is_direct = all(map(is_direct, schema.arguments[self._owners :]))
        self._before: Bound | None = None
        self._changes = 0

    def remember(self, args: tuple[Any, ...], values: Sequence[Any], bound: Bound) -> None:
        """Keep a call if the last one ran the same plan, bound to the same shapes.

        `args` are the arguments as passed, `values` all as bound to the parameters, the object
        first.
        """
        comes_again, self._before = bound is self._before, bound
        if not self._is_direct or not comes_again or self._changes >= MOST_CHANGES:
            return
        if bound.is_for_any_sizes or is_observed():
            return
        defaults = tuple(values[self._owners + len(args) :])
        given = zip(args, values[self._owners :], strict=False)
        is_same = all(each is value for each, value in given)
        if not is_same or any(isinstance(each, Tensor) for each in defaults):
            return
        asked = self._plans.asked_of(values, bound)
        if asked is None:
            return
        self._changes += 1
        owner = tuple(values[: self._owners])
        matches = _matcher(args, owner, *asked)
        generation = self._plans.direct.generation
        self.last = LastCall(matches, bound.run, defaults, bound.plan, generation)


def _matcher(
    args: Sequence[Any], owner: tuple[Any, ...], asks_tensors: bool, attributes: Attributes
) -> Callable[..., bool]:
    """Return a predicate on a call: whether arguments, process and attributes are as now.

    Where a plan is for all tensors, it `asks_tensors` nothing.
    """
    parts, own = conditions(args, asks_tensors=asks_tensors)
    for more, kept in (_flags(owner, attributes.flags), _tensors(owner, attributes.tensors)):
        parts += more
        own.update(kept)
    names = ", ".join(f"{name}=None" for name in own)
    text = f"""
def matches(args, values, {names}):
    try:
        return {" and ".join(parts)}
    except Exception:
        return False
"""
    namespace: dict[str, Any] = {}
    exec(_code(text), GUARD_NAMES, namespace)
    made: Any = namespace["matches"]
    made.__defaults__ = tuple(own.values())
    matches: Callable[..., bool] = made
    return matches


def _flags(owner: tuple[Any, ...], texts: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Return expressions which say that flags are what they are now, and names they use."""
    if not texts:
        return [], {}
    flags = f"({''.join(f'{text}, ' for text in texts)})"
    return [f"{flags} == kept"], {"kept": eval(flags, GUARD_NAMES, {"values": owner})}


def _tensors(owner: tuple[Any, ...], reads: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Return expressions which say that attributes are tensors like those of now, or None as these.

    An object that is met again is compared by `is`: torch's guard takes each tensor once.
    """
    parts, tensors, names = list[str](), list[Tensor](), dict[int, str]()
    for read in reads:
        content = eval(read, GUARD_NAMES, {"values": owner})
        if content is None:
            parts.append(f"{read} is None")
        elif id(content) in names:
            parts.append(f"{read} is {names[id(content)]}")
        else:
            name = names[id(content)] = f"a{len(names)}"
            parts.append(dense_text(name, f"({name} := {read})"))
            tensors.append(content)
    if tensors:
        parts.append(f"attributes({', '.join(names.values())})")
    return parts, {"attributes": guard_for(tensors)} if tensors else {}


@lru_cache(maxsize=512)
def _code(text: str) -> CodeType:
    """Compile a predicate; objects of one type have the same ones."""
    return compile(text, "<repeated call>", "exec")
