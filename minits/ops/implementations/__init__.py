"""Python implementations of the operators that are not tensor operators.

`TABLE` has a row for each overload (`aten::add.int`); `FACTORIES` one for each kind of node whose
operation depends on the node (its attributes, its types); `BY_OVERLOAD` one for each overload that
does.

structure                      making and taking apart tuples, lists, dicts, objects; begin here
integers, numbers, complex_numbers, c_library
                               scalars; what C knows of them and Python does not
strings, text, hashing         formatting and printing
containers, sorting            lists and dicts
conversions, text_numbers      from one type to another
tensors                        operators of tensors that are no operators of the dispatcher
instances                      objects of script classes; types of values
autocast, remote               contexts of torch.autocast; remote calls

`ops/evaluate.py` looks rows up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.ops.implementations import (
    complex_numbers,
    containers,
    conversions,
    hashing,
    integers,
    numbers,
    remote,
    sorting,
    strings,
    tensors,
    text,
)
from minits.ops.implementations.structure import BY_OVERLOAD, FACTORIES

TABLE: dict[str, Callable[..., Any]] = {
    **numbers.TABLE,
    **complex_numbers.TABLE,
    **integers.TABLE,
    **strings.TABLE,
    **containers.TABLE,
    **sorting.TABLE,
    **conversions.TABLE,
    **hashing.TABLE,
    **tensors.TABLE,
    **text.TABLE,
    **remote.TABLE,
}

__all__ = ["BY_OVERLOAD", "FACTORIES", "TABLE"]
