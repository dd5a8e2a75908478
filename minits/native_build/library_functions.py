"""The functions of `model.h`: making a model, calling it, and its end.

A model whose calls set attributes lets them take turns, and keeps what the attributes have after
each; the others are called by any number of threads at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.native_build.exported_function import ExportedFunction
from minits.native_build.state import State
from minits.native_build.weight_writes import check_views

OWN_NAMES = "create call declarations parameters classes clear clear_error destroy".split()
"""The functions of the header, whose names begin with that of the library."""
TENSOR_NAMES = "new_tensor read_tensor".split()
"""Those that only libraries with tensors have."""
_TEXT = """\
int MODEL_create(const char *weights, mts_model **model, mts_error *error)
{
CREATE
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

const mts_class *MODEL_classes(void)
{
    return mts_classes;
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
_TENSOR_TEXT = """
int MODEL_new_tensor(mts_tensor_dtype dtype, int64_t rank, const int64_t *sizes, const void *data,
                     mts_any *tensor, mts_error *error)
{
    return mts_new_tensor(dtype, rank, sizes, data, tensor, error);
}

int MODEL_read_tensor(const mts_any *tensor, mts_tensor *memory, mts_error *error)
{
    return mts_read_tensor(tensor, memory, error);
}
"""
_FROM_FILE = """\
    mts_source source = {0, 0};
    if (mts_open_weights(weights, HEAD_LENGTH, HEAD_HASH, &source, error)) return 1;"""
_NO_FILE = "    (void)weights;"
_FROM_MEMORY = "    mts_source source = {0, mts_weight_data};"
_TAKE = """\
    int fault = mts_create(SLOTS, COUNT, model, error);
    if (!fault) {
        fault = mts_take_weights(*model, &source, mts_weights, WEIGHT_COUNT, SLOTS, COUNT, error);
        if (fault) mts_destroy(*model);
        if (fault) *model = 0;
    }"""
_CALL = """\
    mts_list *pool[2] = {0, UNRECORDED};
    int fault = mts_call_method(mts_methods, METHOD_COUNT, model->state, pool, name,
                                arguments, count, values, out, result, error);
    mts_free_all(pool);
    return fault;"""
_CALL_IN_TURN = """\
    pthread_mutex_lock(&model->turn);  // calls set attributes
    model->pool[1] = UNRECORDED;
    int fault = mts_call_method(mts_methods, METHOD_COUNT, model->state, model->pool, name,
                                arguments, count, values, out, result, error);
    mts_keep_attributes(model, SLOTS, COUNT);
    pthread_mutex_unlock(&model->turn);
    return fault;"""


def library_text(
    functions: Sequence[ExportedFunction],
    state: State,
    name: str,
    embeds_weights: bool,
    has_tensors: bool,
) -> str:
    """Return the functions of the header of a library of this name. Raises `NotNative`."""
    writers = [each for each in functions if each.writes_to_weights]
    for function in writers:
        check_views(state.weights, function.graph.block.end)
    are_set = (
        state.is_set
        or (state.has_containers and any(function.writes_lists for function in functions))
        or bool(writers)
    )
    arguments = max([1, *(len(function.graph.inputs) for function in functions)])
    told = max([1, *(len(site.told) for each in functions for site in each.sites)])
    head = state.weights_file().head
    filled = {
        "CREATE": _create_text(state, are_set, embeds_weights),
        "CALL": _call_text(functions, are_set),
        "SLOTS": "mts_slots" if state.slots else "0",
        "METHOD_COUNT": str(len(functions)),
        "WEIGHT_COUNT": str(len(state.weights)),
        "COUNT": str(len(state.slots)),
        "MOST_ARGUMENTS": str(arguments),
        "MOST_TOLD": str(told),
        "HEAD_LENGTH": str(len(head)),
        "HEAD_HASH": f"{hash_of(head):#x}u",
        "MODEL": name,
    }
    text = _TEXT + (_TENSOR_TEXT if has_tensors else "")
    for word, value in filled.items():
        text = text.replace(word, value)
    return text


def _call_text(functions: Sequence[ExportedFunction], are_set: bool) -> str:
    """Return the statements of a call, after which the grad mode is as before."""
    text = _CALL_IN_TURN if are_set else _CALL
    sets_grad_mode = any(function.sets_grad_mode for function in functions)
    has_shortcuts = any(function.has_shortcuts for function in functions)
    unrecorded = _unrecorded(are_set) if has_shortcuts and not sets_grad_mode else "0"
    text = text.replace("UNRECORDED", unrecorded)
    if not sets_grad_mode:
        return text
    body, _, end = text.rpartition("\n")
    before = "    bool mode = aoti_torch_grad_mode_is_enabled();"
    return "\n".join([before, body, "    aoti_torch_grad_mode_set_enabled(mode);", end])


def _unrecorded(are_set: bool) -> str:
    """Return the second word of a pool, which is 0 where gradients may be recorded.

    are_set: attributes are, and may have been recorded in another call
    """
    records = (
        "aoti_torch_grad_mode_is_enabled()" if are_set else "mts_is_recorded(arguments, count)"
    )
    return f"{records} ? 0 : (mts_list *)1"


def _create_text(state: State, are_set: bool, embeds_weights: bool) -> str:
    """Return the statements that make a model."""
    shared = len(state.shared_places())
    if not state.weights and not shared and (are_set or not state.slots):
        return f"{_NO_FILE}\n    return mts_create(SLOTS, COUNT, model, error);"
    is_file = bool(state.weights) and not embeds_weights
    lines = ["    *model = 0;"] if is_file else [_NO_FILE]
    if state.weights:
        lines += [_FROM_FILE if is_file else _FROM_MEMORY, _TAKE]
        lines += ["    fclose(source.file);"] if is_file else []
    else:
        lines.append("    int fault = mts_create(SLOTS, COUNT, model, error);")
    if shared:
        lines.append(f"    if (!fault) mts_share((*model)->state, mts_shared, {shared});")
    if not are_set:
        lines.append("    if (!fault) mts_keep_forever(*model);")
    return "\n".join([*lines, "    return fault;"])


def hash_of(data: bytes) -> int:
    """Return the hash by which the library knows the head of its weights (c/weights.c)."""
    found = 0xCBF29CE484222325
    for byte in data:
        found = (found ^ byte) * 0x100000001B3 % 2**64
    return found
