"""The types of random programs, and random values of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Any

import torch


@dataclass(frozen=True, slots=True)
class Kind:
    """A type as an annotation spells it: `Dict[str, List[int]]`."""

    name: str
    of: tuple[Kind, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(map(str, self.of))}]" if self.of else self.name

    @property
    def depth(self) -> int:
        return 1 + max((inner.depth for inner in self.of), default=0)

    @property
    def is_mutable(self) -> bool:
        is_class = self.name[:1] == "C" and self.name[1:].isdigit()
        mutable = is_class or self.name in ("List", "Dict", "Tensor")
        return mutable or any(k.is_mutable for k in self.of)

    def given(self, meaning: dict[str, Kind]) -> Kind:
        """Put kinds in the place of the names that stand for some."""
        if self.name in meaning:
            return meaning[self.name]
        return Kind(self.name, tuple(inner.given(meaning) for inner in self.of))


def kind(text: str) -> Kind:
    """Read an annotation."""
    words = re.findall(r"\w+|[\[\]]", text)

    def read() -> Kind:
        name = words.pop(0)
        inner = []
        if words and words[0] == "[":
            words.pop(0)
            while words[0] != "]":
                inner.append(read())
            words.pop(0)
        return Kind(name, tuple(inner))

    return read()


INT, FLOAT, BOOL, STR, TENSOR = map(Kind, ("int", "float", "bool", "str", "Tensor"))
SIMPLE = (INT, INT, INT, FLOAT, FLOAT, BOOL, STR, TENSOR)
KEYS = (INT, STR, STR)
MOST_DEPTH = 3
TEXTS = ("", "a", "ab", "b", "Hello", "x y", "1", "-2", "B", "aXb", " a ")


def list_of(element: Kind) -> Kind:
    return Kind("List", (element,))


def optional(inner: Kind) -> Kind:
    return inner if inner.name == "Optional" else Kind("Optional", (inner,))


def random_kind(random: Random, depth: int = MOST_DEPTH) -> Kind:
    """A kind that is nested no deeper than `depth`."""
    form = random.choice(["simple"] * 5 + ["List", "List", "Dict", "Tuple", "Optional", "Optional"])
    if depth <= 1 or form == "simple":
        return random.choice(SIMPLE)
    inner = [random_kind(random, depth - 1) for _ in range(random.randint(1, 3))]
    match form:
        case "Dict":
            return Kind(form, (random.choice(KEYS), inner[0]))
        case "Tuple":
            return Kind(form, tuple(inner))
        case "Optional":
            return optional(inner[0])
    return list_of(inner[0])


def random_value(random: Random, wanted: Kind) -> Any:
    """A value to call a program with."""
    match wanted.name:
        case "int":
            return random.choice((0, 1, 2, 3, -1, -2, -3, 5, 7, 100))
        case "float":
            return random.choice((0.0, 0.5, 1.0, 1.5, -0.25, -2.0, 3.75, 1e3, -0.0))
        case "bool":
            return random.random() < 0.5
        case "str":
            return random.choice(TEXTS)
        case "Tensor":
            return _random_tensor(random)
        case "Optional":
            return None if random.random() < 0.4 else random_value(random, wanted.of[0])
        case "Tuple":
            return tuple(random_value(random, item) for item in wanted.of)
        case "Dict":
            key, value = wanted.of
            keys = [random_value(random, key) for _ in range(random.randint(0, 3))]
            return {found: random_value(random, value) for found in keys}
    return [random_value(random, wanted.of[0]) for _ in range(random.choice((0, 1, 2, 3, 3, 4)))]


def _random_tensor(random: Random) -> torch.Tensor:
    number = random.choice((0.0, 1.0, -1.0, 2.5, -0.5))
    made: torch.Tensor = torch.tensor(number if random.random() < 0.7 else [number, 1.0])
    return made
