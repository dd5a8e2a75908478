"""The short way into a plan for the methods of one object.

The plans of a method are shared by all objects of its type (`plans.shared_plans`), and depend on
attributes of the object: flags such as `training`, dtypes and shapes of its parameters. So each
object remembers its own last call. It is found again by comparing the arguments (`guards.py`) and
these attributes, without binding the arguments and without the key of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

from torch import Tensor

from minits.kernels.launch.guards import GUARD_NAMES
from minits.kernels.launch.observers import is_observed
from minits.ops.schema import Schema
from minits.runtime.direct_calls import conditions, is_direct

if TYPE_CHECKING:
    from minits.runtime.plan import AnyPlan, Bound
    from minits.runtime.plans import Plans

Run = Callable[..., Any]


class LastCall(NamedTuple):
    """A call that may be repeated: `run(owner, *args, *defaults)`, where `matches` says so."""

    matches: Callable[[Sequence[Any], tuple[Any]], bool]
    """A predicate on the arguments of a call, and on a tuple of its object."""
    run: Run
    defaults: tuple[Any, ...]
    plan: AnyPlan
    generation: int
    """That of the plans; with another one, the plan may have been evicted."""


class DirectMethod:
    """The inline cache of a method of one object: one call, kept from its second time on."""

    def __init__(self, schema: Schema, plans: Plans) -> None:
        self.last: LastCall | None = None
        self._plans = plans
        self._is_direct = all(map(is_direct, schema.arguments[1:]))
        self._before: Bound | None = None

    def remember(self, args: tuple[Any, ...], values: Sequence[Any], bound: Bound) -> None:
        """Keep a call if the last one ran the same plan, bound to the same shapes.

        `args` are the arguments as passed, `values` all as bound to the parameters, the object
        first.
        """
        comes_again, self._before = bound is self._before, bound
        if not self._is_direct or not comes_again or bound.is_for_any_sizes or is_observed():
            return
        defaults = tuple(values[1 + len(args) :])
        is_same = all(given is value for given, value in zip(args, values[1:], strict=False))
        if not is_same or any(isinstance(each, Tensor) for each in defaults):
            return
        texts = self._plans.attributes_of(values, bound)
        if texts is None:
            return
        matches = _matcher(args, values[0], texts)
        generation = self._plans.direct.generation
        self.last = LastCall(matches, bound.run, defaults, bound.plan, generation)


def _matcher(args: Sequence[Any], owner: Any, texts: Sequence[str]) -> Callable[..., bool]:
    """Return a predicate on a call: whether arguments, process and attributes are as now.

    `texts` are expressions of `values`, of which the first is the object.
    """
    parts, own = conditions(args)
    attributes = f"({''.join(f'{text}, ' for text in texts)})"
    own["kept"] = eval(attributes, GUARD_NAMES, {"values": (owner,)})
    names = ", ".join(f"{name}=None" for name in own)
    text = f"""
def matches(args, values, {names}):
    try:
        return {" and ".join(parts)} and {attributes} == kept
    except Exception:
        return False
"""
    namespace: dict[str, Any] = {}
    exec(_code(text), GUARD_NAMES, namespace)
    made: Any = namespace["matches"]
    made.__defaults__ = tuple(own.values())
    matches: Callable[..., bool] = made
    return matches


@lru_cache(maxsize=512)
def _code(text: str) -> CodeType:
    """Compile a predicate; objects of one type have the same ones."""
    return compile(text, "<direct call>", "exec")
