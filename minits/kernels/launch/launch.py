"""The last step of a call on the CPU: Python that makes the outputs and jumps into the kernel.

    def launch(i0, i1):
        o0 = empty(shape0, strides0, dtype0)
        status = run(pack(i0.data_ptr(), i1.data_ptr(), o0.data_ptr(), address, 1))
        if status: raise failure(status)
        return o0

What the text names are numbers, shapes and dtypes, and a function of a built library. So `Parts`
say all of a launch, and a launch can be made of them without the kernel, in another process, too.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

import torch

from minits.kernels.launch.observers import is_recording
from minits.kernels.launch.profiled import PROFILER, recording
from minits.records import dataclass
from minits.torch_internals import empty_strided_cpu

Launch = Callable[..., Any]


class CheckFailed(RuntimeError):
    """A kernel met operands for which eager raises an error; its outputs are of no use."""


class CallRefused(RuntimeError):
    """Operators of a group raise an error for a call: it is theirs to run, which raises it."""


_NO_MEMORY = "there is no memory to keep a row of a fused kernel"


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a launch.

    `label` is what a profiler shows. `library` is the key of a built library and `entry` the name
    of a function in it; `packed` is the `struct` format of its arguments, `numbers` are the sizes
    and strides that it reads, and `namespace` has what else the text names. `arguments` are the
    expressions of the arguments, and `results` the names of what is returned.
    """

    text: str
    label: str
    library: str
    entry: str
    packed: str
    numbers: tuple[int, ...]
    namespace: dict[str, Any]
    arguments: tuple[str, ...] = ()
    results: tuple[str, ...] = ()


def launch_text(
    names: Sequence[str], lines: Sequence[str], results: Sequence[str], single: bool
) -> str:
    """Return the text of a function of these lines, which make `status` and the `results`.

    It gives a tuple of these, or the first one if `single`.
    """
    given = results[0] if single else "".join(f"{name}, " for name in results)
    ends = ["if status: raise failure(status)", f"return {given}"]
    return function_text("launch", names, [*lines, *ends])


def function_text(name: str, parameters: Sequence[str], lines: Sequence[str]) -> str:
    """Return the text of a function of these lines."""
    return "\n    ".join([f"def {name}({', '.join(parameters)}):", *lines])


def function_with(text: str, namespace: dict[str, Any]) -> Callable[..., Any]:
    """Return the function of a text, which knows a namespace."""
    return FunctionType(_code(text), namespace)


def launch_with(text: str, namespace: dict[str, Any]) -> Launch:
    """Return the function of a text; it knows a namespace and the names of all launches.

    Its own names are parameters with defaults: all launches look other names up in one dict, which
    stays in the caches of the processor when hundreds of kernels take turns.
    """
    head, _, body = text.partition("):")
    comma = "" if head.endswith("(") else ", "
    code = _code(f"{head}{comma}{', '.join(namespace)}):{body}")
    return FunctionType(code, _KNOWN, None, tuple(namespace.values()))


def launch_of(parts: Parts, entry: Any) -> Launch:
    """Return the launch for inputs of exactly the sizes and strides in `parts`.

    It remembers `parts`. `entry` is the function of the library.
    """
    numbers = (ctypes.c_longlong * len(parts.numbers))(*parts.numbers)
    namespace = {
        **parts.namespace,
        "run": entry,
        "seen": recording(parts.label),
        "pack": struct.Struct(parts.packed).pack,
        "numbers": numbers,  # kept alive by the function that has its address
        "address": ctypes.addressof(numbers),
    }
    launch = launch_with(parts.text, namespace)
    launch.__dict__["parts"] = parts
    return launch


def parts_of(launch: Launch) -> Parts | None:
    """Return the parts of a launch; None for a function that is none."""
    return getattr(launch, "parts", None)


def while_unrecorded(
    launch: Launch,
    bind: Callable[[Sequence[Any]], Launch],
    other: Launch,
    *faults: type[Exception],
) -> Launch:
    """Return a function that runs a launch while no gradients are recorded.

    At the first call that records any, `bind` gives what such calls run; where it raises one of
    these faults, `other` runs.
    """
    recorded: list[Launch] = []

    def unrecorded(*values: Any) -> Any:
        if not is_recording():
            return launch(*values)
        if not recorded:
            try:
                recorded.append(bind(values))
            except faults:
                return other(*values)
        return recorded[0](*values)

    unrecorded.__dict__["unrecorded"] = launch
    return unrecorded


def checking(run: Launch, other: Launch) -> Launch:
    """Return a function that calls `run`, and `other` where a check of the kernel fails.

    `other` runs the operators, and so raises the error that eager mode raises.
    """

    def checking(*values: Any) -> Any:
        try:
            return run(*values)
        except CheckFailed:
            return other(*values)

    checking.__dict__["checked"] = run
    return checking


def _failure(status: int) -> Exception:
    return MemoryError(_NO_MEMORY) if status & 1 else CheckFailed()


_KNOWN = {
    "empty": empty_strided_cpu,
    "threads": torch.get_num_threads,
    "failure": _failure,
    **PROFILER,
}
"""Names that the texts of all launches use."""


@lru_cache(maxsize=1024)
def _code(text: str) -> CodeType:
    """Compile a launch: those of one kernel have the same text, whatever the sizes."""
    module = compile(text, "<launch>", "exec")
    return next(constant for constant in module.co_consts if isinstance(constant, CodeType))
