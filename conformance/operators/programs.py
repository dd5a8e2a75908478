"""Programs of one call of one operator, made from its schema.

For `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`, among others:

    def program(a: Tensor, b: Tensor):
        return a.add(b, alpha=2)

    def program(a: Tensor, b: Tensor, c: float):
        return torch.ops.aten.add(a, b, alpha=c)

An argument is a parameter of the program or written out; a default is mostly left out. Most of the
values fit the operator, as the tensors of a program are mostly of one shape and dtype.
"""

from __future__ import annotations

import linecache
import typing
from dataclasses import dataclass
from hashlib import sha1
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch import Tensor

SHAPES = ((2, 3), (3, 3), (3,), (2, 3, 4), (), (1, 2, 4, 4), (2, 0))
DTYPES = (torch.float32, torch.float32, torch.float64, torch.int64, torch.bool, torch.complex64)
_FOLDERS = {"linalg_": torch.linalg, "special_": torch.special, "fft_": torch.fft}
_BY_TYPE: dict[str, tuple[str, tuple[Any, ...]]] = {
    "int": ("int", (0, 1, -1, 2, 3)),
    "float": ("float", (0.5, 1.0, -2.5, 0.0)),
    "bool": ("bool", (True, False)),
    "complex": ("complex", (1 + 2j, 0.5j)),
    "str": ("str", ("mean", "none", "sum", "reflect", "ij", "linear", "ab", "")),
    "ScalarType": ("int", (6, 7, 4, 11, 9, 0)),
    "Layout": ("int", (0,)),
    "MemoryFormat": ("int", (0, 1, 2)),
    "Device": ("torch.device", (torch.device("cpu"), torch.device("meta"))),
    "t": ("int", (0, 1, 5)),
    "Any": ("int", (0, 1, 5)),
}
"""The annotation and some values of a schema's types."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program, and the arguments of its one call."""

    schema: str
    text: str
    arguments: tuple[Any, ...]

    def function(self) -> FunctionType:
        """Return the program as a live function."""
        name = f"operators_{sha1(self.text.encode()).hexdigest()}"
        filename = f"/operators/{name}.py"
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(True), filename)
        module = ModuleType(name)
        names = {name: getattr(typing, name) for name in ("Any", "Dict", "List", "Optional")}
        module.__dict__.update(names, torch=torch, Tensor=Tensor)
        exec(compile(self.text, filename, "exec"), module.__dict__)
        function: FunctionType = module.__dict__["program"]
        return function

    def __str__(self) -> str:
        return f"{self.schema}\n{self.text}on {self.arguments}"


def random_program(schema: Any, random: Random) -> Program | None:
    """Return a call of an operator; None where there are no values for its parameters."""
    return _Writer(schema, random).program()


class _NoValue(LookupError):
    """Raised where no value is known of a parameter's type."""


class _Writer:
    def __init__(self, schema: Any, random: Random) -> None:
        self.schema = schema
        self.random = random
        self.shape = random.choice(SHAPES)
        self.dtype = random.choice(DTYPES)
        self.parameters: list[str] = []
        self.values: list[Any] = []

    def program(self) -> Program | None:
        try:
            arguments = self._arguments()
        except _NoValue:
            return None
        lines = [f"return {self._call(arguments)}"]
        if self.random.random() < 0.15:  # a result that nobody needs
            lines = [self._call(arguments), "return 0"]
        head = f"def program({', '.join(self.parameters)}):"
        text = "\n    ".join([head, *lines]) + "\n"
        return Program(str(self.schema), text, tuple(self.values))

    def _call(self, arguments: list[str]) -> str:
        namespace, _, name = self.schema.name.partition("::")
        forms = [f"torch.ops.{namespace}.{name}({', '.join(arguments)})"]
        if namespace == "aten":
            if hasattr(torch, name):
                forms.append(f"torch.{name}({', '.join(arguments)})")
            if hasattr(torch._C._nn, name):
                forms.append(f"torch._C._nn.{name}({', '.join(arguments)})")
            for prefix, folder in _FOLDERS.items():
                short = name.removeprefix(prefix)
                if short != name and hasattr(folder, short):
                    forms.append(f"{folder.__name__}.{short}({', '.join(arguments)})")
            if arguments and "=" not in arguments[0] and self._takes_tensor_first():
                forms.append(f"{arguments[0]}.{name}({', '.join(arguments[1:])})")
        return self.random.choice(forms)

    def _takes_tensor_first(self) -> bool:
        return str(self.schema.arguments[0].real_type) == "Tensor"

    def _arguments(self) -> list[str]:
        """The texts of the arguments; behind one that is left out, all are passed by name."""
        texts = []
        by_name = False
        for argument in self.schema.arguments:
            by_name = by_name or argument.kwarg_only
            if argument.has_default_value() and self.random.random() < 0.7:
                by_name = True
                continue
            text = self._argument(str(argument.real_type), argument.N)
            texts.append(f"{argument.name}={text}" if by_name else text)
        if _is_vararg(self.schema):
            texts += [self._argument("Tensor", None) for _ in range(self._length())]
        return texts

    def _argument(self, type: str, size: int | None) -> str:
        annotation, value = self._value(type, size)
        is_plain = isinstance(value, (int, float, bool, str, complex, list))
        if value is None or (is_plain and _is_written(value) and self.random.random() < 0.5):
            return repr(value)
        name = "abcdefghijklmnopqrstuvwxyz"[len(self.values) % 26] + "_" * (len(self.values) // 26)
        self.parameters.append(f"{name}: {annotation}")
        self.values.append(value)
        return name

    def _value(self, type: str, size: int | None = None) -> tuple[str, Any]:
        """An annotation and a value of it."""
        if type.startswith("Optional["):
            inner, value = self._value(type[len("Optional[") : -1], size)
            return f"Optional[{inner}]", None if self.random.random() < 0.4 else value
        if type.startswith("List["):
            items = [self._value(type[len("List[") : -1]) for _ in range(size or self._length())]
            inner = items[0][0] if items else self._value(type[len("List[") : -1])[0]
            return f"List[{inner}]", [value for annotation, value in items if annotation == inner]
        if type in ("number", "t1", "t2"):
            return self._value(self.random.choice(("int", "float", "int", "bool")))
        if type == "Tensor":
            return "Tensor", self._tensor()
        if type == "Generator":
            return "torch.Generator", torch.Generator().manual_seed(3)
        if type not in _BY_TYPE:
            raise _NoValue(type)
        annotation, values = _BY_TYPE[type]
        return annotation, self.random.choice(values)

    def _length(self) -> int:
        return self.random.choice((0, 1, 2, 2, 3))

    def _tensor(self) -> Tensor:
        is_usual = self.random.random() < 0.85
        shape = self.shape if is_usual else self.random.choice(SHAPES)
        dtype = self.dtype if is_usual else self.random.choice(DTYPES)
        count = torch.Size(shape).numel()
        numbers = [self.random.choice((0, 1, 2, -1, 0.5, 3)) for _ in range(count)]
        return torch.tensor(numbers, dtype=torch.float64).reshape(shape).to(dtype)


def _is_vararg(schema: Any) -> bool:
    return "...)" in str(schema).partition(" -> ")[0]


def _is_written(value: Any) -> bool:
    """Whether the program can have a value written out: a list of these, or none with parts."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, (int, float, bool, str)) for item in value)
    return not isinstance(value, complex)
