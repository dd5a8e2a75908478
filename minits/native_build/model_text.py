"""The text of `model.c`: what its functions need, they themselves, and the tables of the library.

helpers of minits/native/c/ and c/ that are named below, no others
the constants of the program
its functions, each statement after its line
of each function: its sites, its parameters, how it is called
the functions of model.h
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from minits.ir.graph import Node
from minits.kernels.cpu.c_paragraphs import defined_in, paragraphs
from minits.native import texts
from minits.native.c_types import NotNative
from minits.native.outlining import outline_calls
from minits.native.prelude import prelude
from minits.native_build.classes import class_tables
from minits.native_build.exported_function import ExportedFunction, FileNames
from minits.native_build.library_functions import OWN_NAMES, TENSOR_NAMES, library_text
from minits.native_build.line_directives import with_line_directives
from minits.native_build.programs import Exported
from minits.native_build.safetensors import DTYPES
from minits.native_build.state import State
from minits.native_build.tables import PARAMETERS, function_tables, method_table
from minits.native_build.type_codes import TypeCodes
from minits.types import types as t

_FOLDER = Path(__file__).parent / "c"
_LIBRARY = {
    "MTS_UNFIT": "enum { MTS_UNFIT = 1 };  // a caller's value is of another kind",
    "MTS_UNKNOWN": "enum { MTS_UNKNOWN = 2 };  // ..., or names what there is not",
    "MTS_BEYOND": "enum { MTS_BEYOND = 3 };  // no int of C has a result",
    "strchr": "char *strchr(const char *, int);",
    "putchar": "int putchar(int);",
    "fflush": "int fflush(void *);",
    "write": "int64_t write(int, const void *, __SIZE_TYPE__);",
    "print": (
        "// what a program prints goes to the standard output stream\n"
        "static inline int32_t print(const char *bytes, int64_t length)\n"
        "{\n"
        "    for (int64_t i = 0; i < length; i++)\n"
        "        if (putchar((unsigned char)bytes[i]) < 0) return 1;\n"
        "    return fflush(0) != 0;\n"
        "}"
    ),
    "fopen": "void *fopen(const char *, const char *);",
    "fread": "__SIZE_TYPE__ fread(void *, __SIZE_TYPE__, __SIZE_TYPE__, void *);",
    "fclose": "int fclose(void *);",
    "aoti_torch_empty_strided": (
        "int32_t aoti_torch_empty_strided(\n"
        "    int64_t, const int64_t *, const int64_t *, int32_t, int32_t, int32_t, void **);"
    ),
    "torch_exception_get_what_without_backtrace": (
        "// not in torch 2.9\n"
        "__attribute__((weak)) const char *torch_exception_get_what_without_backtrace(void);"
    ),
    "aoti_torch_device_type_cpu": "int32_t aoti_torch_device_type_cpu(void);",
    "aoti_torch_get_data_ptr": "int32_t aoti_torch_get_data_ptr(void *, void **);",
    "aoti_torch_delete_tensor_object": "int32_t aoti_torch_delete_tensor_object(void *);",
    "aoti_torch_new_tensor_handle": "int32_t aoti_torch_new_tensor_handle(void *, void **);",
    **{
        f"aoti_torch_dtype_{name}": f"int32_t aoti_torch_dtype_{name}(void);"
        for name in (str(dtype).removeprefix("torch.") for dtype in DTYPES)
    },
    "pthread_mutex_init": "int pthread_mutex_init(void *, const void *);",
    **{
        f"pthread_mutex_{name}": f"int pthread_mutex_{name}(void *);"
        for name in ("destroy", "lock", "unlock")
    },
}
"""Declarations beside those of `native/prelude.py`."""
_HEADING = "// ---- {} ----"
_OF_TENSORS = "// the functions of tensors\n"
"""The line of the header in whose place those are."""
_CASE = re.compile(r"^((?:    case '.':| case '.':)+) .*;\n", re.MULTILINE)
"""A line of `mts_box` or `mts_unbox`: the letters of codes, and what is done for these."""
_OF_ALL = "ibfs?[({"
"""Letters whose cases need no functions of their own."""


@cache
def _definitions(has_tensors: bool) -> dict[str, str]:
    """Return the paragraphs of `c/` and the declarations, by their names."""
    folders = [_FOLDER, _FOLDER / ("with_tensors" if has_tensors else "without_tensors")]
    texts = [text for folder in folders for _, text in paragraphs(folder)]
    return _LIBRARY | {str(defined_in(text)): f"\n{text}" for text in texts}


def _definitions_for(types: TypeCodes, has_tensors: bool, node: Node) -> dict[str, str]:
    """Return the definitions, those of values for the types that a library has.

    Raises `NotNative`.
    """

    def kept(line: re.Match[str]) -> str:
        letters = set(re.findall("'(.)'", line[1]))
        return line[0] if letters & (types.letters | {*_OF_ALL}) else ""

    found = dict(_definitions(has_tensors))
    for name in ("mts_unbox", "mts_box"):
        found[name] = _CASE.sub(kept, found[name])
    classes = class_tables([*types.classes], node)
    return found | {"mts_classes": f"\n// the NamedTuples and enums of values\n{classes}"}


def header_text(name: str, text: str) -> str:
    """Return `model.h` for this text of `model.c`."""
    has_tensors = f"int {name}_new_tensor(" in text
    of_tensors = _read("with_tensors/model.h") if has_tensors else ""
    text = _read("model.h").replace(_OF_TENSORS, of_tensors)
    return text.replace("MODEL_H", f"{name.upper()}_H").replace("MODEL", name)


def _read(file: str) -> str:
    return (_FOLDER / file).read_text(encoding="utf-8")


def model_text(
    state: State, name: str, line_directives: bool = False, embeds_weights: bool = False
) -> str:
    """Return `model.c` of a library of this name.

    state: the functions of the library, and the attributes that they read
    line_directives: debuggers are to step through the program's own lines

    Raises `NotNative` where a program cannot be C.
    """
    programs = state.programs
    file, functions, own = _own_text(programs, name)
    pairs = [*zip(programs, functions, strict=True)]
    has_tensors = _has_tensors(functions)
    end = programs[0].graph.block.end
    parts = [
        f"{_HEADING.format('The program')}\n",
        *texts.definitions(file.texts),
        own,
        f"\n{_HEADING.format('Its functions by name, and where they raise')}\n",
        *[function_tables(program, function, file) for program, function in pairs],
        method_table(programs, functions),
        state.table_text(file.types, embeds_weights),
        f"{_HEADING.format(f'The functions of {name}.h')}\n",
        library_text(functions, state, name, embeds_weights, has_tensors),
    ]
    text = "\n".join(filter(None, parts))
    head = f'// {name}.c: made by `minits build`; {name}.h has its functions\n#include "{name}.h"'
    definitions = _definitions_for(file.types, has_tensors, end)
    whole = f"{head}\n{prelude(text, definitions)}\n\n{text}"
    if not line_directives:
        return whole
    graphs = [graph for function in functions for graph in function.graphs]
    return with_line_directives(whole, graphs, f"{name}.c")


def _own_text(
    programs: Sequence[Exported], name: str
) -> tuple[FileNames, list[ExportedFunction], str]:
    """Return the functions of a library, and their text, after the names in it.

    Constants that cannot be parameters remain, and so do calls that cannot be. Raises `NotNative`.
    """
    own_names = [f"{name}_{each}" for each in (*OWN_NAMES, *TENSOR_NAMES)]
    for opens in (True, False, None):
        file = FileNames(dict.fromkeys([*own_names, *_LIBRARY, *PARAMETERS]))
        functions = [ExportedFunction(program, file) for program in programs]
        if opens is not None:
            outline_calls(functions, file.function, opens)
        try:
            return file, functions, "\n\n".join([each.own_text() for each in functions])
        except NotNative:
            if not any(function.callees for function in functions):
                raise
    raise AssertionError("without calls, no function has callees")


def _has_tensors(functions: Sequence[ExportedFunction]) -> bool:
    """Return whether values of a library's functions are tensors, or may hold some."""
    values = [
        value
        for function in functions
        for graph in function.graphs
        for node in (graph.block.param, *graph.all_nodes())
        for value in node.outputs
    ]
    return any(t.TENSOR in _types_in(value.type) for value in values)


def _types_in(type: t.Type) -> set[t.Type]:
    """Return a type and those of its parts."""
    match type:
        case t.ListType(element=element) | t.OptionalType(element=element):
            parts = [element]
        case t.TupleType(elements=elements):
            parts = [*elements]
        case t.DictType(value=value):
            parts = [value]
        case _:
            parts = []
    return {type}.union(*map(_types_in, parts))
