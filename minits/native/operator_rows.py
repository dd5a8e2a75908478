"""The facts about an operator as C: the rows of `scalar_operators.py`, `list_operators.py`,
`text_operators.py` and `dict_operators.py`.

In texts `{0}` is the first operand, and `{item}` the member of `mts_value` by which lists hold
their items and dicts their values, `{key}` that of keys.
"""

from __future__ import annotations

from minits.records import dataclass


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator as C. `results` has an expression for each output, or a statement's for none.

    raises: where this condition holds, the function in `ops/implementations/` raises, and is asked
        for the error
    reads: the expressions read what other operators write, and are to be computed before these do
    writes: it is a statement; a second text is the expression of its output
    allocates: the expression is zero where there is not enough memory
    """

    results: tuple[str, ...]
    raises: str | None = None
    reads: bool = False
    writes: bool = False
    allocates: bool = False


def computing(*results: str, raises: str | None = None) -> Operator:
    """Return the row of an operator of what stays as it is."""
    return Operator(results, raises)


def reading(text: str, raises: str | None = None) -> Operator:
    """Return the row of an operator that reads what others write."""
    return Operator((text,), raises, reads=True)


def writing(text: str, raises: str | None = None, allocates: bool = False) -> Operator:
    """Return the row of a statement."""
    return Operator((text,), raises, writes=True, allocates=allocates)


def making(text: str, raises: str | None = None, reads: bool = False) -> Operator:
    """Return the row of an operator that makes something new, by what it may read."""
    return Operator((text,), raises, reads, allocates=True)
