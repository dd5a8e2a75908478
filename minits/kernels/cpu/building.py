"""Building functions of CPU kernels: several as one library, now or in the background.

What is in the user's cache is loaded at once. What is not is built, and the call waits for it, or,
under `MINITS_BUILD=background`, is told that it is being built and goes on without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from minits.kernels.cpu.background import BACKGROUND, builds_in_background
from minits.kernels.cpu.c_build import build, entry_of, is_built
from minits.kernels.cpu.c_compiler import find_compiler, without_comments
from minits.kernels.cpu.c_printer import complete, print_function
from minits.kernels.ir.kernel import Kernel
from minits.kernels.lowering.result import Lowered
from minits.records import dataclass

if TYPE_CHECKING:
    from minits.kernels.cpu.cpu_kernel import CpuKernel

NUMBER = "{number}"
"""Stands in a text for the number that tells the functions of a library apart."""
Variant = tuple[bool, tuple[tuple[int, bool], ...]]
"""A function of a kernel: (for short rows or for others, with which sums)."""


class Entry(NamedTuple):
    """A function of a built library: what to call, the library's key and the function's name."""

    function: Any
    library: str
    name: str


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """A function of a kernel that is not built yet."""

    kernel: CpuKernel
    variant: Variant
    lowered: Lowered

    @property
    def is_being_built(self) -> bool:
        job = self.kernel.jobs.get(self.variant)
        return job is not None and not job.is_lost

    def text(self) -> str:
        """Return its text, and the function that calls it; NUMBER stands in the names of both."""
        is_short, sums = self.variant
        kernel, layout = self.kernel.kernel, self.kernel.layout
        name = f"kernel_{NUMBER}"
        return f"{print_function(kernel, layout, name, is_short, sums)}\n{self._entry(name)}"

    def _entry(self, name: str) -> str:
        """Return a function that takes the arguments of the kernel's in one row of memory.

        Handing over one argument from Python costs less than handing over many. A tensor of which
        the kernel reads several parts is handed over once. Where the pointer to the geometry's
        numbers is zero, they are behind all else.
        """
        kernel, sums = self.kernel.kernel, len(self.variant[1])
        tensors = tensors_of(self.lowered)
        rest = ["void *"] * len(kernel.outputs)
        rest += ["long long *", *number_types(kernel), "long long", *["void *"] * sums]
        slots = [("void *", tensors.index(source.index)) for source in self.lowered.sources]
        slots += [(type, slot) for slot, type in enumerate(rest, start=len(tensors))]
        given = [f"*({type} *)(arguments + {8 * slot})" for type, slot in slots]
        pointer = len(self.lowered.sources) + len(kernel.outputs)
        end = 8 * (len(tensors) + len(rest))
        body = f"    long long *numbers = {given[pointer]};\n"
        body += f"    if (!numbers) numbers = (long long *)(arguments + {end});\n"
        given[pointer] = "numbers"
        called = f"{name}_sums" if sums else name
        body += f"    return {called}({', '.join(given)});\n"
        return f"int entry_{NUMBER}(const char *arguments)\n{{\n{body}}}\n"


def request(functions: Sequence[BuildRequest]) -> None:
    """Have functions built, as one library. Raises NoCompiler; BeingBuilt if they come later."""
    waits = not builds_in_background()
    missing = [function for function in functions if not function.is_being_built]
    if missing:
        find_compiler()  # without one nothing need be printed
        library = _Library(missing)
        if waits or library.is_built():
            library.build()
        else:
            job = BACKGROUND.submit(library.build)
            for function in missing:
                function.kernel.jobs.put(function.variant, job)
    for function in functions:
        found = function.kernel.jobs.get(function.variant)
        if found is not None:
            found.result(waits)
            function.kernel.jobs.pop(function.variant, None)


class _Library:
    """Functions that are built together.

    Those of equal text, as in the equal layers of a network, are one; which line of the program a
    statement is from does not matter.
    """

    def __init__(self, functions: Sequence[BuildRequest]) -> None:
        texts: dict[str, str] = {}
        self._equal: dict[str, list[BuildRequest]] = {}
        for function in functions:
            text = function.text()
            key = without_comments(text)
            texts.setdefault(key, text)
            self._equal.setdefault(key, []).append(function)
        self._texts = [
            complete(text.replace(NUMBER, str(number)))
            for number, text in enumerate(texts.values())
        ]

    def is_built(self) -> bool:
        """Return whether loading is all that there is to do. Raises NoCompiler."""
        return is_built(*self._texts)

    def build(self) -> None:
        """Build the functions, and give them to their kernels. Raises NoCompiler."""
        library = build(*self._texts)
        for number, same in enumerate(self._equal.values()):
            name = f"entry_{number}"
            entry = Entry(entry_of(library, name), library.key, name)
            for function in same:
                function.kernel.text = self._texts[number]
                function.kernel.functions.put(function.variant, entry)


def number_types(kernel: Kernel) -> list[str]:
    """The C types of a kernel's parameters."""
    return ["double" if x.is_floating_point else "long long" for x in kernel.parameters]


def tensors_of(lowered: Lowered) -> list[int]:
    """The inputs of a group that its kernel reads."""
    return sorted({source.index for source in lowered.sources})
