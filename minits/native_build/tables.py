"""The tables of a library in C: where its functions raise, and how they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from minits.native.sites import Site
from minits.native.type_codes import code_of_type
from minits.native_build.exported_function import ExportedFunction, FileNames
from minits.native_build.literals import any_literal, quoted, quoted_or_null
from minits.native_build.messages import message_at
from minits.native_build.programs import Exported
from minits.ops.schema import Argument

PARAMETERS = ("state", "arguments", "pool")
"""Parameters of the functions through which those of the program are called."""


def array(declared: str, items: Iterable[str]) -> list[str]:
    """Return an array of C; one without items has one that nobody reads."""
    rows = [f"    {item}," for item in items]
    return [f"static const {declared}[] = {{", *(rows or ["    {0},"]), "};"]


def function_tables(program: Exported, function: ExportedFunction, file: FileNames) -> str:
    """Return a function's sites, its parameters, and its call. Raises `NotNative`."""
    name, parameters = function.name, program.parameters
    end = function.graph.block.end
    codes = [file.types.of(each.type, end) for each in parameters]
    defaults = [any_literal(each.default) for each in parameters[_required(parameters) :]]
    sites = [_site_text(function, site) for site in function.sites]
    call = function.call_text()
    unused = [each for each in PARAMETERS if not re.search(rf"\b{each}\b", call)]
    lines = [
        *(array(f"mts_site mts_own_{name}_sites", sites) if sites else []),
        *(_strings(f"mts_own_{name}_names", [*(each.name for each in parameters), None])),
        *(_strings(f"mts_own_{name}_types", codes)),
        *(array(f"mts_any mts_own_{name}_defaults", defaults) if defaults else []),
        f"static int32_t mts_own_{name}_run(",
        "    mts_list *state, const mts_value *arguments, mts_list **pool, mts_value *out)",
        "{",
        *(f"    (void){each};" for each in unused),
        f"    return {call};",
        "}",
        "",
    ]
    return "\n".join(lines)


def method_table(programs: Sequence[Exported], functions: Sequence[ExportedFunction]) -> str:
    """Return the table of all functions of a library, and that of their declarations."""
    pairs = [*zip(programs, functions, strict=True)]
    lines = [
        *array(
            "char *const mts_declarations", [*(quoted(each.declaration) for each in programs), "0"]
        ),
        *array("mts_method mts_methods", [_method_text(*pair) for pair in pairs]),
        "",
    ]
    return "\n".join(lines)


def _method_text(program: Exported, function: ExportedFunction) -> str:
    name, parameters = function.name, program.parameters
    required = _required(parameters)
    texts = [
        quoted(program.name),
        quoted(program.declaration),
        str(len(parameters)),
        str(required),
        f"mts_own_{name}_names",
        f"mts_own_{name}_types" if parameters else "0",
        f"mts_own_{name}_defaults" if required < len(parameters) else "0",
        quoted(function.result_code),
        f"mts_own_{name}_sites" if function.sites else "0",
        f"mts_own_{name}_run",
    ]
    return f"{{{', '.join(texts)}}}"


def _strings(name: str, texts: Sequence[str | None]) -> list[str]:
    """Return the array of some strings, if there are any."""
    items = ", ".join(map(quoted_or_null, texts))
    return [f"static const char *const {name}[] = {{{items}}};"] if texts else []


def _required(parameters: Sequence[Argument]) -> int:
    """Return how many parameters there are up to the last one without a default."""
    numbers = [i for i, each in enumerate(parameters, 1) if not each.has_default]
    return numbers[-1] if numbers else 0


def _site_text(function: ExportedFunction, site: Site) -> str:
    message, node = message_at(site), function.place_of(site)
    file, line, source = None, 0, None
    if node is not None and node.range is not None:
        file, line = PurePath(node.range.source.filename).name, node.range.begin.line
        source = node.range.source.line(line).strip()
    class_name = message.class_name and message.class_name.rpartition(".")[2]
    told = "".join([(code_of_type(type) or "T")[0] for type in site.types])
    strings = [class_name, message.template, told, file, source]
    return f"{{{', '.join(map(quoted_or_null, strings))}, {line}}}"
