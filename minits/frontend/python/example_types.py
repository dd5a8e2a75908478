"""Types of parameters from example calls.

    minits.script(repeat, example_inputs=[(torch.ones(2), 3)])     with `def repeat(x, n)`

compiles `repeat(x: Tensor, n: int)`. The program runs in Python with the examples, and all that is
called meanwhile shows the types of its arguments, but for functions of the standard library and of
installed packages. An annotation stands. A parameter that is None in some calls is Optional, one of
several types otherwise is Any.

Source: torch/jit/_monkeytype_config.py, torch/jit/_script.py (`_script_impl`).
Differs: torch asks MonkeyType, and compiles without the examples where that is not installed.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import torch

from minits.frontend.python.class_registry import class_types
from minits.types import types as t
from minits.types.inference import CannotInfer, infer_type
from minits.types.subtyping import optional_of
from minits.types.types import Type

Seen = dict[CodeType, dict[str, list[Type | None]]]
"""By function and parameter: the types in the calls; None is a value without one."""
_LIBRARIES = (
    *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    str(Path(torch.__file__).parent),
    str(Path(__file__).parents[2]),
)


def types_of_examples(obj: Any, examples: Any, dialect: str) -> dict[CodeType, dict[str, Type]]:
    """Run the examples, and return the types of the parameters of each function that was called.

    examples: tuples of arguments of `obj`, in a list, or lists of such by what is called. Raises
    ValueError for anything else.
    """
    calls = {obj: examples} if isinstance(examples, list) else examples
    if not isinstance(calls, dict):
        raise ValueError(
            "example_inputs is a list of tuples of arguments, or a dict of such lists by what they "
            f"are arguments of, not a {type(examples).__name__}"
        )
    seen: Seen = {}
    with _watched(seen, dialect):
        for function, inputs in calls.items():
            for arguments in inputs:
                function(*arguments)
    return {code: _united(parameters) for code, parameters in seen.items()}


@contextmanager
def _watched(seen: Seen, dialect: str) -> Iterator[None]:
    """Note the arguments of Python functions that this thread calls meanwhile."""

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code.co_filename.startswith(_LIBRARIES):
            return
        parameters = seen.setdefault(code, {})
        values: Mapping[str, Any] = frame.f_locals
        for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
            if name in values:
                parameters.setdefault(name, []).append(_type_of(values[name], dialect))

    profiler = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(profiler)


def _type_of(value: Any, dialect: str) -> Type | None:
    if type(value) is list and not value:
        return t.ListType(t.ANY)
    try:
        return infer_type(value, partial(class_types, dialect=dialect))
    except CannotInfer:
        return None


def _united(parameters: dict[str, list[Type | None]]) -> dict[str, Type]:
    """Return one type for each parameter, none for those that had a value without a type."""
    found: dict[str, Type] = {}
    for name, types in parameters.items():
        known = [each for each in dict.fromkeys(types) if each is not None]
        others = [each for each in known if each != t.NONE]
        if None in types:
            continue
        if len(known) == 1:
            found[name] = known[0]
        else:
            found[name] = optional_of(others[0]) if len(others) == 1 else t.ANY
    return found
