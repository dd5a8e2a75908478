"""Archives by hand, for tests of damaged ones: records, pickles, tensors, states."""

from __future__ import annotations

import io
import struct

from tests.support.archives import CLASS, EMPTY_TUPLE, FORWARD, archive_of, packed

CODE = CLASS + FORWARD
RECORDS: dict[str, bytes | str] = {
    "data.pkl": b"\x80\x02c__torch__\nM\n)\x81}b.",
    "code/__torch__.py": CODE,
    "constants.pkl": EMPTY_TUPLE,
    "version": "3\n",
}
NESTED = CLASS + "  a : Any\n" + FORWARD


def with_data(pickle: bytes) -> io.BytesIO:
    return packed({**RECORDS, "data.pkl": b"\x80\x02" + pickle})


def number(value: int) -> bytes:
    return b"\x8a\x08" + struct.pack("<q", value)


def tensor(
    offset: int = 0,
    size: tuple[int, ...] = (2,),
    stride: tuple[int, ...] = (1,),
    numel: int = 2,
    kind: str = "Float",
    key: bytes = b"0",
    device: bytes = b"cpu",
    grad: bytes = b"\x89",
) -> bytes:
    def text(raw: bytes) -> bytes:
        return b"X" + struct.pack("<I", len(raw)) + raw

    def sizes(values: tuple[int, ...]) -> bytes:
        return b"(" + b"".join(map(number, values)) + b"t"

    storage = (
        b"(" + text(b"storage") + f"ctorch\n{kind}Storage\n".encode() + text(key) + text(device)
        + number(numel) + b"tQ"
    )  # fmt: skip
    return (
        b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + number(offset) + sizes(size)
        + sizes(stride) + grad + b"ccollections\nOrderedDict\n)RtR"
    )  # fmt: skip


def with_tensor(described: bytes, content: bytes = b"\0" * 8) -> io.BytesIO:
    code = CLASS + "  a : Tensor\n" + FORWARD
    return archive_of(code, b"}(X\1\0\0\0a" + described + b"u", **{"data/0": content})


def stateful(body: str) -> io.BytesIO:
    return archive_of(
        CLASS + "  n : int\n"
        "  def __getstate__(self: __torch__.M) -> int:\n    return self.n\n"
        "  def __setstate__(self: __torch__.M,\n    state: int) -> NoneType:\n"
        f"{body}    return None\n" + FORWARD,
        b"K\5",
    )
