"""Programs of one call of one operator, made from its schema, in every spelling.

For `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`, among others:

    def program(a: Tensor, b: Tensor):
        return a.add(b, alpha=2)

    def program(a: Tensor, b: Tensor, c: float):
        return torch.ops.aten.add(a, b, alpha=c)

An argument is a parameter of the program or written out; a default is mostly left out. Most of the
values fit the operator, as the tensors of a program are mostly of one shape and dtype. In-place
operators and those with `out=` have schemas of their own.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import torch
from torch import Tensor

from conformance.samples.program import Program, of_text

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


LEFT_OUT = frozenset(
    "c10d symm_mem _c10d_functional _c10d_functional_autograd inductor _dtensor profiler "
    "static_runtime _test".split()
)
"""Namespaces of operators that need other processes, or are of torch's runtimes and tests."""
_OPERATORS_LEFT_OUT = frozenset(
    "aten::save aten::from_file aten::_print prim::Print prim::TimePoint "
    "aten::_compute_linear_combination aten::_foreach_copy aten::_make_dep_token "
    "aten::_get_cpu_capability prim::RaiseException prim::Uninitialized prim::profile "
    "prim::StaticRuntimeCopyOuts prim::profile_ivalue aten::percentFormat aten::seed "
    "aten::linalg_lstsq aten::_weight_norm_interface".split()
)
"""What has effects, or results that its arguments do not tell (some read out of bounds)."""


@cache
def _schemas() -> dict[str, Any]:
    """torch's operators by the text of their schemas, private ones last."""
    found = [
        schema
        for schema in torch._C._jit_get_all_schemas()
        if schema.name.partition("::")[0] not in LEFT_OUT and schema.name not in _OPERATORS_LEFT_OUT
    ]
    found.sort(key=lambda schema: (":_" in schema.name, str(schema)))
    return {str(schema): schema for schema in found}


def names() -> list[str]:
    """Return the texts of the schemas of torch's operators, private ones last."""
    return list(_schemas())


def programs(name: str, seed: int, most: int) -> list[Program]:
    """Return programs of a schema, in each of its spellings with `most` lists of arguments."""
    schema = _schemas()[name]
    made = [
        program
        for number in range(most)
        for program in random_programs(schema, Random(f"{seed} {schema} {number}"))
    ]
    return list({program.text: program for program in made}.values())


def random_programs(schema: Any, random: Random) -> list[Program]:
    """Return a call in each spelling; nothing where there are no values for its parameters."""
    return _Writer(schema, random).programs()


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

    def programs(self) -> list[Program]:
        try:
            arguments = self._arguments()
        except _NoValue:
            return []
        is_needed = self.random.random() >= 0.15
        return [self._program(form, is_needed) for form in self._forms(arguments)]

    def _program(self, call: str, is_needed: bool) -> Program:
        lines = [f"return {call}"] if is_needed else [call, "return 0"]
        head = f"def program({', '.join(self.parameters)}):"
        text = "\n    ".join([head, *lines]) + "\n"
        return of_text(str(self.schema), text, [tuple(self.values)])

    def _forms(self, arguments: list[str]) -> list[str]:
        """The spellings of the call."""
        namespace, _, name = self.schema.name.partition("::")
        given = ", ".join(arguments)
        forms = [f"torch.ops.{namespace}.{name}({given})"]
        if namespace != "aten":
            return forms
        if hasattr(torch, name):
            forms.append(f"torch.{name}({given})")
        if hasattr(torch._C._nn, name):
            forms.append(f"torch._C._nn.{name}({given})")
        for prefix, folder in _FOLDERS.items():
            short = name.removeprefix(prefix)
            if short != name and hasattr(folder, short):
                forms.append(f"{folder.__name__}.{short}({given})")
        if arguments and "=" not in arguments[0] and self._takes_tensor_first():
            forms.append(f"{arguments[0]}.{name}({', '.join(arguments[1:])})")
        return forms

    def _takes_tensor_first(self) -> bool:
        first, *_ = [*self.schema.arguments, None]  # of any number of tensors, it has none
        return first is not None and str(first.real_type) == "Tensor"

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
