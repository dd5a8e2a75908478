"""Tensors of an archive: views of storages, whose bytes are records.

Every number of a view is checked against its storage before the view is made: `as_strided` of a
shape that reaches beyond its storage would read other memory.

Source: torch/csrc/jit/serialization/unpickler.cpp (`Unpickler::rebuildTensor`).
Differs: a record must have as many elements as the pickle says; torch reads beyond a shorter one.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from minits import torch_internals as internals
from minits.archive.container.reader import Container
from minits.archive.errors import ArchiveError
from minits.archive.pickling.descriptions import SparseOf, StorageOf, TensorOf
from minits.archive.pickling.globals import STORAGES
from minits.archive.reading.quantized_tensors import QUANTIZED, quantized_tensor
from minits.ir.named_devices import is_here

Storages = Mapping[str, torch.UntypedStorage]
SMALLEST_MAPPED = 2**20
_CHUNK = 2**22
"""Sizes in bytes."""


class TensorReader:
    """Makes the tensors that one pickle describes. `folder` is that of its storages, `data`.

    Two tensors share memory when their descriptions share that of the storage.
    """

    def __init__(
        self,
        container: Container,
        folder: str,
        device: torch.device | None = None,
        maps: bool = True,
        storages: Storages | None = None,
    ) -> None:
        """Read nothing yet. `maps`: leave large storages in the file until they are used.

        `storages`: those that are not in the archive, by the names of their records.
        """
        self.container, self.folder, self.device, self.maps = container, folder, device, maps
        self._given = storages or {}
        self._storages: dict[StorageOf, Tensor] = {}
        self._keys: dict[str, StorageOf] = {}

    def read(self, described: TensorOf | SparseOf) -> Tensor:
        """Return the tensor of a description, a new object at each call. Raises `ArchiveError`."""
        if isinstance(described, SparseOf):
            return self._sparse(described)
        flat = self._storage(described.storage)
        self._check_view(described, flat.numel())
        if described.quantizer is not None:
            record = f"{self.folder}/{described.storage.key}"
            tensor = quantized_tensor(described, flat, self.read, record)
            return self._requiring_grad(tensor, described.requires_grad)
        if described.storage.dtype in QUANTIZED:
            raise self._fault(described, "its storage is quantized, but it has no scale")
        tensor = torch.as_strided(flat, described.size, described.stride, described.offset).detach()
        if described.is_conjugate or described.is_negative:
            tensor = self._marked(described, tensor)
        return self._requiring_grad(tensor, described.requires_grad)

    def _requiring_grad(self, tensor: Tensor, wanted: bool) -> Tensor:
        if wanted and not (tensor.is_floating_point() or tensor.is_complex()):
            raise ArchiveError(f"a tensor of {tensor.dtype} cannot require a gradient", self.folder)
        return tensor.requires_grad_(wanted)

    def _marked(self, described: TensorOf, tensor: Tensor) -> Tensor:
        """Set the tensor's lazy conjugate and negative bits, as saved."""
        if described.is_conjugate and not tensor.is_complex():
            raise self._fault(described, "only complex tensors are conjugated")
        if described.is_conjugate:
            tensor = internals.conjugated(tensor)
        return internals.negated(tensor) if described.is_negative else tensor

    def _check_view(self, described: TensorOf, numel: int) -> None:
        size, stride, offset = described.size, described.stride, described.offset
        if len(size) != len(stride) or offset < 0 or min((*size, *stride, 0)) < 0:
            raise self._fault(described, "sizes, strides and offsets are counts")
        if 0 in size:
            return
        last = offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
        if last >= numel:
            raise self._fault(
                described, f"it needs {last + 1} elements, of which there are {numel}"
            )
        count = 1
        for n in size:
            count *= n
        if count >= 2**63:
            raise self._fault(described, "it has more elements than can be counted")

    def _fault(self, described: TensorOf, message: str) -> ArchiveError:
        record = f"{self.folder}/{described.storage.key}"
        return ArchiveError(f"a tensor of size {list(described.size)[:8]}: {message}", record)

    # ---- Storages ------------------------------------------------------------------------------

    def _storage(self, wanted: StorageOf) -> Tensor:
        """Return the elements of a storage, as one flat tensor."""
        if wanted not in self._storages:
            is_first = wanted.key not in self._keys
            known = self._keys.setdefault(wanted.key, wanted)
            if (known.dtype, known.numel) != (wanted.dtype, wanted.numel):
                record = f"{self.folder}/{wanted.key}"
                raise ArchiveError("the storage is described twice, differently", record)
            self._storages[wanted] = self._read_storage(wanted, self.maps and is_first)
        return self._storages[wanted]

    def _read_storage(self, wanted: StorageOf, maps: bool) -> Tensor:
        record = f"{self.folder}/{wanted.key}"
        dtype: torch.dtype | None = getattr(torch, STORAGES.get(wanted.dtype, ""), None)
        if dtype is None:
            raise ArchiveError(f"this torch has no tensors of {wanted.dtype}", record)
        if wanted.numel * dtype.itemsize >= 2**63:
            raise ArchiveError("the storage is larger than can be counted", record)
        if record in self._given:
            return _elements(self._given[record], dtype)[: wanted.numel]
        if wanted.device == "meta":
            return torch.empty(wanted.numel, dtype=dtype, device="meta")
        if wanted.numel == 0:
            return torch.empty(0, dtype=dtype, device=self._device(wanted))
        size = self.container.size(record)
        if size // dtype.itemsize != wanted.numel:
            raise ArchiveError(
                f"the record has {size} bytes, but the pickle says that it holds {wanted.numel} "
                f"elements of {dtype}",
                record,
            )
        flat = self._bytes(record, maps)[: wanted.numel * dtype.itemsize].view(dtype)
        return flat.to(self._device(wanted))

    def _bytes(self, record: str, maps: bool) -> Tensor:
        """Return the bytes of a record: mapped, or copied.

        A storage that is mapped cannot be resized, so small ones are copied: programs grow those.
        """
        if maps and self.container.size(record) >= SMALLEST_MAPPED:
            mapped = self.container.mapped(record)
            if mapped is not None:
                return torch.frombuffer(mapped, dtype=torch.uint8)
        return _copied(self.container.read(record))

    def _device(self, wanted: StorageOf) -> torch.device:
        if self.device is not None:
            return self.device
        try:
            device = torch.device(wanted.device)
        except RuntimeError:
            raise ArchiveError(
                f"the device {wanted.device[:40]!r} is not known", self.folder
            ) from None
        return placed(device, self.device)

    # ---- Sparse tensors ------------------------------------------------------------------------

    def _sparse(self, described: SparseOf) -> Tensor:
        parts = [self.read(part) for part in described.parts]
        size = described.size
        make: Any = torch.sparse_coo_tensor if len(parts) == 2 else torch.sparse_csr_tensor
        try:
            made: Tensor = make(*parts, size=size, check_invariants=True)
        except (RuntimeError, TypeError, IndexError) as why:
            reason = str(why).partition("\n")[0]
            message = f"a sparse tensor is not well formed: {reason}"
            raise ArchiveError(message, self.folder) from None
        return self._requiring_grad(made, described.requires_grad)


def _elements(storage: torch.UntypedStorage, dtype: torch.dtype) -> Tensor:
    """Return the elements of a storage as a flat tensor, which shares it."""
    return torch.empty(0, dtype=dtype, device=storage.device).set_(storage)


def _copied(content: memoryview) -> Tensor:
    """Return a tensor with a copy of the bytes, made without a second copy of the whole."""
    flat = torch.empty(len(content), dtype=torch.uint8)
    for start in range(0, len(content), _CHUNK):
        part = bytearray(content[start : start + _CHUNK])
        flat[start : start + len(part)] = torch.frombuffer(part, dtype=torch.uint8)
    return flat


def placed(device: torch.device, map_location: torch.device | None) -> torch.device:
    """Return where what was on a device is put: the caller's device, or the same if it is here."""
    if map_location is not None:
        return map_location
    if is_here(device):
        return device
    warnings.warn(
        f"the archive was saved with tensors on {device}, which is not here: they are on the "
        "CPU now (say map_location='cpu' to have it so)",
        stacklevel=2,
    )
    return torch.device("cpu")
