"""Random statements, as lines, written with an account of what they define."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from conformance.fuzz.language.environment import Environment
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
    optional,
    random_kind,
)

Lines = list[str]
EXCEPTIONS = ("RuntimeError", "ValueError", "Exception", "TypeError", "NotImplementedError")


def indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


class Statements:
    """Writes blocks of statements; `environment` is brought up to date with each."""

    def __init__(self, random: Random, expressions: Expressions) -> None:
        self.random = random
        self.expressions = expressions
        self._forms: list[tuple[int, Callable[[Environment, int], Lines]]] = [
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
            (1, self._marking),
        ]

    def block(self, environment: Environment, count: int, depth: int) -> Lines:
        """Up to `count` statements, of which blocks nest at most `depth` deep; at least one."""
        lines: Lines = []
        for _ in range(count):
            if environment.ended:
                break
            lines += self._statement(environment, depth)
        return lines or ["pass"]

    def _statement(self, environment: Environment, depth: int) -> Lines:
        forms = self._forms if depth > 0 else self._forms[:-4]
        (form,) = self.random.choices(
            [form for _, form in forms], weights=[weight for weight, _ in forms]
        )
        return form(environment, depth)

    def _write(self, wanted: Kind, environment: Environment, depth: int = 2) -> str:
        return self.expressions.write(
            wanted, environment, self.random.randint(min(depth, 1), depth)
        )

    # ---- Assignments ---------------------------------------------------------------------------

    def _new_variable(self, environment: Environment, depth: int) -> Lines:
        wanted, name = random_kind(self.random), self.expressions.new_name()
        if self.expressions.classes and self.random.random() < 0.4:
            wanted = self.random.choice([*self.expressions.classes])
        value = self._write(wanted, environment)
        annotated = wanted.name == "Optional" or self.random.random() < 0.15
        environment.define(name, wanted)
        return [f"{name}: {wanted} = {value}" if annotated else f"{name} = {value}"]

    def _assignment(self, environment: Environment, depth: int) -> Lines:
        names = environment.assignable()
        if not names:
            return self._new_variable(environment, depth)
        name = self.random.choice(names)
        declared = environment.variables[name].declared
        if declared.name == "Optional" and self.random.random() < 0.5:
            return self._refining_assignment(name, declared.of[0], environment)
        value = self._write(declared, environment)
        environment.refine(name, declared)
        return [f"{name} = {value}"]

    def _refining_assignment(self, name: str, inner: Kind, environment: Environment) -> Lines:
        value = self._write(inner, environment)
        environment.refine(name, inner)
        return [f"{name} = {value}"]

    def _update(self, environment: Environment, depth: int) -> Lines:
        name = self.random.choice(environment.updatable() or [""])
        line = name and self.expressions.update(name, environment)
        return [line] if line else self._new_variable(environment, depth)

    def _unpacking(self, environment: Environment, depth: int) -> Lines:
        kinds = [random_kind(self.random, 2) for _ in range(self.random.randint(2, 3))]
        names = [self.expressions.new_name() for _ in kinds]
        value = self._write(Kind("Tuple", tuple(kinds)), environment)
        for name, made in zip(names, kinds, strict=True):
            environment.define(name, made)
        return [f"{', '.join(names)} = {value}"]

    def _several_targets(self, environment: Environment, depth: int) -> Lines:
        wanted = self.random.choice(SIMPLE)
        names = [self.expressions.new_name() for _ in range(2)]
        value = self._write(wanted, environment)
        for name in names:
            environment.define(name, wanted)
        return [f"{' = '.join(names)} = {value}"]

    # ---- Leaving -------------------------------------------------------------------------------

    def _assertion(self, environment: Environment, depth: int) -> Lines:
        names = [n for n, v in environment.variables.items() if v.kind.name == "Optional"]
        if names and self.random.random() < 0.6:
            name = self.random.choice(names)
            environment.refine(name, environment.variables[name].kind.of[0])
            return [f"assert {name} is not None"]
        message = self.random.choice(("", ", 'no'", f", {self._write(STR, environment, 1)}"))
        return [f"assert {self._write(BOOL, environment)}{message}"]

    def leaving(self, environment: Environment) -> Lines:
        """A statement that ends its block."""
        environment.ended = True
        if environment.in_loop and self.random.random() < 0.6:
            return [self.random.choice(("break", "continue"))]
        if self.random.random() < 0.2:
            message = self.random.choice(("'no'", self._write(STR, environment, 1)))
            return [f"raise {self.random.choice(EXCEPTIONS)}({message})"]
        return [f"return {self._write(environment.result, environment)}"]

    # ---- Blocks --------------------------------------------------------------------------------

    def _inner_block(self, environment: Environment, depth: int, leaves: float) -> Lines:
        """The lines of a block within; `leaves` is how likely it ends with a jump."""
        lines = self.block(environment, self.random.randint(1, 3), depth - 1)
        if not environment.ended and self.random.random() < leaves:
            lines = ([] if lines == ["pass"] else lines) + self.leaving(environment)
        return indented(lines)

    def _with(self, environment: Environment, depth: int) -> Lines:
        inner = environment.inner()
        lines = self._inner_block(inner, min(depth, 1), 0.1)
        environment.variables, environment.ended = inner.variables, inner.ended
        return ["with torch.no_grad():", *lines]

    def _if(self, environment: Environment, depth: int) -> Lines:
        then, otherwise = environment.inner(), environment.inner()
        condition = self._condition(environment, then, otherwise)
        lines = [f"if {condition}:", *self._inner_block(then, depth, 0.25)]
        if self.random.random() < 0.6:
            lines += self._else(then, otherwise, depth)
        environment.join(then, otherwise)
        return lines

    def _else(self, then: Environment, otherwise: Environment, depth: int) -> Lines:
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

    def _condition(
        self, environment: Environment, then: Environment, otherwise: Environment
    ) -> str:
        names = [n for n, v in environment.variables.items() if v.kind.name == "Optional"]
        if not names or self.random.random() < 0.3:
            return self._write(BOOL, environment)
        name = self.random.choice(names)
        inner = environment.variables[name].kind.of[0]
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

    def _for(self, environment: Environment, depth: int) -> Lines:
        inner = environment.enter_loop(lambda name: self.random.random() < 0.5)
        head = self._iteration(environment, inner)
        lines = self._inner_block(inner, depth, 0.1)
        environment.after_loop(inner)
        return [f"for {head}:", *lines]

    def _iteration(self, environment: Environment, inner: Environment) -> str:
        """`x in xs`; the names are defined in `inner`."""
        name, other = self.expressions.new_name("i"), self.expressions.new_name("i")
        item, key = self.random.choice(SIMPLE), self.random.choice(KEYS)
        items = self._write(list_of(item), environment)
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
                return f"{name}, {other} in zip({items}, {self._write(list_of(key), environment)})"
            case 5:
                inner.define(name, key)
                inner.define(other, item)
                items = self._write(Kind("Dict", (key, item)), environment)
                return f"{name}, {other} in {items}.items()"
            case 6:
                inner.define(name, STR)
                return f"{name} in {self._write(STR, environment)}"
            case 7:
                inner.define(name, TENSOR)
                return f"{name} in torch.tensor([1.0, 2.0])"
        inner.define(name, item)
        return f"{name} in {items}"

    def _while(self, environment: Environment, depth: int) -> Lines:
        counter = self.expressions.new_name("n")
        environment.define(counter, INT, is_fixed=True)
        inner = environment.enter_loop(lambda name: self.random.random() < 0.5)
        condition = f"{counter} < {self.random.randint(1, 3)}"
        if self.random.random() < 0.3:
            condition += f" and {self._write(BOOL, inner)}"
        lines = self._inner_block(inner, depth, 0.1)
        environment.after_loop(inner)
        return [f"{counter} = 0", f"while {condition}:", f"    {counter} += 1", *lines]

    def _marking(self, environment: Environment, depth: int) -> Lines:
        """A loop that sets a variable, clears it, and in some branches leaves it as it is."""
        name, item = self.expressions.new_name(), self.random.choice(SIMPLE)
        environment.define(name, optional(item))
        first = self.random.choice(("None", self._write(item, environment, 1)))
        inner = environment.enter_loop(lambda name: False)
        head = self._iteration(environment, inner)
        branches = [[f"{name} = {self._write(item, inner, 1)}"], ["pass"], [f"{name} = None"]]
        self.random.shuffle(branches)
        lines: Lines = []
        for word, branch in zip(("if", "elif", "elif"), branches, strict=True):
            test = self.random.choice((f"{name} is None", f"{name} is not None"))
            condition = self.random.choice((test, self._write(BOOL, inner, 1)))
            lines += [f"{word} {condition}:", *indented(branch)]
        environment.after_loop(inner)
        return [f"{name}: {optional(item)} = {first}", f"for {head}:", *indented(lines)]
