"""The programs of a module: what is compiled, and what is not, and why.

What the file itself compiles comes first, then modules, then what is named. A class that an
instance of another program holds is compiled with that, as it is used there; a class of its own is
made for it only if there is none (`instances`).
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterator
from typing import Any

from torch import nn

from minits import torch_internals as internals
from minits.check.compiled_names import TextScan
from minits.check.instances import Made, NotMade, evaluate_module, make_instance
from minits.check.own_functions import reason_for_python
from minits.check.results import Unchecked
from minits.diagnostics import CompileError, error
from minits.identity import Identity
from minits.internal_error import told
from minits.records import dataclass, field
from minits.runtime.script import ScriptFunction
from minits.source import SourceFile, SourceRange

UNNAMED = "nothing in the file compiles it, and it is not named"
"""The reason for which functions are no programs, but in files of functions."""


@dataclass(frozen=True, slots=True)
class Program:
    """Something to compile. `line`: where it is defined or compiled, for a fault without place.

    expression: how the instance was made, if the check made up its arguments.
    """

    name: str
    value: Any
    line: int
    expression: str = ""


@dataclass(eq=False, slots=True)
class Found:
    """The programs of a module. `failed`: faults of making them, by the class."""

    programs: list[Program] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    failed: list[tuple[str, int, Exception]] = field(default_factory=list)


class Discovery:
    """Looks for the programs of one module.

    is_named: whether its file is named, and not its folder: then its functions are.
    """

    def __init__(
        self, module: types.ModuleType, scan: TextScan, kinds: list[str], is_named: bool
    ) -> None:
        self.names = dict(vars(module))
        self.is_named = is_named
        self.module_name = module.__name__
        self.scan = scan
        self.kinds = kinds
        self.found = Found()
        self._seen: set[Identity] = set()

    def all(self, compiled: list[Any]) -> Found:
        """Find everything but `compiled`: the objects that running the file has compiled."""
        self._seen |= {Identity(value) for value in compiled}
        actual = [value for value in compiled if isinstance(value, nn.Module)]
        if "compiled" in self.kinds:
            self._compile_calls()
        if "modules" in self.kinds:
            self._instances()
            actual += [p.value for p in self.found.programs if isinstance(p.value, nn.Module)]
            self._classes(actual)
        self._with_examples()
        self._functions()
        return self.found

    def named(self, name: str) -> None:
        """Add what is named, `*` or an expression.

        Raises `LookupError` for a name that there is not, `NotMade`, and `CompileError`.
        """
        if name == "*":
            for each, definition in self.scan.functions.items():
                if reason_for_python(definition, self.scan) is None:
                    self._add(each, self.names.get(each), definition.lineno)
            return
        value = self._evaluated(name)
        expression = ""
        if inspect.isclass(value) and issubclass(value, nn.Module):
            made = make_instance(value, self.names, self.scan)
            value, expression = made.value, made.expression if made.is_sample else ""
        self._add(name, value, self._line(name.partition("(")[0].partition(".")[0]), expression)

    def _evaluated(self, name: str) -> Any:
        """Return the value of a name or expression; of a method, its module."""
        try:
            value = eval(name, dict(self.names))
        except Exception as problem:
            if name.replace(".", "_").isidentifier():
                raise LookupError(name) from None
            loc = SourceRange(SourceFile("<settings>", name), 0, len(name))
            what = told(type(problem).__name__, str(problem))
            fix = "give a Python expression of the names that the file has"
            raise error(loc, "TS803", f"this expression failed: {what}", fix=fix) from None
        owner = getattr(value, "__self__", None)
        return owner if isinstance(owner, nn.Module) else value

    def _add(self, name: str, value: Any, line: int, expression: str = "") -> None:
        if value is not None and Identity(value) not in self._seen:
            self._seen.add(Identity(value))
            self.found.programs.append(Program(name, value, line, expression))

    def _line(self, name: str) -> int:
        definition = self.scan.functions.get(name) or self.scan.classes.get(name)
        return definition.lineno if definition is not None else 1

    def _compile_calls(self) -> None:
        """Add what `script` is called with in functions and in the main block."""
        for call in self.scan.calls:
            shown = ast.unparse(call.argument)
            try:
                value = self.names.get(shown)
                if value is None:
                    made = evaluate_module(call.argument, self.names)
                    value, shown = made.value, made.expression
                if inspect.isclass(value) and issubclass(value, nn.Module):
                    continue
                self._add(shown, value, call.line)
            except NotMade as why:
                reason = f"the check cannot make it: {why}"
                self.found.unchecked.append(Unchecked(shown, reason, call.line))
            except CompileError as fault:
                self.found.failed.append((shown, call.line, fault))

    def _instances(self) -> None:
        """Add the module objects and compiled functions that are variables of the module."""
        for name, value in self.names.items():
            if isinstance(value, (nn.Module, ScriptFunction)) and not name.startswith("__"):
                self._add(name, value, self._assigned_line(name))

    def _assigned_line(self, name: str) -> int:
        for statement in self.scan.tree.body:
            targets = getattr(statement, "targets", [getattr(statement, "target", None)])
            if any(isinstance(each, ast.Name) and each.id == name for each in targets):
                return statement.lineno
        return self._line(name)

    def _classes(self, actual: list[nn.Module]) -> None:
        covered = {type(part) for value in actual for part in _parts(value)}
        made: dict[type, Made] = {}
        for name, cls in self._module_classes():
            if cls in covered:
                continue
            try:
                made[cls] = make_instance(cls, self.names, self.scan)
            except NotMade as why:
                if why.cause is not None:
                    self.found.failed.append((name, self._line(name), why.cause))
                else:
                    self.found.unchecked.append(Unchecked(name, str(why), self._line(name)))
            except CompileError as fault:
                self.found.failed.append((name, self._line(name), fault))
        held = {type(p) for cls, m in made.items() for p in _parts(m.value) if type(p) is not cls}
        for cls, each in made.items():
            if cls not in held:
                name = cls.__name__
                expression = each.expression if each.is_sample else ""
                self._add(name, each.value, self._line(name), expression)

    def _module_classes(self) -> Iterator[tuple[str, type[nn.Module]]]:
        for name in self.scan.classes:
            value = self.names.get(name)
            is_interface = hasattr(value, "__torch_script_interface__")
            if inspect.isclass(value) and issubclass(value, nn.Module) and not is_interface:
                yield name, value

    def _with_examples(self) -> None:
        """Add what the file names in `example_inputs`: arguments of its programs, by name."""
        examples = self.names.get("example_inputs")
        for name in examples if isinstance(examples, dict) else ():
            value = self.names.get(name)
            if inspect.isfunction(value) or isinstance(value, nn.Module):
                self._add(name, value, self._line(name))

    def _functions(self) -> None:
        """Add the functions of a file that is named and neither compiles nor defines modules."""
        defines_modules = any(True for _ in self._module_classes())
        takes_all = (
            self.is_named
            and "functions" in self.kinds
            and not self.scan.compiles_functions
            and not defines_modules
        )
        for name, value in self.names.items():
            if not self._is_own_function(name, value) or Identity(value) in self._seen:
                continue
            definition = self.scan.functions.get(name)
            reason: str | None = UNNAMED
            if takes_all:
                reason = None if definition is None else reason_for_python(definition, self.scan)
            if reason is None:
                self._add(name, value, self._line(name))
            else:
                self.found.unchecked.append(Unchecked(name, reason, self._line(name)))

    def _is_own_function(self, name: str, value: Any) -> bool:
        """Return whether a function is defined by a statement of the file, or by its `exec`."""
        if not inspect.isfunction(value) or value.__module__ != self.module_name:
            return False
        if internals.is_ignored(value):
            return False
        is_of_file = value.__code__.co_filename == self.names.get("__file__")
        return name in self.scan.functions or not is_of_file


def _parts(value: nn.Module) -> Iterator[nn.Module]:
    """Yield a module and all below it, also where it is compiled."""
    yield from value.modules()


def child_instances(value: nn.Module, names: dict[str, Any]) -> list[nn.Module]:
    """Return an instance of each class below a module that its file defines."""
    own = {cls for cls in names.values() if inspect.isclass(cls)}
    found: dict[type, nn.Module] = {}
    for part in value.modules():
        if part is not value and type(part) in own:
            found.setdefault(type(part), part)
    return list(found.values())
