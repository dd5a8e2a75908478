"""The variables of a random program at a statement of it, and their kinds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from conformance.fuzz.language.kinds import Kind


@dataclass(frozen=True, slots=True)
class Variable:
    """A name's type, and what may be assigned to it."""

    kind: Kind
    """The type, refined where a test has shown more than the declared one says."""
    declared: Kind
    is_fixed: bool = False
    """Whether it must not be assigned to: a loop would never end."""
    is_constant: bool = False
    """Whether what it stands for must not be changed."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program that later ones may call."""

    name: str
    parameters: tuple[tuple[str, Kind], ...]
    required: int
    """How many parameters have no default."""
    result: Kind


@dataclass(slots=True)
class Environment:
    """The variables before a statement, and what statements may stand there."""

    result: Kind
    variables: dict[str, Variable] = field(default_factory=dict)
    in_loop: bool = False
    ended: bool = False
    """Whether nothing may follow, as after a return."""

    def inner(self, in_loop: bool = False) -> Environment:
        """The environment of a block; what it defines is not defined after it."""
        return Environment(self.result, dict(self.variables), self.in_loop or in_loop)

    def define(self, name: str, kind: Kind, is_fixed: bool = False) -> None:
        """Add a variable; one that is fixed is not updated either."""
        self.variables[name] = Variable(kind, kind, is_fixed, is_constant=is_fixed)

    def refine(self, name: str, kind: Kind) -> None:
        self.variables[name] = replace(self.variables[name], kind=kind)

    def names(self, kind: Kind) -> list[str]:
        """The variables of a type."""
        return [name for name, found in self.variables.items() if found.kind == kind]

    def assignable(self) -> list[str]:
        return [name for name, found in self.variables.items() if not found.is_fixed]

    def updatable(self) -> list[str]:
        return [name for name, found in self.variables.items() if not found.is_constant]

    def enter_loop(self, chosen: Callable[[str], bool]) -> Environment:
        """The environment of a loop's body. Of the variables of mutable types, those that are
        chosen may be assigned to, but what they stand for is not changed any more; the others are
        fixed.

        torch forgets that a variable that a loop assigns to may still be what it was before, or
        was in the iteration before, and leaves out what is done to that.
        """
        inner = self.inner(in_loop=True)
        for name, found in self.variables.items():
            if found.declared.is_mutable and not found.is_fixed:
                if chosen(name):
                    self.variables[name] = inner.variables[name] = replace(found, is_constant=True)
                else:
                    inner.variables[name] = replace(found, is_fixed=True)
        return inner

    def join(self, then: Environment, otherwise: Environment) -> None:
        """Merge the scopes of an if's two blocks into this one."""
        self.ended = then.ended and otherwise.ended
        if then.ended or otherwise.ended:
            self.variables = (otherwise if then.ended else then).variables
            return
        self.variables = {
            name: found if found.kind == then.variables[name].kind else _unrefined(found)
            for name, found in otherwise.variables.items()
            if name in then.variables and found.declared == then.variables[name].declared
        }

    def after_loop(self, body: Environment) -> None:
        """Forget the refinements that the body of a loop, which may not have run, has changed."""
        for name, found in self.variables.items():
            if body.variables[name].kind != found.kind:
                self.variables[name] = _unrefined(found)


def _unrefined(variable: Variable) -> Variable:
    return replace(variable, kind=variable.declared)
