"""The import graph of minits: rooms, arrows between them, and circles of files.

    python -m tests.support.import_graph

prints for each room its files and lines and the rooms that it imports; every arrow up, that is an
import of a room that comes later by the contracts of pyproject.toml; and every circle of files that
import each other. Imports for types are no arrows.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path

import grimp
from importlinter.api import read_configuration

LAZY = {("minits.frontend.values.function", "minits.frontend.dialects")}
"""The import by which a called function is compiled, which goes back on purpose."""

Graph = Mapping[str, set[str]]


def import_graph() -> dict[str, set[str]]:
    """Return the modules that each module of minits imports when it is loaded, or runs."""
    graph = grimp.build_graph("minits", exclude_type_checking_imports=True, cache_dir=None)
    return {
        module: {
            each
            for each in graph.find_modules_directly_imported_by(module) | named_lazily(module)
            if (module, each) not in LAZY
        }
        for module in graph.modules
    }


def named_lazily(module: str) -> set[str]:
    """Return the modules of functions that are imported when they are called (`lazily.py`)."""
    text = _text(module)
    return {
        node.args[0].value.partition(":")[0]
        for node in (ast.walk(ast.parse(text)) if "lazily(" in text else ())
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "lazily"
        and isinstance(node.args[0], ast.Constant)
    }


def room_of(module: str) -> str:
    """Return the folder of a module; the folders within large folders are rooms, too."""
    parts = module.split(".")
    depth = 3 if parts[1:2] and parts[1] in ("frontend", "archive", "kernels", "passes") else 2
    return ".".join(parts[: min(depth, max(len(parts) - 1, 1))])


def circles(graph: Graph) -> list[list[str]]:
    """Return the modules that import each other, directly or not: the largest circle first.

    Source: Tarjan, Depth-first search and linear graph algorithms, 1972.
    """
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        path.append(module)
        for other in sorted(graph[module]):
            if other not in number:
                visit(other)
            if other in path:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == number[module]:
            start = path.index(module)
            found.append(sorted(path[start:]))
            del path[start:]

    for module in sorted(graph):
        if module not in number:
            visit(module)
    return sorted((each for each in found if len(each) > 1), key=len, reverse=True)


def arrows_up(graph: Graph) -> list[tuple[str, str]]:
    """Return the imports of modules that stand above the one that imports them, by the contracts.

    What is named lazily counts, other than for `lint-imports`, which does not see it.
    """
    found: dict[tuple[str, str], None] = {}
    for floors in _contracts():
        floor = {
            module: max(
                (level for level, rooms in enumerate(floors) if _is_in(module, rooms)), default=None
            )
            for module in graph
        }
        for module, imported in sorted(graph.items()):
            for each in sorted(imported):
                here, there = floor[module], floor[each]
                if here is not None and there is not None and there < here:
                    found[module, each] = None
    return list(found)


def _contracts() -> list[list[list[str]]]:
    """Return the rooms of each contract, floor by floor, the highest first."""
    return [
        [
            [f"{prefix}{room.strip(' ()')}" for room in floor.split("|")]
            for floor in contract["layers"]
        ]
        for contract in read_configuration()["contracts_options"]
        for prefix in [f"{outer}." for outer in contract.get("containers", [])] or [""]
    ]


def _is_in(module: str, rooms: Iterable[str]) -> bool:
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


def _rows(graph: Graph) -> Iterable[str]:
    files: dict[str, list[str]] = defaultdict(list)
    arrows: dict[str, set[str]] = defaultdict(set)
    for module, imported in graph.items():
        room = room_of(module)
        files[room].append(module)
        arrows[room] |= {room_of(each) for each in imported} - {room}
    for room in sorted(files):
        lines = sum(_lines(module) for module in files[room])
        others = " ".join(sorted(each.removeprefix("minits.") for each in arrows[room]))
        yield f"{room:30} {len(files[room]):4} files {lines:6} lines  imports {others}"
    up = arrows_up(graph)
    yield f"arrows up: {len(up)}"
    yield from (f"  {module} -> {imported}" for module, imported in up)
    found = circles(graph)
    yield f"circles: {len(found)}, all within a room" if _are_within(found) else "circles:"
    for circle in found:
        rooms = sorted({room_of(module) for module in circle})
        names = " ".join(module.rpartition(".")[2] for module in circle)
        yield f"  of {len(circle)} in {', '.join(rooms)}: {names}"


def _are_within(found: Iterable[Iterable[str]]) -> bool:
    return all(len({room_of(module) for module in circle}) == 1 for circle in found)


def _lines(module: str) -> int:
    return len(_text(module).splitlines())


def _text(module: str) -> str:
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).read_text(encoding="utf-8")


if __name__ == "__main__":
    print("\n".join(_rows(import_graph())))
