"""The short way into a plan for calls that are like the last one, whatever the plan is.

`direct_calls.py` remembers calls that are one kernel. All others, and those of methods, are
remembered here, one for a function or for each object: a call that comes again is recognised by its
arguments (`guards.py`), without binding all of them and without the key of the call. Only what is
copied on its way into a program, or may be another value each time, is converted in each call:

    def call(args, owner):                             forward(x, state, "mean"), of a module
        if not (len(args) == 3 and isinstance(args[0], Tensor) and guard(args[0]) ...
                and type(args[1]) is c1 and type(args[2]) is str and owner[0].training == ...):
            return UNLIKE
        values = owner[0], args[0], convert1(args[1]), args[2]
        plan.hits += 1
        return run(*values)

A plan that is bound for calls of any sizes is remembered beside it: all but the sizes of its
tensors are compared, and which of them are one.

The plans of a method are shared by all objects of its type (`plans.shared_plans`), and depend on
attributes of the object: flags such as `training`, dtypes and shapes of its parameters. These are
compared as well.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import count
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn

from minits.kernels.launch.admission import ONE_IN
from minits.kernels.launch.guards import GUARD_NAMES, guard_for, layout_text
from minits.kernels.launch.observers import is_observed
from minits.ops.from_python import Converter
from minits.ops.schema import Schema
from minits.records import dataclass
from minits.runtime.arguments import argument_converter
from minits.runtime.direct_calls import conditions
from minits.runtime.hook_tables import unchanged_text
from minits.torch_internals import GLOBAL_HOOKS
from minits.types import types as t

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


class Unlike(enum.Enum):
    """The result of a call that is not like the one that is remembered."""

    UNLIKE = enum.auto()


UNLIKE = Unlike.UNLIKE


@dataclass(frozen=True, eq=False, slots=True)
class LastCall:
    """A call that may be repeated."""

    call: Callable[..., Any]
    """Takes the arguments of a call, and a tuple of its object, empty if none. It runs the plan
    and returns its result, or `UNLIKE` if the call is not like this one."""
    run: Run
    plan: AnyPlan
    generation: int
    """That of the plans; with another one, the plan may have been evicted."""

    def is_like(self, args: Sequence[Any], owner: tuple[Any, ...]) -> bool:
        """Return whether a call is like this one, without running it."""
        return self.call(args, owner, plan=_Uncounted(), run=_nothing) is not UNLIKE


class _Uncounted:
    """A plan whose calls are not counted."""

    hits = 0


def _nothing(*values: Any) -> None:
    """Run nothing."""


class RepeatedCall:
    """The inline cache of a function, or of a method of one object: one call, from its second on.

    owner: a tuple of the object, empty for a function.
    """

    def __init__(self, schema: Schema, plans: Plans, owner: tuple[Any, ...] = ()) -> None:
        self.last: LastCall | None = None
        self.any_sizes: LastCall | None = None
        self._turn = count().__next__
        self._plans = plans
        self._owners = len(owner)
        self._arguments = schema.arguments[self._owners :]
        self._before: Bound | None = None
        self._changes = 0

    @cached_property
    def _converters(self) -> list[Converter]:
        return [argument_converter(argument) for argument in self._arguments]

    def remember(self, args: tuple[Any, ...], values: Sequence[Any], bound: Bound) -> None:
        """Keep a call if the last one ran the same plan, bound to the same shapes.

        `args` are the arguments as passed, `values` all as bound to the parameters, the object
        first.
        """
        comes_again, self._before = bound is self._before, bound
        if not comes_again or self._changes >= MOST_CHANGES:
            return
        owner, bound_values = tuple(values[: self._owners]), values[self._owners :]
        if (
            is_observed()
            or any(GLOBAL_HOOKS)
            or (bound.is_for_any_sizes and self._is_known(args, owner, bound))
        ):
            return
        defaults = bound_values[len(args) :]
        converted = self._converted(args, bound_values)
        if converted is None or any(isinstance(each, Tensor) for each in defaults):
            return
        asked = self._plans.asked_of(values, bound)
        if asked is None:
            return
        self._changes += 1
        conditions = _conditions(args, owner, bound.is_for_any_sizes, *asked)
        call = _call(conditions, len(owner), len(args), converted, defaults, bound)
        last = LastCall(call, bound.run, bound.plan, self._plans.direct.generation)
        if bound.is_for_any_sizes:
            self.any_sizes = last
        else:
            self.last = last

    def for_any_sizes(self) -> LastCall | None:
        """Return the call whose plan is bound for any sizes, but of one in so many calls.

        That one is looked up: if its sizes come again, it is bound to them.
        """
        return self.any_sizes if self.any_sizes is not None and self._turn() % ONE_IN else None

    def after(self, tried: LastCall) -> LastCall | None:
        """Return the call to compare with where this one is another."""
        return None if tried is self.any_sizes else self.for_any_sizes()

    def _is_known(self, args: tuple[Any, ...], owner: tuple[Any, ...], bound: Bound) -> bool:
        known = self.any_sizes
        if known is None or known.generation != self._plans.direct.generation:
            return False
        return known.run is bound.run and known.is_like(args, owner)

    def _converted(self, args: Sequence[Any], values: Sequence[Any]) -> dict[int, Converter] | None:
        """Return the converters of arguments that are converted in each call, by their indices.

        None where an argument may be read once only, or may become something else another time.
        """
        found = {}
        for index, (given, value) in enumerate(zip(args, values, strict=False)):
            is_same = given is value
            if is_same and (given is None or isinstance(given, Tensor) or type(given) in _AS_GIVEN):
                continue
            is_object = is_same and isinstance(self._arguments[index].type, t.ClassType)
            if not (is_object or isinstance(given, _CONVERTED)):
                return None
            found[index] = self._converters[index]
        return found


_AS_GIVEN = {int, float, bool, complex, str}
"""Classes of which a parameter takes either all objects as they are, or none."""
_CONVERTED = (
    *_AS_GIVEN, list, tuple, dict, enum.Enum,
    torch.device, torch.dtype, torch.layout, torch.memory_format, torch.Generator,
)  # fmt: skip
"""Classes of arguments that may be converted twice: a generator may be read only once."""

Conditions = tuple[list[str], dict[str, Any]]
"""Expressions that are true for a call like this one, and names they use."""


def _conditions(
    args: Sequence[Any],
    owner: tuple[Any, ...],
    any_sizes: bool,
    asks_tensors: bool,
    attributes: Attributes,
) -> Conditions:
    """Return the conditions that arguments, process and attributes are as now.

    Where a plan is for all tensors, it `asks_tensors` nothing.
    """
    parts, own = conditions(args, any_sizes, asks_tensors)
    if any_sizes:
        tensors = [(index, each) for index, each in enumerate(args) if isinstance(each, Tensor)]
        parts += [layout_text(f"args[{index}]", each) for index, each in tensors]
    if any(isinstance(each, nn.Module) for each in owner):
        text, kept = unchanged_text()
        parts.append(text)
        own.update(kept)
    for more, kept in (_flags(owner, attributes.flags), _tensors(owner, attributes.tensors)):
        parts += more
        own.update(kept)
    return parts, own


def _call(
    conditions: Conditions,
    owners: int,
    given: int,
    converted: Mapping[int, Converter],
    defaults: Sequence[Any],
    bound: Bound,
) -> Callable[..., Any]:
    """Return a function of a call's arguments and object, which runs a plan if it is like this one.

    It returns `UNLIKE` where the conditions do not hold, or an argument cannot be converted.
    """
    parts, own = conditions
    own.update({f"convert{index}": convert for index, convert in converted.items()})
    own.update({f"default{index}": value for index, value in enumerate(defaults)})
    own.update(plan=bound.plan, run=bound.run, UNLIKE=UNLIKE)
    values = [f"values[{index}]" for index in range(owners)]
    values += [f"args[{index}]" for index in range(given)]
    values += [f"default{index}" for index in range(len(defaults))]
    conversions = [f"new{index} = convert{index}(args[{index}])" for index in converted]
    for index in converted:
        values[owners + index] = f"new{index}"
    names = ", ".join(f"{name}=None" for name in own)
    text = f"""
def call(args, values, {names}):
    try:
        if not ({" and ".join(parts)}):
            return UNLIKE
        {"; ".join(conversions)}
    except Exception:
        return UNLIKE
    plan.hits += 1
    return run({", ".join(values)})
"""
    namespace: dict[str, Any] = {}
    exec(_code(text), GUARD_NAMES, namespace)
    made: Any = namespace["call"]
    made.__defaults__ = tuple(own.values())
    call: Callable[..., Any] = made
    return call


def _flags(owner: tuple[Any, ...], texts: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Return expressions which say that flags are what they are now, and names they use."""
    if not texts:
        return [], {}
    flags = f"({''.join(f'{text}, ' for text in texts)})"
    return [f"{flags} == kept"], {"kept": eval(flags, GUARD_NAMES, {"values": owner})}


def _tensors(owner: tuple[Any, ...], reads: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Return expressions which say that attributes are tensors like those of now, or None as these.

    An object that is met again is compared by `is`. Of what else it is given, torch's guard says
    no where it is no tensor.
    """
    parts, tensors, names = list[str](), list[Tensor](), dict[int, str]()
    shared = SharedReads()
    for read in reads:
        content = eval(read, GUARD_NAMES, {"values": owner})
        text = shared.text(read)
        if content is None:
            parts.append(f"{text} is None")
        elif id(content) in names:
            parts.append(f"{text} is {names[id(content)]}")
        else:
            name = names[id(content)] = f"a{len(names)}"
            parts.append(f"not ({name} := {text}).is_nested")
            tensors.append(content)
    if tensors:
        parts.append(f"attributes({', '.join(names.values())})")
    return parts, {"attributes": guard_for(tensors)} if tensors else {}


class SharedReads:
    """Writes expressions that read attributes, one after the other, each object on the way once.

    values[0]._modules['a'].w    -->    (m0 := values[0]._modules['a']).w
    values[0]._modules['a'].b           m0.b
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def text(self, read: str) -> str:
        """Return the expression for the place after all that have been asked for."""
        if read.startswith("getattr("):
            return read
        holder, _, slot = read.rpartition(".")
        return f"{self._holder(holder)}.{slot}"

    def _holder(self, read: str) -> str:
        if "." not in read:
            return read
        if read in self._names:
            return self._names[read]
        text = self.text(read)
        name = self._names[read] = f"m{len(self._names)}"
        return f"({name} := {text})"


@lru_cache(maxsize=512)
def _code(text: str) -> CodeType:
    """Compile such a function; objects of one type have the same ones."""
    return compile(text, "<repeated call>", "exec")
