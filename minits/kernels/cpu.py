"""Kernels on the CPU: C text, built by the system's compiler, called through ctypes."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import torch

from minits.kernels.c_build import build
from minits.kernels.c_printer import column_count, has_short_rows, print_c
from minits.kernels.geometry import Geometry
from minits.kernels.kernel import Kernel, Scalar
from minits.kernels.layout import Layout
from minits.kernels.lowering.result import Lowered
from minits.kernels.scalar_ops import SCALAR_OPS

_NAME, _ENTRY = "kernel", "entry"
_NO_MEMORY = "there is no memory to keep a row of a fused kernel"
_WORTH_A_THREAD = 1 << 17
"""Work below this, in additions, is done by one thread: waking a second one costs about 20 us."""
_empty_strided = getattr(torch._C._dynamo.guards, "_empty_strided_cpu", torch.empty_strided)
"""Half the cost of `torch.empty_strided`, which asks the dispatcher; the same tensor."""


@dataclass(frozen=True, slots=True)
class ColumnSum:
    """The sum of an output over its leading dimensions: what is left has the shape `shape`.

    The output itself is written only if it `is_kept`.
    """

    output: int
    shape: tuple[int, ...]
    is_kept: bool


class CpuKernel:
    """A kernel for a layout, built when it is first bound."""

    def __init__(self, kernel: Kernel, layout: Layout) -> None:
        self.kernel = kernel
        self.layout = layout
        self.text = ""
        """What was built last."""
        self._functions: dict[Any, Any] = {}
        self._work = 1 + sum(map(_cost, kernel.values))

    def may_sum(self, lowered: Lowered, geometry: Geometry, sum: ColumnSum) -> bool:
        """Whether a launch can give this sum."""
        columns = column_count(self.kernel, geometry, sum.output)
        is_whole = any(made.outputs == (sum.output,) for made in lowered.made)
        return is_whole and columns is not None and 0 < columns == prod(sum.shape)

    def _function(self, is_short: bool, lowered: Lowered, sums: Sequence[ColumnSum]) -> Any:
        """Return the function for short rows, or for others. Raises NoCompiler."""
        places = tuple([(sum.output, sum.is_kept) for sum in sums])
        if (is_short, places) not in self._functions:
            self.text = print_c(self.kernel, self.layout, _NAME, is_short, places)
            function = build(f"{self.text}\n{self._entry(lowered, len(sums))}")[_ENTRY]
            function.argtypes = [ctypes.c_char_p]
            function.restype = ctypes.c_int
            self._functions[is_short, places] = function
        return self._functions[is_short, places]

    def _entry(self, lowered: Lowered, sums: int) -> str:
        """Return a function that takes the arguments of the kernel's in one row of memory.

        Handing over one argument from Python costs less than handing over many. A tensor of which
        the kernel reads several parts is handed over once.
        """
        tensors = _tensors(lowered)
        rest = ["void *"] * len(self.kernel.outputs)
        rest += ["long long *", *self._numbers(), "long long", *["void *"] * sums]
        places = [("void *", tensors.index(source.index)) for source in lowered.sources]
        places += [(type, place) for place, type in enumerate(rest, start=len(tensors))]
        given = [f"*({type} *)(arguments + {8 * place})" for type, place in places]
        name = f"{_NAME}_sums" if sums else _NAME
        body = f"    return {name}({', '.join(given)});\n"
        return f"int {_ENTRY}(const char *arguments)\n{{\n{body}}}\n"

    def _numbers(self) -> list[str]:
        """The C types of the kernel's parameters."""
        return ["double" if x.is_floating_point else "long long" for x in self.kernel.parameters]

    def bind(
        self,
        lowered: Lowered,
        geometry: Geometry,
        single: bool = False,
        sums: Sequence[ColumnSum] = (),
    ) -> Callable[..., Any]:
        """Return what takes the inputs of the group and gives its outputs, for these sizes.

        It gives a tuple, or the only output if `single`. Behind the outputs come `sums`, which
        `may_sum`; None stands for an output that is not kept. Raises NoCompiler.
        """
        numbers = (ctypes.c_longlong * len(geometry.numbers()))(*geometry.numbers())
        scope: dict[str, Any] = {
            "run": self._function(has_short_rows(self.layout, geometry.sizes), lowered, sums),
            "empty": _empty_strided,
            "threads": torch.get_num_threads,
            "pack": self._packer(lowered, len(sums)),
            "numbers": numbers,  # kept alive by the function that has its address
        }
        is_large = geometry.count * self._work >= _WORTH_A_THREAD
        lines = []
        outputs = ["0"] * len(self.kernel.outputs)
        lost = {sum.output for sum in sums if not sum.is_kept}
        for index, made in enumerate(lowered.made):
            if lost.issuperset(made.outputs):
                lines.append(f"o{index} = None")
                continue
            shape, strides = geometry.output_shapes[index], geometry.allocated_strides[index]
            scope[f"dtype{index}"] = dtype = self.kernel.outputs[made.outputs[0]].value.dtype
            lines.append(f"o{index} = empty({shape}, {strides}, dtype{index})")
            for output in made.outputs:
                offset = geometry.output_offsets[output] * dtype.itemsize
                outputs[output] = f"o{index}.data_ptr()" + (f" + {offset}" if offset else "")
        inputs = [f"i{index}.data_ptr()" for index in _tensors(lowered)]
        parameters = [f"i{index}" for index in lowered.parameters]
        given = [*inputs, *outputs, str(ctypes.addressof(numbers)), *parameters]
        given.append("threads()" if is_large else "1")
        for number, sum in enumerate(sums):
            scope[f"type{number}"] = self.kernel.outputs[sum.output].value.dtype
            strides = torch.empty(sum.shape, device="meta").stride()
            lines.append(f"s{number} = empty({sum.shape}, {strides}, type{number})")
            given.append(f"s{number}.data_ptr()")
        call = f"run(pack({', '.join(given)}))"
        lines.append(f"if {call}: raise MemoryError({_NO_MEMORY!r})")
        results = "".join(f"o{index}, " for index in lowered.outputs)
        results += "".join(f"s{number}, " for number in range(len(sums)))
        lines.append(f"return {f'o{lowered.outputs[0]}' if single else results}")
        names = ", ".join(f"i{index}" for index in range(len(lowered.graph.inputs)))
        text = "\n    ".join([f"def launch({names}):", *lines])
        exec(compile(text, "<launch>", "exec"), scope)
        launch: Callable[..., Any] = scope["launch"]
        return launch

    def _packer(self, lowered: Lowered, sums: int) -> Callable[..., bytes]:
        pointers = "q" * (len(_tensors(lowered)) + len(self.kernel.outputs) + 1)
        numbers = "".join("d" if type == "double" else "q" for type in self._numbers())
        return struct.Struct(f"{pointers}{numbers}q{'q' * sums}").pack


def _tensors(lowered: Lowered) -> list[int]:
    """The inputs of a group that its kernel reads."""
    return sorted({source.index for source in lowered.sources})


def _cost(value: Scalar) -> int:
    row = SCALAR_OPS.get(value.op)
    return row.cost if row else 1
