"""The directory of a ZIP file: which entries there are, and where their bytes lie.

    [local header, data, descriptor?]*  central directory  [zip64 end, locator]?  end record

The central directory has the true sizes and the checksum of every entry; a local header repeats the
name before the data. Readers that trust one or the other see different files, so both must agree,
no entry may overlap another, and nothing may stand before the first.

Source: APPNOTE.TXT 4.3 (PKWARE); torch/csrc/../caffe2/serialize/inline_container.cc.
"""

from __future__ import annotations

import struct

from minits.archive.container.limits import Limits
from minits.archive.errors import ArchiveError
from minits.records import dataclass

STORED, DEFLATED = 0, 8
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_END64 = struct.Struct("<4sQ2H2I4Q")
_LOCATOR = struct.Struct("<4sIQI")
_ENCRYPTED, _HAS_DESCRIPTOR = 1, 8
_UNKNOWN = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the archive. `start` is the offset of its data; `name` includes the prefix."""

    name: str
    method: int
    crc: int
    packed: int
    size: int
    header: int
    start: int
    is_folder: bool = False
    """Whether it stands for a folder, as those do that `zip -r` and file managers write."""


def read_directory(data: memoryview, limits: Limits) -> list[Entry]:
    """Return the entries in the order of their data, without folders. Raises `ArchiveError`."""
    count, size, offset = _find_directory(data)
    if count > limits.entries:
        raise ArchiveError(f"{count} entries; at most {limits.entries} are read")
    entries = []
    position, end = offset, offset + size
    for _ in range(count):
        entry, position = _read_entry(data, position, end, offset)
        entries.append(entry)
    if position != end:
        raise ArchiveError("the directory is longer than its entries", offset=position)
    entries.sort(key=lambda entry: entry.header)
    _refuse_overlaps(entries, offset)
    return [entry for entry in entries if not entry.is_folder]


def _find_directory(data: memoryview) -> tuple[int, int, int]:
    """Return the number of entries, and size and offset of the directory."""
    if bytes(data[4:8]) == b"PTMF":
        raise ArchiveError(
            "this is a flatbuffer of torch's lite interpreter: it has bytecode, and no TorchScript",
            offset=4,
            fix="save the module that it was made of with torch.jit.save, and load that",
        )
    if bytes(data[:4]) not in (b"PK\3\4", b"PK\5\6"):
        raise ArchiveError(
            "this is not an archive of torch.jit.save: it does not begin as a ZIP file does",
            offset=0,
            fix="pass a file that torch.jit.save or minits.save has written",
        )
    at = len(data) - _END.size
    if at < 0 or bytes(data[at : at + 4]) != b"PK\5\6":
        raise _no_end(data)
    _, disk, first_disk, here, count, size, offset, comment = _END.unpack_from(data, at)
    if disk or first_disk or here != count or comment:
        raise ArchiveError("archives of several disks or with a comment are not read", offset=at)
    locator = at - _LOCATOR.size
    if locator >= 0 and bytes(data[locator : locator + 4]) == b"PK\6\7":
        count, size, offset, at = _read_end64(data, locator, (count, size, offset))
    if offset + size != at:
        raise ArchiveError("the directory does not end where the end record begins", offset=at)
    return count, size, offset


def _no_end(data: memoryview) -> ArchiveError:
    if bytes(data[-65557:]).rfind(b"PK\5\6") >= 0:
        return ArchiveError("there are bytes after the end of the archive", offset=len(data))
    return ArchiveError(
        "the file ends in the middle: it has no directory",
        offset=len(data),
        fix="it was not written to its end, or not copied as a whole: get it again",
    )


def _read_end64(
    data: memoryview, locator: int, short: tuple[int, int, int]
) -> tuple[int, int, int, int]:
    """Read the record for large archives, which torch always writes; both records must agree."""
    _, disk, at, disks = _LOCATOR.unpack_from(data, locator)
    if disk or disks != 1 or at + _END64.size != locator or bytes(data[at : at + 4]) != b"PK\6\6":
        raise ArchiveError("the end record of a large archive is damaged", offset=locator)
    _, _, _, _, disk, first_disk, here, count, size, offset = _END64.unpack_from(data, at)
    long = (count, size, offset)
    agree = all(
        mine in (theirs, unknown)
        for mine, theirs, unknown in zip(short, long, (0xFFFF, _UNKNOWN, _UNKNOWN), strict=True)
    )
    if disk or first_disk or here != count or not agree:
        raise ArchiveError("the two end records contradict each other", offset=at)
    return count, size, offset, at


def _read_entry(data: memoryview, at: int, end: int, directory: int) -> tuple[Entry, int]:
    """Read one entry of the directory; return it and where the next one begins."""
    if at + _CENTRAL.size > end or bytes(data[at : at + 4]) != b"PK\1\2":
        raise ArchiveError("the directory is damaged", offset=at)
    fields = _CENTRAL.unpack_from(data, at)
    flags, method, crc, packed, size = fields[3], fields[4], *fields[7:10]
    name_length, extra_length, comment_length, disk = fields[10:14]
    header = fields[16]
    after_name = at + _CENTRAL.size + name_length
    after = after_name + extra_length + comment_length
    if after > end:
        raise ArchiveError("the directory is damaged", offset=at)
    raw = bytes(data[at + _CENTRAL.size : after_name])
    extra = bytes(data[after_name : after_name + extra_length])
    size, packed, header = _with_zip64(extra, (size, packed, header), at)
    if flags & _ENCRYPTED or method not in (STORED, DEFLATED) or disk:
        raise ArchiveError("an entry is encrypted, or packed in an unknown way", offset=at)
    if method == STORED and packed != size:
        raise ArchiveError("a stored entry has two sizes", offset=at)
    start = _check_local(data, header, raw, (flags, method, crc, packed, size), directory)
    is_folder = raw.endswith(b"/") and not size
    name = _decoded(raw.removesuffix(b"/") if is_folder else raw, at)
    return Entry(name, method, crc, packed, size, header, start, is_folder), after


def _with_zip64(extra: bytes, numbers: tuple[int, int, int], at: int) -> tuple[int, ...]:
    """Replace numbers that do not fit into 32 bits by those of the zip64 block."""
    found = list(numbers)
    position = 0
    while position + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, position)
        block = extra[position + 4 : position + 4 + length]
        position += 4 + length
        wanted = [index for index, number in enumerate(found) if number == _UNKNOWN]
        if kind == 1 and len(block) >= 8 * len(wanted):
            for slot, index in enumerate(wanted):
                found[index] = int.from_bytes(block[8 * slot : 8 * slot + 8], "little")
    if position != len(extra):
        raise ArchiveError("the extra field of an entry is damaged", offset=at)
    return tuple(found)


def _check_local(
    data: memoryview, header: int, raw: bytes, told: tuple[int, ...], directory: int
) -> int:
    """Check an entry's local header against the directory; return where its data begins."""
    flags, method, crc, packed, size = told
    if header + _LOCAL.size > directory or bytes(data[header : header + 4]) != b"PK\3\4":
        raise ArchiveError("an entry does not begin where the directory says", offset=header)
    fields = _LOCAL.unpack_from(data, header)
    name_length, extra_length = fields[9:11]
    name = bytes(data[header + _LOCAL.size : header + _LOCAL.size + name_length])
    if name != raw or fields[3] != method or (fields[2] ^ flags) & _ENCRYPTED:
        raise ArchiveError("an entry and the directory contradict each other", offset=header)
    if not fields[2] & _HAS_DESCRIPTOR:
        for mine, theirs in zip(fields[6:9], (crc, packed, size), strict=True):
            if mine not in (theirs, _UNKNOWN):
                raise ArchiveError("an entry has two sizes or checksums", offset=header)
    start: int = header + _LOCAL.size + name_length + extra_length
    if start + packed > directory:
        raise ArchiveError("an entry reaches into the directory", offset=header)
    return start


def _decoded(raw: bytes, at: int) -> str:
    """Return an entry's name. Raises `ArchiveError` if it leads out of the archive."""
    try:
        name = raw.decode()
    except UnicodeDecodeError:
        raise ArchiveError("the name of an entry is not UTF-8", offset=at) from None
    parts = name.split("/")
    if "\\" in name or "\0" in name or any(part in ("", ".", "..") for part in parts):
        raise ArchiveError(f"the entry {name!r} has no proper name", offset=at)
    return name


def _refuse_overlaps(entries: list[Entry], directory: int) -> None:
    """Raise `ArchiveError` if the data of entries overlaps, or two names are equal."""
    reached = 0
    for entry in entries:
        if entry.header < reached:
            raise ArchiveError(f"the entry {entry.name} overlaps another", offset=entry.header)
        reached = entry.start + entry.packed
    if entries and entries[0].header != 0:
        raise ArchiveError("there are bytes before the first entry", offset=0)
    names: set[str] = set()
    for entry in entries:
        if entry.name.casefold() in names:
            raise ArchiveError(f"there are two entries {entry.name}")
        names.add(entry.name.casefold())
