"""Random changes of archives.

Most changes are made to one record, and the archive is packed anew with the right checksums, so
that what reads the record meets them; the others are made to the bytes of the whole file.
"""

from __future__ import annotations

import pickletools
import re
from collections.abc import Callable
from random import Random

from conformance.fuzz.archives.corpus import Records, packed

_TOKEN = re.compile(rb"[A-Za-z_][A-Za-z_0-9.]*|[0-9.]+|\"[^\"\n]*\"|\s+|.", re.DOTALL)
_INTERESTING = (
    b"\x00", b"\x01", b"\x7f", b"\x80", b"\xff", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f",
    b"\x00\x00\x00\x80", b"\xff" * 8, b"\xff" * 7 + b"\x7f", b"\n" * 50, b"(" * 300, b")" * 20,
    b"h\x00", b"q\x00", b"\x85" * 40,
    b"R", b"b", b"\x81", b"Q", b"u", b"e", b"t", b".", b"N", b"]", b"}",
)  # fmt: skip
_WORDS = (
    b"CONSTANTS.c0", b"None", b"inf", b"torch.zeros", b"annotate", b"List[int]", b"while", b"for",
    b"__torch__", b"self", b"return", b"Optional[Tensor]", b"unchecked_cast", b"uninitialized",
    b"fork", b"getattr", b"ops.prim.RaiseException", b"99999999999999999999", b"-1", b"1e400",
    b"Tuple[()]", b"Union[int, str]", b"if", b"else", b"pass", b"class", b"def", b"lambda", b"Any",
    b"isinstance", b"with", b"torch.expand", b"[100000, 100000]", b"break", b"global", b"async",
)  # fmt: skip

Mutation = Callable[[bytes, bytes, Random], bytes]
"""Returns changed bytes, of a record and of another one of its kind."""


def mutated(records: Records, other: Records, generator: Random) -> bytes:
    """Return a changed archive; `other` gives what is put into it."""
    if generator.random() < 0.15:
        return changed_bytes(packed(records), packed(other), generator)
    changed = dict(records)
    for _ in range(generator.choice((1, 1, 1, 2, 3))):
        name = generator.choice([n for n in changed if n != "byteorder"])
        donor = generator.choice([n for n in other if _kind(n) == _kind(name)] or [name])
        mutation = generator.choice(_MUTATIONS[_kind(name)])
        for _ in range(generator.choice((1, 1, 2, 4, 8))):
            changed[name] = mutation(changed[name], other.get(donor, b""), generator)
    if generator.random() < 0.05:
        del changed[generator.choice(list(changed))]
    return packed(changed, compressed=generator.random() < 0.2)


def _kind(name: str) -> str:
    if name.endswith((".pkl", ".debug_pkl")):
        return "pickle"
    return "code" if name.endswith(".py") else "bytes"


# ---- Bytes -------------------------------------------------------------------------------------


def changed_bytes(content: bytes, other: bytes, generator: Random) -> bytes:
    """Return the content with some bytes overwritten, left out, doubled or put in."""
    at = generator.randrange(len(content) + 1)
    length = generator.choice((1, 1, 2, 4, 8, 40))
    match generator.randrange(6):
        case 0:
            return content[:at] + bytes([generator.randrange(256)]) + content[at + 1 :]
        case 1:
            return content[:at] + content[at + length :]
        case 2:
            return content[:at] + content[at : at + length] + content[at:]
        case 3:
            new = generator.choice(_INTERESTING)
            return content[:at] + new + content[at + generator.choice((0, len(new))) :]
        case 4:
            begin = generator.randrange(len(other) + 1)
            return content[:at] + other[begin : begin + length] + content[at:]
        case _:
            flipped = bytes(byte ^ 1 << generator.randrange(8) for byte in content[at : at + 1])
            return content[:at] + flipped + content[at + 1 :]


# ---- Pickles -----------------------------------------------------------------------------------


def changed_operations(content: bytes, other: bytes, generator: Random) -> bytes:
    """Return a pickle in which whole operations were left out, doubled, exchanged or put in."""
    operations, others = _operations(content), _operations(other)
    if len(operations) < 3:
        return content
    at = generator.randrange(1, len(operations))
    end = min(len(operations), at + generator.choice((1, 1, 2, 5, 20)))
    match generator.randrange(5):
        case 0:
            del operations[at:end]
        case 1:
            operations[at:at] = operations[at:end] * generator.choice((1, 1, 2, 50))
        case 2:
            begin = generator.randrange(len(others) or 1)
            operations[at:at] = others[begin : begin + end - at]
        case 3:
            back = generator.randrange(1, len(operations))
            operations[at], operations[back] = operations[back], operations[at]
        case _:
            operations[at] = generator.choice(others or operations)
    return b"".join(operations)


def _operations(content: bytes) -> list[bytes]:
    """Return the bytes of each operation, of those before one that is damaged."""
    starts = []
    try:
        for _, _, position in pickletools.genops(content):
            starts.append(position or 0)
    except Exception:  # of a pickle that was changed before
        starts = starts or [0]
    return [content[a:b] for a, b in zip(starts, [*starts[1:], len(content)], strict=True)]


# ---- Code --------------------------------------------------------------------------------------


def changed_tokens(content: bytes, other: bytes, generator: Random) -> bytes:
    """Return code in which words were left out, doubled, exchanged or put in."""
    tokens, others = _TOKEN.findall(content), _TOKEN.findall(other)
    if not tokens:
        return content
    at = generator.randrange(len(tokens))
    end = at + generator.choice((1, 1, 2, 6, 30))
    match generator.randrange(6):
        case 0:
            del tokens[at:end]
        case 1:
            tokens[at:at] = tokens[at:end] * generator.choice((1, 1, 2, 100))
        case 2:
            tokens[at] = generator.choice(_WORDS)
        case 3:
            begin = generator.randrange(len(others) or 1)
            tokens[at:at] = others[begin : begin + end - at]
        case 4:
            tokens[at] = generator.choice(others or tokens)
        case _:
            tokens[at] = generator.choice(tokens)
    return b"".join(tokens)


def changed_lines(content: bytes, other: bytes, generator: Random) -> bytes:
    """Return code in which lines were left out, doubled, moved, put in or indented."""
    lines, others = content.splitlines(keepends=True), other.splitlines(keepends=True)
    if not lines:
        return content
    at = generator.randrange(len(lines))
    match generator.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines[at:at] = [lines[at]] * generator.choice((1, 3, 200))
        case 2:
            lines.insert(generator.randrange(len(lines)), lines[at])
        case 3:
            lines.insert(at, generator.choice(others or lines))
        case _:
            lines[at] = b"  " + lines[at] if generator.random() < 0.5 else lines[at].lstrip()
    return b"".join(lines)


_MUTATIONS: dict[str, tuple[Mutation, ...]] = {
    "bytes": (changed_bytes,),
    "pickle": (changed_bytes, changed_operations, changed_operations),
    "code": (changed_bytes, changed_tokens, changed_tokens, changed_lines),
}
