"""The names of a program's classes and functions in one archive.

A thing that is named is a thing that the archive must define: asking for a name notes it. Names are
those of the program, `__torch__.package.module.Name`; where two things have the same one, the later
gets a part `___torch_mangle_N` before its last: `__torch__.package.module.___torch_mangle_0.Name`.

What is named `__torch__.package.module.Name` stands in `code/__torch__/package/module.py`. torch
looks records up without regard to case, so the names of two files must not differ by that alone.

Source: torch/csrc/jit/serialization/type_name_uniquer.cpp.
"""

from __future__ import annotations

import keyword
import re

from minits.frontend.values.function import CompiledFunction
from minits.name_mangling import mangled
from minits.types import types as t
from minits.types.types import Type

Named = t.ClassType | t.TupleType | t.EnumType | CompiledFunction
_FOREIGN = re.compile(r"[^A-Za-z0-9_]")


class QualifiedNames:
    """Assigns unique names; `named` has the named objects and names, in order of first use."""

    def __init__(self) -> None:
        self.named: list[tuple[Named, str]] = []
        self._names: dict[Named, str] = {}
        self._taken: set[str] = set()
        self._spelling_of_file: dict[str, str] = {}
        self._mangled = 0

    def of(self, thing: Named) -> str:
        """Return the name of a class, NamedTuple, enum or function."""
        name = self._names.get(thing)
        if name is None:
            name = self._names[thing] = self._unique(_readable(_own_name(thing)))
            self.named.append((thing, name))
        return name

    def text(self, type: Type) -> str:
        """Return a type as an annotation (`Dict[str, __torch__.module.Point]`)."""
        match type:
            case t.ClassType() | t.EnumType():
                return self.of(type)
            case t.TupleType(elements=elements):
                if type.name is not None:
                    return self.of(type)
                return f"Tuple[{self._texts(elements)}]" if elements else "Tuple[()]"
            case t.ListType(element=element):
                return f"List[{self.text(element)}]"
            case t.OptionalType(element=element):
                return f"Optional[{self.text(element)}]"
            case t.FutureType(element=element):
                return f"Future[{self.text(element)}]"
            case t.AwaitType(element=element):
                return f"Await[{self.text(element)}]"
            case t.RRefType(element=element):
                return f"RRef[{self.text(element)}]"
            case t.DictType(key=key, value=value):
                return f"Dict[{self.text(key)}, {self.text(value)}]"
            case t.UnionType(members=members):
                return f"Union[{self._texts(members)}]"
        return type.annotation

    def _texts(self, types: tuple[Type, ...]) -> str:
        return ", ".join(map(self.text, types))

    def _unique(self, wanted: str) -> str:
        while wanted in self._taken or not self._owns_file(wanted):
            wanted = mangled(wanted, self._mangled)
            self._mangled += 1
        self._taken.add(wanted)
        return wanted

    def _owns_file(self, name: str) -> bool:
        module = name.rpartition(".")[0]
        return self._spelling_of_file.setdefault(module.casefold(), module) == module


def _own_name(thing: Named) -> str:
    if isinstance(thing, CompiledFunction):
        return thing.qualified_name
    return thing.name or ""


def _readable(name: str) -> str:
    """Return a name whose parts are identifiers: `3d.class` becomes `_3d._class`."""
    return ".".join(map(_identifier, name.split(".")))


def _identifier(part: str) -> str:
    plain = _FOREIGN.sub("_", part)
    return f"_{plain}" if not plain or plain[0].isdigit() or keyword.iskeyword(plain) else plain
