"""Tensors in pickle streams: where their elements lie in a storage, which is a record of its own.

A storage stands in the archive once for each dtype that tensors see it as, whole, so that tensors
which share memory share it again when they are read.

Source: torch/csrc/jit/serialization/pickler.cpp (`pushStorageOfTensor`, `pushTensorReference`).
Differs: torch writes one record for a storage seen as two dtypes, and reads it as the first.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import torch

from minits.archive.errors import SaveError
from minits.archive.pickling.writer import (
    EMPTY_DICT,
    EMPTY_TUPLE,
    MARK,
    PERSISTENT_ID,
    REDUCE,
    SETITEMS,
    TUPLE,
    PickleWriter,
)
from minits.torch_internals import storage_of
from minits.types.dtypes import LAYOUT_CODES

_STORAGE_NAMES = {
    "uint8": "Byte", "int8": "Char", "int16": "Short", "int32": "Int", "int64": "Long",
    "float16": "Half", "float32": "Float", "float64": "Double", "complex32": "ComplexHalf",
    "complex64": "ComplexFloat", "complex128": "ComplexDouble", "bool": "Bool",
    "bfloat16": "BFloat16", "qint8": "QInt8", "quint8": "QUInt8", "qint32": "QInt32",
    "uint16": "UInt16", "uint32": "UInt32",
    "uint64": "UInt64", "float8_e5m2": "Float8_e5m2", "float8_e4m3fn": "Float8_e4m3fn",
    "float8_e5m2fnuz": "Float8_e5m2fnuz", "float8_e4m3fnuz": "Float8_e4m3fnuz",
}  # fmt: skip


class TensorPickler:
    """Writes the tensors of one stream; `storages` are the records, in the order of their numbers.

    Storages are told apart by their addresses: `storages` keeps them alive.
    """

    def __init__(self, out: PickleWriter) -> None:
        self.out = out
        self.storages: list[torch.UntypedStorage] = []

    def write(self, tensor: torch.Tensor) -> None:
        """Write a tensor. Raises `SaveError` for a layout that archives lack."""
        if tensor.is_quantized:
            self._call("_rebuild_qtensor", self._quantized, tensor)
        elif tensor.layout is torch.strided:
            self._call("_rebuild_tensor_v2", self._strided, tensor)
        elif tensor.layout in (torch.sparse_coo, torch.sparse_csr):
            self._call("_rebuild_sparse_tensor", self._sparse, tensor)
        else:
            raise SaveError(
                f"tensors of layout {tensor.layout} cannot be saved", fix="save tensor.to_dense()"
            )

    def _call(self, function: str, write_arguments: Any, tensor: torch.Tensor) -> None:
        self.out.global_("torch._utils", function)
        self.out.op(MARK)
        write_arguments(tensor)
        self.out.op(TUPLE + REDUCE)

    # ---- Arguments -----------------------------------------------------------------------------

    def _strided(self, tensor: torch.Tensor) -> None:
        self._elements(tensor)
        self._requires_grad(tensor)
        views = {"conj": tensor.is_conj(), "neg": tensor.is_neg()}
        if any(views.values()):
            self._flags({name: True for name, is_set in views.items() if is_set})

    def _quantized(self, tensor: torch.Tensor) -> None:
        self._elements(tensor)
        scheme = str(tensor.qscheme()).removeprefix("torch.")
        self.out.op(MARK)
        self.out.global_("torch", scheme)
        if scheme == "per_tensor_affine":
            self.out.real(tensor.q_scale())
            self.out.integer(tensor.q_zero_point())
        elif scheme in ("per_channel_affine", "per_channel_affine_float_qparams"):
            self.write(tensor.q_per_channel_scales())
            self.write(tensor.q_per_channel_zero_points())
            self.out.integer(tensor.q_per_channel_axis())
        else:
            raise SaveError(f"tensors quantized as {scheme} cannot be saved")
        self.out.op(TUPLE)
        self._requires_grad(tensor)

    def _sparse(self, tensor: torch.Tensor) -> None:
        if tensor.layout is torch.sparse_coo:
            tensor = tensor.coalesce()
            parts = [tensor.indices(), tensor.values()]
        else:
            parts = [tensor.crow_indices(), tensor.col_indices(), tensor.values()]
        self.out.integer(LAYOUT_CODES[tensor.layout])
        self._ints(tensor.shape)
        self.out.boolean(tensor.requires_grad)
        for part in parts:
            self.write(part.detach())
        self._no_hooks()

    def _elements(self, tensor: torch.Tensor) -> None:
        self._storage(tensor)
        self.out.integer(tensor.storage_offset())
        self._ints(tensor.shape)
        self._ints(tensor.stride())

    def _requires_grad(self, tensor: torch.Tensor) -> None:
        self.out.boolean(tensor.requires_grad)
        self._no_hooks()

    def _no_hooks(self) -> None:
        """The place of backward hooks, which are never saved."""
        self.out.global_("collections", "OrderedDict")
        self.out.op(EMPTY_TUPLE + REDUCE)

    def _ints(self, values: Sequence[int]) -> None:
        self.out.op(MARK)
        for value in values:
            self.out.integer(value)
        self.out.op(TUPLE)

    def _flags(self, flags: dict[str, bool]) -> None:
        self.out.global_("torch.jit._pickle", "restore_type_tag")
        self.out.op(EMPTY_DICT + MARK)
        for name, value in flags.items():
            self.out.string(name)
            self.out.boolean(value)
        self.out.op(SETITEMS)
        self.out.string("Dict[str, bool]")
        self.out.tuple_of(2)
        self.out.op(REDUCE)

    # ---- Storages ------------------------------------------------------------------------------

    def _storage(self, tensor: torch.Tensor) -> None:
        storage = tensor.untyped_storage()
        key = ("storage", storage_of(tensor), tensor.dtype)
        if self.out.recall(key):
            return
        dtype = str(tensor.dtype).removeprefix("torch.")
        if dtype not in _STORAGE_NAMES:
            raise SaveError(f"tensors of dtype {tensor.dtype} cannot be saved")
        self.out.op(MARK)
        self.out.string("storage")
        self.out.global_("torch", f"{_STORAGE_NAMES[dtype]}Storage")
        self.out.string(str(len(self.storages)))
        self.out.string(str(tensor.device))
        self.out.integer(storage.nbytes() // tensor.element_size())
        self.out.op(TUPLE + PERSISTENT_ID)
        self.out.remember(key)
        self.storages.append(storage)


def storage_bytes(storage: torch.UntypedStorage) -> memoryview:
    """Return the bytes of a storage: of itself on the CPU, of a copy elsewhere, none on `meta`.

    The view is valid as long as the storage is.
    """
    if storage.device.type == "meta" or storage.nbytes() == 0:
        return memoryview(b"")
    storage = storage.cpu()
    content = (ctypes.c_ubyte * storage.nbytes()).from_address(storage.data_ptr())
    content.storage = storage  # keeps a copy alive  # type: ignore[attr-defined]
    return memoryview(content).cast("B")
