"""Random statements, as lines, written with an account of what they define."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from conformance.fuzz.language.expressions import Expressions
from conformance.fuzz.language.kinds import (
    BOOL,
    INT,
    KEYS,
    SIMPLE,
    STR,
    TENSOR,
    Kind,
    list_of,
    random_kind,
)
from conformance.fuzz.language.scope import Scope

Lines = list[str]
EXCEPTIONS = ("RuntimeError", "ValueError", "Exception", "TypeError", "NotImplementedError")


def indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


class Statements:
    """Writes blocks of statements; `scope` is brought up to date with each."""

    def __init__(self, random: Random, expressions: Expressions) -> None:
        self.random = random
        self.expressions = expressions
        self._forms: list[tuple[int, Callable[[Scope, int], Lines]]] = [
            (5, self._new_variable),
            (4, self._assignment),
            (4, self._update),
            (1, self._unpacking),
            (1, self._several_targets),
            (1, self._assertion),
            (1, self._with),
            (5, self._if),
            (3, self._for),
            (1, self._while),
        ]

    def block(self, scope: Scope, count: int, depth: int) -> Lines:
        """Up to `count` statements, of which blocks nest at most `depth` deep; at least one."""
        lines: Lines = []
        for _ in range(count):
            if scope.ended:
                break
            lines += self._statement(scope, depth)
        return lines or ["pass"]

    def _statement(self, scope: Scope, depth: int) -> Lines:
        forms = self._forms if depth > 0 else self._forms[:-3]
        (form,) = self.random.choices(
            [form for _, form in forms], weights=[weight for weight, _ in forms]
        )
        return form(scope, depth)

    def _write(self, wanted: Kind, scope: Scope, depth: int = 2) -> str:
        return self.expressions.write(wanted, scope, self.random.randint(min(depth, 1), depth))

    # ---- Assignments ---------------------------------------------------------------------------

    def _new_variable(self, scope: Scope, depth: int) -> Lines:
        wanted, name = random_kind(self.random), self.expressions.new_name()
        value = self._write(wanted, scope)
        annotated = wanted.name == "Optional" or self.random.random() < 0.15
        scope.define(name, wanted)
        return [f"{name}: {wanted} = {value}" if annotated else f"{name} = {value}"]

    def _assignment(self, scope: Scope, depth: int) -> Lines:
        names = scope.assignable()
        if not names:
            return self._new_variable(scope, depth)
        name = self.random.choice(names)
        declared = scope.variables[name].declared
        if declared.name == "Optional" and self.random.random() < 0.5:
            return self._refining_assignment(name, declared.of[0], scope)
        value = self._write(declared, scope)
        scope.refine(name, declared)
        return [f"{name} = {value}"]

    def _refining_assignment(self, name: str, inner: Kind, scope: Scope) -> Lines:
        value = self._write(inner, scope)
        scope.refine(name, inner)
        return [f"{name} = {value}"]

    def _update(self, scope: Scope, depth: int) -> Lines:
        name = self.random.choice(scope.updatable() or [""])
        line = name and self.expressions.update(name, scope)
        return [line] if line else self._new_variable(scope, depth)

    def _unpacking(self, scope: Scope, depth: int) -> Lines:
        kinds = [random_kind(self.random, 2) for _ in range(self.random.randint(2, 3))]
        names = [self.expressions.new_name() for _ in kinds]
        value = self._write(Kind("Tuple", tuple(kinds)), scope)
        for name, made in zip(names, kinds, strict=True):
            scope.define(name, made)
        return [f"{', '.join(names)} = {value}"]

    def _several_targets(self, scope: Scope, depth: int) -> Lines:
        wanted = self.random.choice(SIMPLE)
        names = [self.expressions.new_name() for _ in range(2)]
        value = self._write(wanted, scope)
        for name in names:
            scope.define(name, wanted)
        return [f"{' = '.join(names)} = {value}"]

    # ---- Leaving -------------------------------------------------------------------------------

    def _assertion(self, scope: Scope, depth: int) -> Lines:
        names = [n for n, v in scope.variables.items() if v.kind.name == "Optional"]
        if names and self.random.random() < 0.6:
            name = self.random.choice(names)
            scope.refine(name, scope.variables[name].kind.of[0])
            return [f"assert {name} is not None"]
        message = self.random.choice(("", ", 'no'", f", {self._write(STR, scope, 1)}"))
        return [f"assert {self._write(BOOL, scope)}{message}"]

    def leaving(self, scope: Scope) -> Lines:
        """A statement that ends its block."""
        scope.ended = True
        if scope.in_loop and self.random.random() < 0.6:
            return [self.random.choice(("break", "continue"))]
        if self.random.random() < 0.2:
            message = self.random.choice(("'no'", self._write(STR, scope, 1)))
            return [f"raise {self.random.choice(EXCEPTIONS)}({message})"]
        return [f"return {self._write(scope.result, scope)}"]

    # ---- Blocks --------------------------------------------------------------------------------

    def _inner_block(self, scope: Scope, depth: int, leaves: float) -> Lines:
        """The lines of a block within; `leaves` is how likely it ends with a jump."""
        lines = self.block(scope, self.random.randint(1, 3), depth - 1)
        if not scope.ended and self.random.random() < leaves:
            lines = ([] if lines == ["pass"] else lines) + self.leaving(scope)
        return indented(lines)

    def _with(self, scope: Scope, depth: int) -> Lines:
        inner = scope.inner()
        lines = self._inner_block(inner, min(depth, 1), 0.1)
        scope.variables, scope.ended = inner.variables, inner.ended
        return ["with torch.no_grad():", *lines]

    def _if(self, scope: Scope, depth: int) -> Lines:
        then, otherwise = scope.inner(), scope.inner()
        condition = self._condition(scope, then, otherwise)
        lines = [f"if {condition}:", *self._inner_block(then, depth, 0.25)]
        if self.random.random() < 0.6:
            lines += self._else(then, otherwise, depth)
        scope.join(then, otherwise)
        return lines

    def _else(self, then: Scope, otherwise: Scope, depth: int) -> Lines:
        if self.random.random() < 0.25:
            inner = self._if(otherwise, depth - 1)
            return [f"el{inner[0]}", *inner[1:]]
        lines = self._inner_block(otherwise, depth, 0.2)
        fresh = [name for name in then.variables if name not in otherwise.variables]
        if not otherwise.ended:
            for name in fresh[:2]:
                made = then.variables[name].declared
                value = self._write(made, otherwise, 1)
                annotation = f": {made}" if made.name == "Optional" else ""
                lines += indented([f"{name}{annotation} = {value}"])
                otherwise.define(name, made)
        return ["else:", *lines]

    def _condition(self, scope: Scope, then: Scope, otherwise: Scope) -> str:
        names = [n for n, v in scope.variables.items() if v.kind.name == "Optional"]
        if not names or self.random.random() < 0.3:
            return self._write(BOOL, scope)
        name = self.random.choice(names)
        inner = scope.variables[name].kind.of[0]
        match self.random.randint(0, 5):
            case 0:
                otherwise.refine(name, inner)
                return f"{name} is None"
            case 1:
                then.refine(name, inner)
                return f"{name} is not None and {self._write(BOOL, then)}"
            case 2:
                otherwise.refine(name, inner)
                return f"{name} is None or {self._write(BOOL, otherwise)}"
            case 3:
                otherwise.refine(name, inner)
                return f"not {name} is not None"
        then.refine(name, inner)
        return f"{name} is not None"

    def _for(self, scope: Scope, depth: int) -> Lines:
        inner = scope.enter_loop(lambda name: self.random.random() < 0.5)
        head = self._iteration(scope, inner)
        lines = self._inner_block(inner, depth, 0.1)
        scope.after_loop(inner)
        return [f"for {head}:", *lines]

    def _iteration(self, scope: Scope, inner: Scope) -> str:
        """`x in xs`; the names are defined in `inner`."""
        name, other = self.expressions.new_name("i"), self.expressions.new_name("i")
        item, key = self.random.choice(SIMPLE), self.random.choice(KEYS)
        items = self._write(list_of(item), scope)
        match self.random.randint(0, 9):
            case 0 | 1 | 2:
                inner.define(name, INT)
                bounds = self.random.choice(("3", "1, 4", "5, 0, -2", f"len({items})"))
                return f"{name} in range({bounds})"
            case 3:
                inner.define(name, INT)
                inner.define(other, item)
                return f"{name}, {other} in enumerate({items})"
            case 4:
                inner.define(name, item)
                inner.define(other, key)
                return f"{name}, {other} in zip({items}, {self._write(list_of(key), scope)})"
            case 5:
                inner.define(name, key)
                inner.define(other, item)
                return f"{name}, {other} in {self._write(Kind('Dict', (key, item)), scope)}.items()"
            case 6:
                inner.define(name, STR)
                return f"{name} in {self._write(STR, scope)}"
            case 7:
                inner.define(name, TENSOR)
                return f"{name} in torch.tensor([1.0, 2.0])"
        inner.define(name, item)
        return f"{name} in {items}"

    def _while(self, scope: Scope, depth: int) -> Lines:
        counter = self.expressions.new_name("n")
        scope.define(counter, INT, is_fixed=True)
        inner = scope.enter_loop(lambda name: self.random.random() < 0.5)
        condition = f"{counter} < {self.random.randint(1, 3)}"
        if self.random.random() < 0.3:
            condition += f" and {self._write(BOOL, inner)}"
        lines = self._inner_block(inner, depth, 0.1)
        scope.after_loop(inner)
        return [f"{counter} = 0", f"while {condition}:", f"    {counter} += 1", *lines]
