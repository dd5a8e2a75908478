"""The globals that a pickle of an archive may name, and the descriptions they stand for.

A name that is not here is refused: nothing is imported, and nothing is looked up.

Source: torch/csrc/jit/serialization/unpickler.cpp (`Unpickler::readGlobal`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch

from minits.archive.pickling.descriptions import (
    DictOf,
    EnumOf,
    Ignored,
    ListOf,
    SparseOf,
    StorageOf,
    TensorOf,
)
from minits.records import dataclass
from minits.torch_internals import is_cpp_class

CPP_CLASSES = "__torch__.torch.classes."
PACKED_CLASSES = frozenset(
    f"{CPP_CLASSES}{name}"
    for name in (
        "quantized.LinearPackedParamsBase", "quantized.Conv2dPackedParamsBase",
        "quantized.Conv3dPackedParamsBase", "quantized.EmbeddingPackedParamsBase",
        "rnn.CellParamsBase",
    )
)  # fmt: skip
"""The classes of C++ of torch's own whose objects are read and written: packed parameters."""
_OF_TORCH = frozenset(
    "_nnapi aten backendutils c10d cuda dist_c10d dist_rpc inductor metal mkldnn mtia nativert "
    "profiler profiling quantized rnn rpc sparse static_runtime vulkan xnnpack xpu".split()
)
"""The namespaces of torch's other classes of C++: for processes, devices and the profiler."""


def is_of_library(name: str) -> bool:
    """Return whether a C++ class is of a library that this process has loaded, and not torch's own.

    Who loads a library trusts it with what archives say; torch's own classes need no loading.
    """
    namespace, _, last = name.removeprefix(CPP_CLASSES).rpartition(".")
    if not name.startswith(CPP_CLASSES) or namespace.partition(".")[0] in _OF_TORCH:
        return False
    return is_cpp_class(namespace, last)


MAX_RANK = 64
_KEY = re.compile(r"[A-Za-z0-9._-]+")
_INT64 = 2**63


class Malformed(Exception):
    """Raised for arguments that the callee does not take; the reader adds the offset."""


@dataclass(frozen=True, slots=True)
class Named:
    """A global of the pickle: `module name`."""

    module: str
    name: str

    @property
    def qualified(self) -> str:
        return f"{self.module}.{self.name}"

    @property
    def is_class(self) -> bool:
        """Return whether it is a class of code/; C++ classes are in `__torch__.torch.classes`."""
        return self.module == "__torch__" or self.module.startswith("__torch__.")


def _is_int(value: Any) -> bool:
    return value.__class__ is int and -_INT64 <= value < _INT64


def _sizes(value: Any) -> tuple[int, ...]:
    if not isinstance(value, tuple) or len(value) > MAX_RANK or not all(map(_is_int, value)):
        raise Malformed("sizes and strides are tuples of at most 64 integers")
    return value


def _rebuild_tensor(
    storage: Any, offset: Any, size: Any, stride: Any, requires_grad: Any, hooks: Any, *more: Any
) -> TensorOf:
    if not isinstance(storage, StorageOf) or not _is_int(offset):
        raise Malformed("a tensor is made of a storage and an offset")
    if not isinstance(requires_grad, bool) or len(more) > 1:
        raise Malformed("a tensor says whether it requires a gradient, and has one dict of marks")
    marks = _marks(more[0]) if more else {}
    return TensorOf(
        storage,
        offset,
        _sizes(size),
        _sizes(stride),
        requires_grad,
        marks.get("conj", False),
        marks.get("neg", False),
    )


def _marks(value: Any) -> dict[str, bool]:
    if not isinstance(value, DictOf):
        raise Malformed("the marks of a tensor are a dict")
    marks = {name: on for name, on in value.items if isinstance(name, str)}
    if marks.keys() - {"conj", "neg"} or not all(isinstance(on, bool) for on in marks.values()):
        raise Malformed("the marks of a tensor are conj and neg")
    return marks


def _rebuild_quantized(
    storage: Any, offset: Any, size: Any, stride: Any, quantizer: Any, *rest: Any
) -> TensorOf:
    if len(rest) != 2 or not isinstance(quantizer, tuple) or not quantizer:
        raise Malformed("a quantized tensor has a quantizer and six more arguments")
    scheme, *numbers = quantizer
    known = isinstance(scheme, Named) and scheme.name in _SCHEMES
    if not known or len(numbers) != (3 if "channel" in scheme.name else 2):
        raise Malformed("the quantizer is not known")
    made = _rebuild_tensor(storage, offset, size, stride, *rest)
    made.quantizer = (scheme.name, *numbers)
    return made


def _rebuild_sparse(layout: Any, size: Any, requires_grad: Any, *rest: Any) -> SparseOf:
    *parts, _ = rest or (None,)
    if {1: 2, 2: 3}.get(layout) != len(parts) or not isinstance(requires_grad, bool):
        raise Malformed("a sparse tensor is of layout 1 (COO) or 2 (CSR)")
    if not all(isinstance(part, TensorOf) for part in parts):
        raise Malformed("the parts of a sparse tensor are tensors")
    return SparseOf(_sizes(size), requires_grad, tuple(parts))


def _device(text: Any) -> torch.device:
    if not isinstance(text, str) or len(text) > 64:
        raise Malformed("a device is named by a string")
    try:
        return torch.device(text)
    except RuntimeError:
        raise Malformed(f"the device {text!r} is not known") from None


def _complex(real: Any, imaginary: Any) -> complex:
    if real.__class__ is not float or imaginary.__class__ is not float:
        raise Malformed("a complex number is made of two floats")
    return complex(real, imaginary)


def _tagged(container: Any, text: Any) -> ListOf | DictOf:
    if not isinstance(container, (ListOf, DictOf)) or not isinstance(text, str):
        raise Malformed("a type is given to a list or dict, by a text")
    if container.tag not in (None, text):
        raise Malformed(f"a container of type {container.tag} is given the type {text}")
    container.tag = text
    return container


def _build(element: str) -> Callable[[Any], Any]:
    def build(items: Any) -> ListOf | DictOf:
        if not isinstance(items, ListOf):
            raise Malformed(f"List[{element}] is made of a list")
        return _tagged(items, f"List[{element}]")

    return build


def _ordered_dict() -> Ignored:
    return Ignored()


_CALLS: dict[tuple[str, str], Callable[..., Any]] = {
    ("torch._utils", "_rebuild_tensor_v2"): _rebuild_tensor,
    ("torch._utils", "_rebuild_qtensor"): _rebuild_quantized,
    ("torch._utils", "_rebuild_sparse_tensor"): _rebuild_sparse,
    ("torch", "device"): _device,
    ("torch.jit._pickle", "build_intlist"): _build("int"),
    ("torch.jit._pickle", "build_doublelist"): _build("float"),
    ("torch.jit._pickle", "build_boollist"): _build("bool"),
    ("torch.jit._pickle", "build_tensorlist"): _build("Tensor"),
    ("torch.jit._pickle", "restore_type_tag"): _tagged,
    ("collections", "OrderedDict"): _ordered_dict,
    ("builtins", "complex"): _complex,
}

STORAGES: dict[str, str] = {
    "Byte": "uint8", "Char": "int8", "Short": "int16", "Int": "int32", "Long": "int64",
    "Half": "float16", "Float": "float32", "Double": "float64", "BFloat16": "bfloat16",
    "ComplexHalf": "complex32", "ComplexFloat": "complex64", "ComplexDouble": "complex128",
    "Bool": "bool", "QInt8": "qint8", "QUInt8": "quint8", "QInt32": "qint32",
    "Float8_e5m2": "float8_e5m2", "Float8_e4m3fn": "float8_e4m3fn",
    "Float8_e5m2fnuz": "float8_e5m2fnuz", "Float8_e4m3fnuz": "float8_e4m3fnuz",
    "Float8_e8m0fnu": "float8_e8m0fnu", "UInt16": "uint16", "UInt32": "uint32", "UInt64": "uint64",
}  # fmt: skip
"""The dtypes of storages, by the prefix of `Storage` in the pickle."""

_SCHEMES = (
    "per_tensor_affine", "per_tensor_symmetric", "per_channel_affine", "per_channel_symmetric",
    "per_channel_affine_float_qparams",
)  # fmt: skip


def is_allowed(found: Named) -> bool:
    """Return whether a pickle may name this."""
    if (found.module, found.name) in _CALLS or found.is_class:
        return True
    if found.module != "torch":
        return False
    return found.name in _SCHEMES or found.name.removesuffix("Storage") in STORAGES


def call(callee: Named, arguments: Any) -> Any:
    """Return the description of `callee(*arguments)`. Raises `Malformed`."""
    function = _CALLS.get((callee.module, callee.name))
    if function is None or not isinstance(arguments, tuple):
        raise Malformed(f"{callee.qualified} cannot be called, or not with these arguments")
    try:
        return function(*arguments)
    except TypeError:
        message = f"{callee.qualified} does not take {len(arguments)} arguments"
        raise Malformed(message) from None


def enum_member(callee: Named, value: Any, offset: int) -> EnumOf:
    """Return the member of an enum: the class is called with the value alone.

    Raises `Malformed`.
    """
    if value.__class__ not in (int, float, str):
        raise Malformed(f"{callee.qualified} is called as an enum, with no int, float or str")
    return EnumOf(callee.qualified, value, offset)


def storage(identifier: Any) -> StorageOf:
    """Return the storage of a persistent id: ("storage", type, key, device, numel).

    Raises `Malformed`.
    """
    if not isinstance(identifier, tuple) or len(identifier) != 5:
        raise Malformed("only storages have persistent ids, of five parts")
    word, kind, key, device, numel = identifier
    typed = isinstance(kind, Named) and kind.module == "torch" and kind.name.endswith("Storage")
    if word != "storage" or not typed or not isinstance(key, str) or not isinstance(device, str):
        raise Malformed("a storage has a type, a key and a device")
    if not _KEY.fullmatch(key):
        raise Malformed(f"the key of a storage is no name of a record: {key[:40]!r}")
    if not _is_int(numel) or numel < 0:
        raise Malformed("the size of a storage is no count")
    return StorageOf(kind.name.removesuffix("Storage"), key, device, numel)
