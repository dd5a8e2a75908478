"""Limits on the resources that reading an archive may use.

Whoever hands over an archive chooses every number in it; no memory is taken and no loop is run on
its word alone.
"""

from __future__ import annotations

from minits.records import dataclass

MIB = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes are in bytes. A writer that leaves out checksums is read with `check_crc=False`."""

    entries: int = 100_000
    code_bytes: int = 64 * MIB
    code_steps: int = 100_000
    code_steps_each: int = 10
    """Lines, operators, brackets and commas of code: so many, and so many for each packed byte of
    it. Code packs to a tenth, and has one of these in four characters: this is four times more."""
    pickle_bytes: int = 256 * MIB
    compression_ratio: int = 1100
    """deflate reaches 1032:1; more is a lie about the size."""
    inflated_bytes: int = 1024 * MIB
    """The most bytes that all compressed entries together may unpack to."""
    pickle_steps: int = 20_000_000
    memo_entries: int = 4_000_000
    nesting: int = 100
    """Of lists, tuples and dicts in one another, and of type texts."""
    blocks: int = 10_000
    """Of code in one another. A program's early returns are printed as nested blocks."""
    type_text: int = 65536
    type_parts: int = 4096
    """Of a type that is written out: a NamedTuple counts wherever it is a part."""
    state_steps: int = 500_000
    """Operations that all `__setstate__` of an archive may run together."""
    state_bytes: int = 256 * MIB
    state_bytes_each: int = 32
    """Bytes that these may read and make: so many, and so many for each byte of the archive."""
    check_crc: bool = True


DEFAULT_LIMITS = Limits()
