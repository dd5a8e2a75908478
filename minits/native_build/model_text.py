"""The text of `model.c`: what its functions need, they themselves, and the tables of the library.

helpers of minits/native/c/ and c/ that are named below, no others
the constants of the program
its functions, each statement after its line
of each function: its sites, its parameters, how it is called
the functions of model.h
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from minits.kernels.cpu.c_paragraphs import defined_in, paragraphs
from minits.native import texts
from minits.native.prelude import prelude
from minits.native_build.exported_function import ExportedFunction, FileNames
from minits.native_build.line_directives import with_line_directives
from minits.native_build.programs import Exported
from minits.native_build.state import State, state_of
from minits.native_build.tables import function_tables, method_table

_FOLDER = Path(__file__).parent / "c"
_LIBRARY = {
    "MTS_UNFIT": (
        "// why no value was made of a caller's, beside MTS_NO_MEMORY: it is of another kind\n"
        "enum { MTS_UNFIT = 1 };"
    ),
    "pthread_mutex_init": "int pthread_mutex_init(void *, const void *);",
    **{
        f"pthread_mutex_{name}": f"int pthread_mutex_{name}(void *);"
        for name in ("destroy", "lock", "unlock")
    },
}
"""Declarations beside those of `native/prelude.py`."""
_OWN = "create call declarations parameters clear clear_error destroy".split()
_HEADING = "// ---- {} ----"
_FUNCTIONS = """\
int MODEL_create(const char *weights, mts_model **model, mts_error *error)
{
    return mts_create(SLOTS, COUNT, ARE_SET, model, error);
}

int MODEL_call(mts_model *model, const char *name, const mts_any *arguments, int64_t count,
               mts_any *result, mts_error *error)
{
    mts_value values[MOST_ARGUMENTS], out[MOST_TOLD];
CALL
}

const char *const *MODEL_declarations(void)
{
    return mts_declarations;
}

const char *const *MODEL_parameters(const char *name)
{
    const mts_method *method = mts_find_method(mts_methods, METHOD_COUNT, name);
    return method ? method->names : 0;
}

void MODEL_clear(mts_any *result)
{
    mts_clear_any(result);
}

void MODEL_clear_error(mts_error *error)
{
    free(error->message);
    error->message = 0;
}

void MODEL_destroy(mts_model *model)
{
    mts_destroy(model);
}
"""
_CALL = """\
    mts_list *pool = 0;
    int fault = mts_call_method(mts_methods, METHOD_COUNT, model->state, &pool, name,
                                arguments, count, values, out, result, error);
    mts_free_all(&pool);
    return fault;"""
_CALL_IN_TURN = """\
    pthread_mutex_lock(&model->turn);  // calls set attributes
    int fault = mts_call_method(mts_methods, METHOD_COUNT, model->state, &model->pool, name,
                                arguments, count, values, out, result, error);
    mts_keep_attributes(model, SLOTS, COUNT);
    pthread_mutex_unlock(&model->turn);
    return fault;"""


@cache
def _definitions() -> dict[str, str]:
    """Return the paragraphs of `c/` and the declarations, by their names."""
    helpers = {str(defined_in(text)): f"\n{text}" for _, text in paragraphs(_FOLDER)}
    return _LIBRARY | helpers


def header_text(name: str) -> str:
    """Return `model.h` of a library of this name."""
    text = (_FOLDER / "model.h").read_text(encoding="utf-8")
    return text.replace("MODEL_H", f"{name.upper()}_H").replace("MODEL", name)


def model_text(programs: Sequence[Exported], name: str, line_directives: bool = False) -> str:
    """Return `model.c` of a library of this name.

    line_directives: debuggers are to step through the program's own lines

    Raises `NotNative` where a program cannot be C.
    """
    own_names = [f"{name}_{each}" for each in _OWN]
    file = FileNames(dict.fromkeys(own_names))
    state = state_of(programs)
    functions = [ExportedFunction(program, file) for program in state.programs]
    own = "\n\n".join([function.own_text() for function in functions])
    pairs = zip(programs, functions, strict=True)
    parts = [
        f"{_HEADING.format('The program')}\n",
        *texts.definitions(file.texts),
        own,
        f"\n{_HEADING.format('Its functions by name, and where they raise')}\n",
        *[function_tables(program, function) for program, function in pairs],
        method_table(programs, functions),
        state.table_text(),
        f"{_HEADING.format(f'The functions of {name}.h')}\n",
        _library_text(functions, state).replace("MODEL", name),
    ]
    text = "\n".join(filter(None, parts))
    head = f'// {name}.c: made by `minits build`; {name}.h has its functions\n#include "{name}.h"'
    whole = f"{head}\n{prelude(text, _definitions())}\n\n{text}"
    if not line_directives:
        return whole
    return with_line_directives(whole, [each.graph for each in functions], f"{name}.c")


def _library_text(functions: Sequence[ExportedFunction], state: State) -> str:
    """Return the functions of the header."""
    are_set = state.is_set or (
        state.has_containers and any(function.writes_lists for function in functions)
    )
    arguments = max([1, *(len(function.graph.inputs) for function in functions)])
    told = max([1, *(len(site.told) for each in functions for site in each.sites)])
    filled = {
        "CALL": _CALL_IN_TURN if are_set else _CALL,
        "SLOTS": "mts_slots" if state.slots else "0",
        "METHOD_COUNT": str(len(functions)),
        "COUNT": str(len(state.slots)),
        "ARE_SET": "true" if are_set else "false",
        "MOST_ARGUMENTS": str(arguments),
        "MOST_TOLD": str(told),
    }
    text = _FUNCTIONS
    for word, value in filled.items():
        text = text.replace(word, value)
    return text
