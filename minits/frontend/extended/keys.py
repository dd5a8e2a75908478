"""Keys: what facts and refinements of the extended dialect are about, beside variables."""

from __future__ import annotations

from minits.frontend.values.refinement import Key
from minits.records import dataclass


@dataclass(frozen=True)
class PathKey(Key):
    """A place, by its access path: `self.cfg.masks[i]`."""

    text: str


@dataclass(frozen=True)
class UnchangedKey(Key):
    """A test, by its text: it has the value that it had when it was tested."""

    text: str


@dataclass(frozen=True)
class LiteralKey(Key):
    """A test, by its text: it is known to be true, or to be false."""

    text: str


@dataclass(frozen=True)
class ConditionalDefinitionKey(Key):
    """A variable that only one branch has assigned."""

    name: str


@dataclass(frozen=True)
class StoredKey(Key):
    """A variable that holds a condition."""

    name: str
