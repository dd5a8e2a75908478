"""The code files of an archive: every class and function that its objects and its code name.

Printing a definition names further things, which are printed in turn, until nothing new is named.

Source: torch/csrc/jit/serialization/export_module.cpp (`convertTypes`, `writeFiles`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minits.archive.errors import SaveError
from minits.archive.printing.constants import ConstantTable
from minits.archive.printing.source_map import MappedText, joined
from minits.archive.writing.archive_spelling import ArchiveSpelling
from minits.archive.writing.class_printer import ClassPrinter, Hooks, saved_methods
from minits.archive.writing.format_version import nodes_of
from minits.archive.writing.qualified_names import Named
from minits.frontend.values.function import CompiledFunction
from minits.ir.graph import Graph, Node
from minits.ops.native_methods import BoundFunction
from minits.types import types as t
from minits.users_objects import known_info


class ProgramPrinter:
    """Prints the code of one archive.

    modules: a compiled module of each type, from which its hooks are known.
    graphs: those that were printed.
    """

    def __init__(self, spelling: ArchiveSpelling, modules: dict[t.ClassType, Any]) -> None:
        self.spelling, self.modules = spelling, modules
        self.constants = ConstantTable(spelling)
        self.graphs: list[Graph] = []
        self._printers: dict[str, ClassPrinter] = {}
        self._texts: dict[str, list[MappedText]] = {}

    def print_all(self) -> dict[str, MappedText]:
        """Return each file by its record's name. Raises `SaveError`."""
        for thing, name in self.spelling.names.named:  # which grows
            if not is_cpp_class(thing):
                self._print(thing, name)
        return {_record(file): joined(texts) for file, texts in self._texts.items()}

    def _print(self, thing: Named, name: str) -> None:
        file, _, last = name.rpartition(".")
        hooks = self._hooks(thing)
        for function in _functions(thing, hooks):
            function.ensure_defined()
            graph = self.spelling.graph(function)
            require_exportable(graph, self.spelling)
            self.graphs.append(graph)
        printer = self._printers.setdefault(file, ClassPrinter(self.constants))
        self._texts.setdefault(file, []).append(printer.definition(thing, last, hooks))

    def _hooks(self, thing: Named) -> Hooks:
        module = self.modules.get(thing) if isinstance(thing, t.ClassType) else None
        if module is None:
            return [], []
        info = known_info(module)
        hooks: Hooks = info.hooks.compiled(info)
        return hooks


def is_cpp_class(thing: Named) -> bool:
    """Return whether torch defines a class itself, such as that of `record_function`."""
    return isinstance(thing, t.ClassType) and thing.name.startswith("__torch__.torch.classes.")


def _record(file: str) -> str:
    return f"code/{file.replace('.', '/')}.py"


def _functions(thing: Named, hooks: Hooks) -> Iterator[CompiledFunction]:
    if isinstance(thing, CompiledFunction):
        yield thing
    elif isinstance(thing, t.ClassType) and not thing.is_interface:
        yield from saved_methods(thing).values()
        for each in hooks:
            yield from each


# ---- What has no text --------------------------------------------------------------------------


def require_exportable(graph: Graph, spelling: ArchiveSpelling) -> None:
    """Raise `SaveError` if a graph has nodes that archives cannot represent."""
    for node in nodes_of(graph):
        check = _CHECKS.get(node.kind)
        if check is not None:
            check(node, spelling)


def _refuse_python_call(node: Node, spelling: ArchiveSpelling) -> None:
    raise SaveError(
        f"Could not export Python function call '{node['name']}'. Remove calls to Python functions "
        "before export. Did you forget to add @script or @script_method annotation? If this is a "
        "nn.ModuleList, add it to __constants__",
        subject=_location(node),
        fix=f"compile '{node['name']}' too, or mark it @torch.jit.unused: then calling it raises",
    )


def _refuse_remote_call(node: Node, spelling: ArchiveSpelling) -> None:
    """Raise `SaveError`: torch would write `ops.prim.rpc_sync()` without arguments."""
    raise SaveError(
        f"Could not export the remote call {node.kind}: archives do not hold what it calls",
        subject=_location(node),
        fix="make remote calls in Python, or in a function that is compiled where it runs",
    )


def _refuse_odd_attribute(node: Node, spelling: ArchiveSpelling) -> None:
    name = node["name"]
    if not spelling.is_attribute(name):
        raise SaveError(
            f"an assignment to the attribute {name!r} cannot be written",
            subject=_location(node),
            fix="give the attribute a name that is an ASCII identifier and no keyword",
        )


def _refuse_static_method(node: Node, spelling: ArchiveSpelling) -> None:
    """Raise `SaveError` for a static method of C++, which torch neither writes nor reads."""
    type = node.output.type
    if isinstance(type, t.FunctionType) and isinstance(type.function, BoundFunction):
        name = type.function.qualified_name.removeprefix("__torch__.")
        raise SaveError(
            f"the static method {name} of a C++ class cannot be saved: archives have no calls of "
            "one",
            subject=_location(node.output.uses[0].user),
            fix="register it as an operator, or as a method of objects",
        )


def _refuse(node: Node, spelling: ArchiveSpelling) -> None:
    raise SaveError(f"{node.kind} cannot be saved", subject=_location(node))


def _location(node: Node) -> str:
    if node.range is None:
        return ""
    line, column = node.range.begin
    return f"{node.range.source.filename}:{line}:{column + 1}"


_CHECKS = {
    "prim::Constant": _refuse_static_method,
    "prim::PythonOp": _refuse_python_call,
    "prim::IgnoredPythonOp": _refuse_python_call,
    "prim::Closure": _refuse,
    **dict.fromkeys(("prim::rpc_sync", "prim::rpc_async", "prim::rpc_remote"), _refuse_remote_call),
    "prim::SetAttr": _refuse_odd_attribute,
}
