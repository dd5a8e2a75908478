"""What is remembered of functions and classes, beside attributes of any name that they have."""

import pytest

import minits
from minits.kept import KeptTable

TABLE: KeptTable[int] = KeptTable()


class Counter:
    def __init__(self, start: int):
        self.start = start

    @property
    def _minits(self) -> int:
        return self.start + 1


def program() -> int:
    return Counter(2)._minits


def identity(x: int) -> int:
    return x


identity._minits = "of the program"  # type: ignore[attr-defined]


def test_a_class_keeps_its_own_attribute() -> None:
    for _ in range(3):
        assert minits.script(program)() == 3
        assert Counter(2)._minits == 3


def test_an_entry_is_beside_the_attributes_of_its_owner() -> None:
    for owner in (Counter, identity):
        TABLE[owner] = 5
        assert TABLE[owner] == 5 and owner._minits != 5  # type: ignore[attr-defined]
        assert TABLE.pop(owner) == 5
        with pytest.raises(KeyError):
            TABLE[owner]
    assert minits.script(identity)(4) == 4
    assert identity._minits == "of the program"  # type: ignore[attr-defined]
