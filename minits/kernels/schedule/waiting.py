"""Values that wait between the sweeps over a row on a GPU: in registers, or in shared memory.

    softmax of x / s        sweep 0 leaves x / s, sweep 1 takes it and leaves the exponential

Both wait in one place: a thread takes an element before it leaves another one.
"""

from __future__ import annotations

from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.schedule.sweeps import Sweep, sweeps_of


def cuda_sweeps(kernel: Kernel, keeps: bool) -> list[Sweep]:
    """Return the sweeps over each row.

    If `keeps`, a sweep does not compute what an earlier one did, but for indices. Scans are always
    kept.
    """
    may_be_kept = {
        value
        for value in kernel.values
        if value.is_scan or (keeps and value.op not in ("index", "position"))
    }
    return sweeps_of(kernel, may_be_kept)


def places(kernel: Kernel) -> dict[Scalar, int]:
    """Return the place of each value that waits: the number of its first 32-bit word."""
    sweeps = cuda_sweeps(kernel, keeps=True)
    last = {value: number for number, sweep in enumerate(sweeps) for value in sweep.reread}
    found: dict[Scalar, int] = {}
    for number, sweep in enumerate(sweeps):
        for value in sweep.kept:
            if not value.is_scan:
                held = [each for each in found if last[each] > number]
                found[value] = _first_free(value, {each: found[each] for each in held})
    return found


def _first_free(value: Scalar, held: dict[Scalar, int]) -> int:
    """Return a place that none of those that are held has a word of; doubles begin at even ones."""
    taken = {place + word for each, place in held.items() for word in range(words(each))}
    place = 0
    while taken & {*range(place, place + words(value))}:
        place += words(value)
    return place


def words(value: Scalar) -> int:
    """Return the 32-bit words, or registers, in which a value waits."""
    size: int = value.dtype.itemsize
    return max(1, size // 4)


def most_words(kernel: Kernel) -> int:
    """Return the 32-bit words that wait at once, at most, for each element of a row."""
    return max([place + words(value) for value, place in places(kernel).items()], default=0)
