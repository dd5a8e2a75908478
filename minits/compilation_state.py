"""The state of compilation: what the programs that are compiled in one process have in common.

    STATE.functions[f]          what a Python function was compiled to, by dialect
    STATE.types[cls]            the type of a class
    STATE.unique_name(name)     a name that no other type has

All that is compiled is entered here, so that it is compiled once, that a class has one type in all
programs, and that no two types have one name. The rooms of the compiler read and write the state,
and decide what is entered. Entries of a function or class are kept in that, and go with it
(`kept.py`). They are entered by `compilation_journal.py`, which takes them back if the compilation
fails.

Source: torch/jit/_state.py, torch/jit/_recursive.py (`ConcreteTypeStore`) and the compilation unit
of Python's functions, torch/csrc/jit/python/script_init.cpp (`get_python_cu`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from minits.compilation_journal import note
from minits.kept import KeptTable
from minits.name_mangling import mangled
from minits.types import types as t
from minits.users_objects import known_info

if TYPE_CHECKING:
    from minits.diagnostics import CompileError
    from minits.types.types import Type


def _nothing_takes_over(original: Any) -> Any:
    """Raise `AssertionError`: the runtime, which reads archives, has not been imported."""
    raise AssertionError(f"a {type(original).__name__} of torch.jit without the runtime")


class CompilationState:
    """Functions, types and names. There is one in a process, `STATE`; tests may make another."""

    def __init__(self) -> None:
        self.functions: KeptTable[dict[str, Any]] = KeptTable()
        """By function: its `CompiledFunction` in each dialect."""
        self.overloads: KeptTable[dict[str, list[Any]]] = KeptTable()
        """By function: its compiled overloads in each dialect."""
        self.types: KeptTable[Type | None] = KeptTable()
        """By class; None for one that TorchScript has no type for."""
        self.dialects: KeptTable[str] = KeptTable()
        """By class: the dialect in which it was compiled, or could not be."""
        self.faults: KeptTable[CompileError] = KeptTable()
        """By class: why it could not be compiled."""
        self.torch_faults: KeptTable[CompileError] = KeptTable()
        """By class: why the torch dialect refuses it, where the extended one has compiled it."""
        self.members: KeptTable[dict[str, Any]] = KeptTable()
        """By class: its members when it was compiled."""
        self.modules: KeptTable[list[Any]] = KeptTable()
        """By class of modules: the `ModuleInfo` of each of their types, the first one first."""
        self.taken_over: KeptTable[Any] = KeptTable()
        """By module or function of torch.jit: what stands for it."""
        self.take_over: Callable[[Any], Any] = _nothing_takes_over
        """Returns what stands for such a module or function: the runtime sets it."""
        self.named_tuples: dict[str, list[t.TupleType]] = {}
        """By qualified name. Where a class is defined again, with other fields, the later one has a
        mangled name, since the name is all that tells one from another at run time."""
        self.declared_overloads: dict[str, list[Any]] = {}
        """By qualified name of a function: what torch forgets when it compiles them."""
        self.remote_functions: dict[str, Callable[..., Any] | None] = {}
        """By qualified name: what programs call on other workers; None for one made of text."""
        self._names: set[str] = set()
        self._mangled = count()
        self._warnings = count()

    def unique_name(self, name: str) -> str:
        """Return `name`, or with `___torch_mangle_N` before its last part where it is taken."""
        while name in self._names:
            name = mangled(name, next(self._mangled))
        note(partial(self._names.discard, name))
        self._names.add(name)
        return name

    def next_warning(self) -> int:
        """Return the number of a call of `warnings.warn`, by which it is shown only once."""
        return next(self._warnings)

    def clear(self) -> None:
        """Forget what was compiled: all is compiled anew, and names are free again.

        For tests. What was compiled before still runs, but knows no object of a later class: so
        overloads and remote functions, which it may ask for, and numbers of warnings stay.
        """
        for table in vars(self).values():
            if isinstance(table, KeptTable):
                table.clear()
        self.named_tuples.clear()
        self._names.clear()
        self._mangled = count()


STATE = CompilationState()


def known_class(value: Any) -> t.ClassType | None:
    """Return the class of an object of a script class or of a compiled module, None for others."""
    info = known_info(value)
    type = info.type if info is not None else getattr(value, "type", None)
    if not isinstance(type, t.ClassType):
        type = STATE.types.get(value.__class__)
    return type if isinstance(type, t.ClassType) else None
