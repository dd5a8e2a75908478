"""The short way into a plan whose kernels are bound to the shapes of a call's tensors.

A call's arguments are looked at once. First they are compared with those of the last call, which
takes a fraction of a microsecond (`guards.py`); failing that, with those of the last call that a
launch for any sizes ran (`kernels/cpu/any_sizes.py`), without their sizes; failing that, with
those of the last call that gave None for the same parameters; failing that, the key of the call
(`call_key.py`), which takes a microsecond for each tensor, finds what is to be run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import count
from types import CodeType
from typing import TYPE_CHECKING, Any

from torch import Tensor

from minits.bounded_cache import BoundedCache
from minits.kernels.launch.admission import ONE_IN, Admission
from minits.kernels.launch.call_key import STATE, parts_of_tensor
from minits.kernels.launch.guards import (
    are_repeated,
    guard_now,
    state_now,
    test_of,
)
from minits.kernels.launch.properties import NAMESPACE
from minits.ops.schema import Schema
from minits.types import types as t
from minits.types.int64 import MAX_INT, MIN_INT
from minits.types.subtyping import union_members
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.runtime.plan import AnyPlan, Bound

Run = Callable[..., Any]
KeyOf = Callable[[Sequence[Any]], Any]
Found = tuple[Callable[[Sequence[Any]], bool], Run, "AnyPlan"]
"""A predicate on the arguments of a call, the function to run for them, and its plan."""

MOST_CALLS = 1024
"""Exact shapes that are kept."""
MOST_KINDS = 16
"""Kinds of arguments whose calls for any sizes are kept."""
MOST_PATTERNS = 256
"""Patterns of None whose last calls are kept."""


class DirectCalls:
    """The inline cache of a function: from calls that need no conversion to bound plans.

    `last` is the entry of the last call; `any_sizes` is the entry of the last call whose launcher
    accepts any sizes. Each is replaced in one assignment, so that another thread sees either the
    old entry or the new one.
    """

    def __init__(self, schema: Schema, admission: Admission) -> None:
        self.last: Found | None = None
        self.any_sizes: Found | None = None
        self.generation = 0
        """The number of evictions: what others remember of a plan is for one generation."""
        self._turn = count().__next__
        self._admission = admission
        self._schema = schema
        self._found: BoundedCache[Any, Found] = BoundedCache(MOST_CALLS)
        self._kinds: BoundedCache[Run, Found] = BoundedCache(MOST_KINDS)
        self._patterns: BoundedCache[Any, Found] = BoundedCache(MOST_PATTERNS)

    def __len__(self) -> int:
        return len(self._found)

    def clear(self) -> None:
        self.generation += 1
        self.last = self.any_sizes = None
        self._found.clear()
        self._kinds.clear()
        self._patterns.clear()

    @cached_property
    def _keys(self) -> list[KeyOf]:
        return key_functions(self._schema)

    @cached_property
    def _pattern_of(self) -> list[KeyOf]:
        return pattern_functions(self._schema)

    def find(self, args: tuple[Any, ...]) -> Found | None:
        """Return the entry for a call unlike the last, or None. The one found becomes `last`."""
        any_sizes = self.any_sizes
        if any_sizes is not None and self._turn() % ONE_IN and any_sizes[0](args):
            return any_sizes
        if not self._found or len(args) >= len(self._keys):
            return None  # the slow way says what is wrong
        found = self._with_same_nones(args) or self._with_key(args)
        if found is not None:
            self._admission.found += 1
            self.last = found
        return found

    def _with_key(self, args: tuple[Any, ...]) -> Found | None:
        key = self._keys[len(args)](args)
        try:
            found = self._found.get(key)
        except TypeError:  # sizes that are symbols have no hash
            return None
        if found is not None and _are_tensors_repeated(args) and not found[0](args):
            found = self._found.put(key, (matcher(args), *found[1:]))
        return found

    def _with_same_nones(self, args: tuple[Any, ...]) -> Found | None:
        """Return the last call that gave None for the same parameters, if this one is like it."""
        if not self._patterns:
            return None
        found = self._patterns.get(self._pattern_of[len(args)](args))
        return found if found is not None and found[0](args) else None

    def remember(self, args: tuple[Any, ...], values: Sequence[Any], bound: Bound) -> bool:
        """Store `bound` for calls like this one, unless an argument was converted.

        Return whether it was stored. Tensors of such calls have the same dtypes and, unless `bound`
        is for any sizes, the same sizes and strides. `args` are the arguments as passed, `values`
        as bound to the parameters: converted, with defaults.
        """
        is_same = all(given is value for given, value in zip(args, values, strict=False))
        defaults = values[len(args) :]
        if not self._keys or not is_same or any(isinstance(each, Tensor) for each in defaults):
            return False
        key = self._keys[len(args)](args)
        if key is None:
            return False
        if bound.is_for_any_sizes:
            self._remember_kind(args, values, bound)
        else:
            self.last = self._found.put(key, self._entry(args, values, bound))
            if any(each is None for each in values):
                self._patterns.put(self._pattern_of[len(args)](args), self.last)
        return True

    def _remember_kind(self, args: tuple[Any, ...], values: Sequence[Any], bound: Bound) -> None:
        found = self._kinds.get(bound.run)
        if found is None or not found[0](args):
            found = self._kinds.put(bound.run, self._entry(args, values, bound))
        self.any_sizes = found
        self.last = self.last or found

    def _entry(self, args: tuple[Any, ...], values: Sequence[Any], bound: Bound) -> Found:
        run = with_defaults(bound.run, len(args), values)
        return matcher(args, bound.is_for_any_sizes), run, bound.plan


def _are_tensors_repeated(args: Sequence[Any]) -> bool:
    return are_repeated([each for each in args if isinstance(each, Tensor)])


def matcher(args: Sequence[Any], any_sizes: bool = False) -> Callable[[Sequence[Any]], bool]:
    """Return a predicate on a call's arguments: whether they, and the process, are as now.

    With `any_sizes`, sizes of tensors may differ from those of `args`.
    """
    parts, own = conditions(args, any_sizes)
    return test_of(["args"], " and ".join(parts), own)


def conditions(
    args: Sequence[Any], any_sizes: bool = False, asks_tensors: bool = True
) -> tuple[list[str], dict[str, Any]]:
    """Return expressions of `args` which say that a call is like this one, and names they use.

    Unless it `asks_tensors`, tensors may be of any kind.
    """
    parts, own = [f"len(args) == {len(args)}"], dict[str, Any]()
    tensors = []
    for index, value in enumerate(args):
        if isinstance(value, Tensor):
            tensors.append(index)
        elif value is None:
            parts.append(f"args[{index}] is None")
        else:
            own[f"class{index}"] = type(value)
            parts.append(f"type(args[{index}]) is class{index}")
            if type(value) is int:
                parts.append(f"{MIN_INT} <= args[{index}] <= {MAX_INT}")
    names = [f"args[{index}]" for index in tensors]
    if not asks_tensors:
        text, kept = state_now()
        parts += [*[f"isinstance({name}, Tensor)" for name in names], text]
        return parts, {**own, **kept}
    text, kept = guard_now(names, [args[index] for index in tensors], any_sizes)
    return [*parts, text], {**own, **kept}


def key_functions(schema: Schema) -> list[KeyOf]:
    """Return functions from `args` to the key of a call; item `n` is for `n` positional arguments.

    The list is empty where a parameter is neither a tensor nor a number. A function returns None
    for arguments that no remembered call can have.
    """
    parts = [_part(argument.type, index) for index, argument in enumerate(schema.arguments)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or any(argument.kwarg_only for argument in schema.arguments):
        return []
    return [_key_function(known[:count]) for count in range(len(known) + 1)]


def pattern_functions(schema: Schema) -> list[KeyOf]:
    """Return functions from `args` to the pattern of None; item `n` is for `n` arguments.

    A pattern is `n`, then for each Optional parameter whether its argument is None.
    """
    tests = [
        f"args[{index}] is None, " if t.NONE in union_members(argument.type) else ""
        for index, argument in enumerate(schema.arguments)
    ]
    counts = range(len(tests) + 1)
    return [eval(_code(f"lambda args: ({count}, {''.join(tests[:count])})")) for count in counts]


def _key_function(parts: Sequence[str]) -> KeyOf:
    text = f"lambda args: ({', '.join(STATE)}, {''.join(parts)})"
    key_of: KeyOf = eval(_code(text), dict(NAMESPACE))

    def key_or_none(args: Sequence[Any]) -> Any:
        try:
            return key_of(args)
        except Exception:  # no tensor, or one without strides
            return None

    return key_or_none


@lru_cache(maxsize=512)
def _code(text: str) -> CodeType:
    """Compile an expression; functions of the same types of parameters have the same ones."""
    return compile(text, "<direct call>", "eval")


def _part(type: Type, index: int) -> str | None:
    name = f"args[{index}]"
    tensor = parts_of_tensor(name)
    if type == t.TENSOR:
        return tensor
    if type == t.INT:  # one of more than 64 bits is refused by the slow way
        return f"type({name}) is int and {MIN_INT} <= {name} <= {MAX_INT} or type({name}), "
    if type in (t.FLOAT, t.BOOL):
        return f"type({name}), "
    members = union_members(type)
    if len(members) == 2 and t.NONE in members and t.TENSOR in members:
        return f"None if {name} is None else ({tensor}), "
    return None


def with_defaults(run: Callable[..., Any], given: int, values: Sequence[Any]) -> Callable[..., Any]:
    """Return a function that takes the arguments of a call and adds the rest of `values`."""
    if given == len(values):
        return run
    names = ", ".join(f"i{index}" for index in range(given))
    rest = ", ".join(f"d[{index}]" for index in range(given, len(values)))
    text = f"lambda {names}: run({', '.join(filter(None, [names, rest]))})"
    made: Callable[..., Any] = eval(_code(text), {"run": run, "d": list(values)})
    return made
