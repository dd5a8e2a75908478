"""The things that a program depends on, and changes of them by Python.

`bindings(program)` are the names, attributes, methods, defaults and cells by which a function, a
class or a module finds things; `changed(binding, others, random)` binds something else there, and
returns how to undo it.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import torch
from torch import nn

DEPTH = 3
"""How many calls from the program."""
_MISSING: Any = object()
_MARK = "_torchscript_modifier"
Undo = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Binding:
    """A name that holds a value: a key of a namespace, an attribute of an object."""

    owner: Any
    name: str

    def read(self) -> Any:
        if isinstance(self.owner, dict):
            return self.owner.get(self.name, _MISSING)
        return vars(self.owner).get(self.name, getattr(self.owner, self.name, _MISSING))

    def bind(self, value: Any) -> None:
        if isinstance(self.owner, dict):
            self.owner[self.name] = value
        else:
            setattr(self.owner, self.name, value)


def bindings(program: Any) -> list[Binding]:
    """Return the bindings that a function, class or module depends on, in a fixed order."""
    found: dict[tuple[int, str], Binding] = {}
    waiting = [(function, 0) for function in _functions(program)]
    seen: set[int] = set()
    for cls in _classes(program):
        for binding in _of_class(cls):
            found.setdefault((id(binding.owner), binding.name), binding)
    while waiting:
        function, depth = waiting.pop(0)
        if id(function) in seen or depth > DEPTH:
            continue
        seen.add(id(function))
        for binding in _of_function(function):
            found.setdefault((id(binding.owner), binding.name), binding)
            waiting += [(each, depth + 1) for each in _functions(binding.read())]
            for cls in _classes(binding.read()):
                for member in _of_class(cls):
                    found.setdefault((id(member.owner), member.name), member)
    return list(found.values())


def _functions(value: Any) -> list[FunctionType]:
    if isinstance(value, MethodType):
        value = value.__func__
    if isinstance(value, FunctionType):
        return [value]
    members = [member for cls in _classes(value) for member in vars(cls).values()]
    plain = (getattr(each, "fget", getattr(each, "__func__", each)) for each in members)
    return [each for each in plain if isinstance(each, FunctionType)]


def _classes(value: Any) -> list[type]:
    """The classes whose members belong to a value."""
    if isinstance(value, nn.Module):
        kinds = [type(module) for module in value.modules()]
        bases = [base for kind in kinds for base in kind.__mro__]
        return [cls for cls in dict.fromkeys(bases) if cls not in nn.Module.__mro__]
    is_plain = isinstance(value, type) and not issubclass(value, BaseException)
    return [value] if is_plain and not value.__module__.startswith(("builtins", "typing")) else []


def _of_class(cls: type) -> Iterator[Binding]:
    for name, member in vars(cls).items():
        is_member = isinstance(
            member, (FunctionType, property, staticmethod, classmethod, int, str)
        )
        if is_member and (name == "__init__" or not name.startswith("__")):
            yield Binding(cls, name)
    if isinstance(cls.__dict__.get("_field_defaults"), dict):
        for name in cls.__dict__["_field_defaults"]:
            yield Binding(cls.__dict__["_field_defaults"], name)
    for name in inspect.get_annotations(cls):
        yield Binding(cls.__annotations__, name)


def _of_function(function: FunctionType) -> Iterator[Binding]:
    names = list(dict.fromkeys(_names(function.__code__)))
    for name in names:
        if name in function.__globals__:
            yield Binding(function.__globals__, name)
            value = function.__globals__[name]
            if isinstance(value, ModuleType):
                yield from (Binding(vars(value), each) for each in names if each in vars(value))
    for cell in function.__closure__ or ():
        yield Binding(cell, "cell_contents")
    if function.__defaults__:
        yield Binding(function, "__defaults__")
    yield Binding(function, "__code__")
    yield Binding(function, _MARK)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def changed(binding: Binding, others: list[Binding], random: Random) -> Undo | None:
    """Bind a name to something else; return how to undo it, or None where nothing else fits."""
    if binding.name == _MARK:
        return _marked(binding)
    old = binding.read()
    new = _instead(old, others, random)
    if new is _MISSING or old is _MISSING:
        return None
    try:
        binding.bind(new)
    except (TypeError, AttributeError, ValueError, RuntimeError):
        return None
    return lambda: binding.bind(old)


def _marked(binding: Binding) -> Undo:
    """Mark a function as one that is called in Python, as `torch.jit.ignore` does."""
    marks = torch._jit_internal.FunctionModifiers
    binding.bind(marks.IGNORE)
    return lambda: binding.bind(marks.DEFAULT)


def _instead(old: Any, others: list[Binding], random: Random) -> Any:
    """Another value of the same kind."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, (int, float)):
        return old + 1
    if isinstance(old, str):
        return old + "x"
    if isinstance(old, CodeType):
        return stand_in("changed", old).__code__
    if isinstance(old, tuple):
        return tuple(_instead(item, others, random) if _is_number(item) else item for item in old)
    if isinstance(old, property):
        return property(stand_in("changed", getattr(old.fget, "__code__", None)))
    if isinstance(old, (staticmethod, classmethod)):
        return type(old)(stand_in("changed", getattr(old.__func__, "__code__", None)))
    if isinstance(old, ModuleType):
        copy = ModuleType(old.__name__)
        vars(copy).update(vars(old))
        return copy
    if callable(old) and not isinstance(old, type):
        return _function_instead(old, others, random)
    if isinstance(old, type) and not issubclass(old, (type, nn.Module, tuple)):
        return random.choice((int, float, torch.Tensor, bool))
    return random.choice((3, 0.5, None, torch.float64)) if old is None else _MISSING


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float))


def _function_instead(old: Any, others: list[Binding], random: Random) -> Any:
    code = getattr(old, "__code__", None)
    functions = [each.read() for each in others if isinstance(each.read(), FunctionType)]
    choices = [torch.relu, *random.sample(functions, min(2, len(functions)))]
    choices += [stand_in("changed", code)] * 3
    return random.choice(choices)


def stand_in(name: str, code: CodeType | None) -> FunctionType:
    """Return a function with as many parameters as another one, which returns the last."""
    count = max(1, code.co_argcount if code is not None else 1)
    free = code.co_freevars if code is not None else ()
    parameters = [f"a{number}" for number in range(count)]
    text = f"def {name}({', '.join(parameters)}):\n    return {parameters[-1]}\n"
    if free:  # the same cells, for the code of a closure
        inner = text.replace("\n    ", f"\n    ({', '.join(free)},)\n    ")
        body = "".join(f"    {line}\n" for line in inner.splitlines())
        text = f"def outer({', '.join(free)}):\n{body}    return {name}\n"
    filename = f"/orders/{name}_{count}_{'_'.join(free)}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space: dict[str, Any] = {"__name__": "orders"}
    exec(compile(text, filename, "exec"), space)
    made: FunctionType = space["outer"](*(None for _ in free)) if free else space[name]
    return made
