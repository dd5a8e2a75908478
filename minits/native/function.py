"""Native functions: their text, and calling them from Python.

function = NativeFunction(graph, "total")
function.text        the whole C text
function.build()     from the cache, if it is there
function(10)         what the graph returns; the interpreter lock is released meanwhile
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from minits.codegen.groups import Group
from minits.ir.graph import Graph
from minits.kernels.cpu.c_build import NoCompiler, build, is_built
from minits.native import torch_interface
from minits.native.calling import caller
from minits.native.elements import Kind
from minits.native.printer import printed


class NativeFunction:
    """A graph as a function in C. Making one raises `NotNative` where it cannot be.

    A call takes the graph's inputs by position, as checked by the caller. It raises what the
    program raises, and MemoryError.

    kinds: of the inputs that are tensors, in memory that the function may read and write
    call: the arguments for which it is made first: of modules, their classes are known
    is_part: its lists are the caller's own, which sees them written to
    """

    def __init__(
        self,
        graph: Graph,
        name: str,
        kinds: Sequence[Kind | None] = (),
        is_part: bool = False,
        call: Sequence[Any] | None = None,
    ) -> None:
        printer, self.text = printed(graph, name, kinds, is_part, call)
        self.graph, self.name = printer.graph, name
        self._printer = printer
        self.call: Callable[..., Any] | None = None
        """The Python function that calls the one in C, once that is built."""
        self.writes_lists = printer.writes_lists
        self.written = [i for i, each in enumerate(self.graph.inputs) if each in printer.written]
        """The inputs that are tensors and may be written to."""
        self.gives_elements = printer.gives_elements
        self.asks_python = bool(printer.questions)
        """Whether the program has what is Python's by nature (`questions.py`)."""
        self.groups: Sequence[Group] = ()
        """The fused groups of the plan, which the function calls; set before it is built."""

    @property
    def is_built(self) -> bool:
        """Return whether calls find it built. Raises NoCompiler."""
        return self.call is not None or is_built(self.text)

    def builder(self) -> Callable[[], Any]:
        """Return a function that builds the library, and keeps nothing else of this alive.

        It raises NoCompiler.
        """
        return partial(build, self.text, links=self._links())

    def build(self) -> None:
        """Build it, or load what was built before. Raises NoCompiler."""
        if self.call is None:
            printer = self._printer
            library = self.builder()()
            end = library[printer.end] if printer.has_lists else None
            entry = library[printer.name]
            self.call = caller(printer, self.name, entry, end, self.groups)

    def _links(self) -> list[str]:
        """Return the flags for torch's library, where the function calls it. Raises NoCompiler."""
        if not self._printer.is_of_tensors:
            return []
        library = torch_interface.library()
        if library is None:
            raise NoCompiler("this torch has no C interface")
        return torch_interface.link_flags(library)

    def __call__(self, *values: Any) -> Any:
        if self.call is None:
            self.build()
        assert self.call is not None
        return self.call(*values)
