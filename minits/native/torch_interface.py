"""The functions of torch's stable C interface, as C declares them.

Each returns 0, or another number where it fails; handles are pointers, and arguments and results of
operators are numbers of 64 bits (`StableIValue`).

Source: torch/csrc/stable/c/shim.h, torch/csrc/inductor/aoti_torch/c/shim.h.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from pathlib import Path

from minits.torch_internals import cpu_library

_HANDLE = "void *"
_NUMBER = "uint64_t"


def _declared(name: str, *parameters: str) -> str:
    return f"int32_t {name}({', '.join(parameters)});"


def _asking(name: str, result: str) -> str:
    return _declared(name, _HANDLE, f"{result} *")


DECLARATIONS: dict[str, str] = {
    text.split("(")[0].split()[-1]: text
    for text in (
        _declared("torch_call_dispatcher", "const char *", "const char *", "uint64_t *", _NUMBER),
        _declared("torch_new_list_reserve_size", "__SIZE_TYPE__", "void **"),
        _declared("torch_list_push_back", _HANDLE, _NUMBER),
        _declared("torch_list_get_item", _HANDLE, "__SIZE_TYPE__", "uint64_t *"),
        _declared("torch_list_size", _HANDLE, "__SIZE_TYPE__ *"),
        _declared("torch_delete_list", _HANDLE),
        _declared("torch_new_string_handle", "const char *", "__SIZE_TYPE__", "void **"),
        _declared("aoti_torch_new_tensor_handle", _HANDLE, "void **"),
        _declared("aoti_torch_delete_tensor_object", _HANDLE),
        _declared("aoti_torch_new_uninitialized_tensor", "void **"),
        _asking("aoti_torch_get_dim", "int64_t"),
        _asking("aoti_torch_get_numel", "int64_t"),
        _declared("aoti_torch_get_size", _HANDLE, "int64_t", "int64_t *"),
        _declared("aoti_torch_get_stride", _HANDLE, "int64_t", "int64_t *"),
        _asking("aoti_torch_get_sizes", "int64_t *"),
        _asking("aoti_torch_get_strides", "int64_t *"),
        _asking("aoti_torch_get_dtype", "int32_t"),
        _asking("aoti_torch_get_layout", "int32_t"),
        _asking("aoti_torch_get_device_type", "int32_t"),
        _asking("aoti_torch_get_device_index", "int32_t"),
        _asking("aoti_torch_is_contiguous", "bool"),
        _asking("aoti_torch_item_float64", "double"),
        _asking("aoti_torch_item_int64", "int64_t"),
        _declared("aoti_torch_scalar_to_tensor_float64", "double", "void **"),
        _declared("aoti_torch_scalar_to_tensor_int64", "int64_t", "void **"),
        _declared("aoti_torch_scalar_to_tensor_bool", "bool", "void **"),
        _declared("aoti_torch_scalar_to_tensor_complex128", "mts_parts", "void **"),
        "bool aoti_torch_grad_mode_is_enabled(void);",
        "void aoti_torch_grad_mode_set_enabled(bool);",
        _asking("aoti_torch_get_data_ptr", "void *"),
        _declared(
            "aoti_torch__reinterpret_tensor",
            *[_HANDLE, "int64_t", "const int64_t *", "const int64_t *", "int64_t", "void **"],
        ),
        _declared(
            "aoti_torch_empty_strided",
            *["int64_t", "const int64_t *", "const int64_t *"],
            *["int32_t", "int32_t", "int32_t", "void **"],
        ),
        _declared("aoti_torch_aten_fill__Scalar", _HANDLE, "double"),
        _declared("aoti_torch_aten_subtract_Tensor", _HANDLE, _HANDLE, "double", "void **"),
    )
}
"""By name: what a text of C needs before it calls the function."""

FAILS = re.compile(
    r"\bmts_(call|pad_packed|root|add|add_in_place|fill|lacks_(size|strides?)|is_nested|require_grad"
    r"|is_no_(bool|number|int)|leaky_relu|elu|celu|softplus|(hard|soft)shrink|threshold|hardtanh"
    r"|(slice|select|unsqueeze|squeeze|transpose|t|sizes)_view|(cat|linear)_rows)\("
)
"""Conditions of C under which a function of torch has just failed, and left its message."""


@cache
def library() -> Path | None:
    """Return the library that has all of them; None for a torch that has not, before 2.10."""
    path = cpu_library()
    if path is None:
        return None
    loaded = ctypes.CDLL(str(path))
    return path if all(hasattr(loaded, each) for each in DECLARATIONS) else None


def link_flags(library: Path) -> list[str]:
    """Return the flags for C that calls torch's library and is loaded by this process.

    `libtorch.so` only says that it needs that library. Through it, linkers need not read the names
    of all that torch has, which takes a fifth of a second: a library may leave names to loading.
    """
    folder = library.parent
    if library.suffix == ".so" and (folder / "libtorch.so").exists():
        return ["-Wl,--no-as-needed", f"-L{folder}", "-ltorch"]
    return [f"-L{folder}", f"-l{library.stem.removeprefix('lib')}"]
