"""Sums over the rows of what a kernel writes, while these are in the cache.

    x, bias -> y = gelu(x + bias)        gradient of bias [H]: that of x [B, S, H], summed over B, S

The rows of a kernel are computed some at a time and added to totals, of which each thread has its
own. What is wanted for its sums alone is never written to memory as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import torch

from minits.kernels.cpu.c_printer import parameters
from minits.kernels.cpu.c_printer.elementwise import STRETCH
from minits.kernels.cpu.c_printer.side_by_side import has_short_rows
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout
from minits.kernels.ir.printing import STORED
from minits.kernels.launch.geometry import Geometry

_BLOCK = 2048
"""Elements of an output that are computed before they are summed."""
_MOST_COLUMNS = 1 << 16


def column_count(kernel: Kernel, geometry: Geometry, output: int) -> int | None:
    """Return how many sums there are of an output over all but the dimensions of its rows.

    None where the kernel's tasks are not such rows, one after the other in memory.
    """
    layout, sizes = geometry.layout, geometry.sizes
    dtype = kernel.outputs[output].value.dtype
    if dtype not in (torch.float32, torch.float64) or has_short_rows(layout, sizes):
        return None
    count = prod(sizes[layout.outer if layout.inner else layout.outer - 1 :])
    if count > _MOST_COLUMNS or (not layout.inner and count > STRETCH):
        return None
    step = 1
    for size, stride in zip(
        reversed(sizes), reversed(geometry.output_strides[output]), strict=True
    ):
        if size != 1 and stride != step:
            return None
        step *= size
    return count


def print_column_sums(
    kernel: Kernel, layout: Layout, name: str, tasks: str, sums: Sequence[tuple[int, bool]]
) -> str:
    """Return a function `NAME_sums` that takes what `NAME` does, then a pointer for each sum.

    `sums` are outputs, and whether they are wanted themselves, too; `tasks` says in C how many
    rows there are. It stands behind the kernel's own text.
    """
    return _Text(kernel, layout, name, tasks, sums).text()


class _Text:
    def __init__(
        self,
        kernel: Kernel,
        layout: Layout,
        name: str,
        tasks: str,
        sums: Sequence[tuple[int, bool]],
    ) -> None:
        self.kernel = kernel
        self.layout = layout
        self.name = name
        self.tasks = tasks
        self.sums = sums
        self.types = [STORED[output.value.dtype] for output in kernel.outputs]
        first = layout.outer if layout.inner else layout.outer - 1
        self.columns = " * ".join([f"g[{dim}]" for dim in range(first, layout.rank)])
        self.names = parameters.names(kernel)

    def text(self) -> str:
        return f"{self._part()}\n{self._whole()}"

    def _part(self) -> str:
        """What one thread does."""
        rest = ("double *total", "long long begin", "long long end")
        kept = dict(self.sums)
        lines = [f"const long long columns = {self.columns};"]
        lines.append(f"const long long block = columns < {_BLOCK} ? {_BLOCK} / columns : 1;")
        given = parameters.views(self.kernel, self.layout)
        lost = [output for output, is_kept in self.sums if not is_kept]
        for output in lost:
            lines.append(f"{self.types[output]} *const rows{output} = malloc(")
            lines.append(f"    sizeof({self.types[output]}) * columns * block + 1);")
        failed = " || ".join([f"!rows{output}" for output in lost]) or "0"
        lines.append(f"int failed = {failed};")
        lines.append("for (long long first = begin; first < end && !failed; first += block) {")
        lines.append("    const long long past = first + block < end ? first + block : end;")
        for output, type in enumerate(self.types):
            if kept.get(output, True):
                given.append(f"({type} *)out{output}")
            else:
                given.append(f"rows{output} - first * columns")
        given += ["g", *self.names, "first", "past"]
        lines.append(f"    failed = {self.name}_tasks({', '.join(given)});")
        for number, (output, is_kept) in enumerate(self.sums):
            place = f"({self.types[output]} *)out{output} + first * columns"
            rows = place if is_kept else f"rows{output}"
            lines += [
                f"    const {self.types[output]} *from{output} = {rows};",
                f"    for (long long row = first; row < past; ++row, from{output} += columns)",
                "        for (long long i = 0; i < columns; ++i)",
                f"            total[{number} * columns + i] += from{output}[i];",
            ]
        lines.append("}")
        lines += [f"free(rows{output});" for output in lost]
        lines.append("return failed;")
        head = f"static int {self.name}_sum_tasks({parameters.untyped(self.kernel, *rest)})"
        body = "".join([f"    {line}\n" for line in lines])
        return f"{head}\n{{\n{body}}}\n"

    def _whole(self) -> str:
        ins = [f"in{i}" for i in range(len(self.kernel.inputs))]
        outs = [f"out{i}" for i in range(len(self.types))]
        given = ", ".join([*ins, *outs, "g", *self.names])
        totals = [f"void *sum{number}" for number in range(len(self.sums))]
        stores = "".join(
            [
                f"        (({self.types[output]} *)sum{number})[i]"
                f" = totals[{number} * columns + i];\n"
                for number, (output, _) in enumerate(self.sums)
            ]
        )
        return _WHOLE.format(
            name=self.name,
            plain=parameters.untyped(self.kernel, "int threads", *totals),
            columns=self.columns,
            tasks=self.tasks,
            count=len(self.sums),
            given=given,
            stores=stores,
        )


_WHOLE = """\
int {name}_sums({plain})
{{
    const long long tasks = {tasks}, columns = {columns}, count = {count} * columns;
    const int most = threads > 1 ? threads : 1;
    double *const totals = calloc(count * most + 1, sizeof(double));
    int failed = !totals;
    if (!failed && most == 1)
        failed = {name}_sum_tasks({given}, totals, 0, tasks);
    if (!failed && most > 1) {{
        #pragma omp parallel num_threads(threads) reduction(|:failed)
        {{
            const long long team = omp_get_num_threads(), mine = omp_get_thread_num();
            failed = {name}_sum_tasks(
                {given}, totals + mine * count, tasks * mine / team, tasks * (mine + 1) / team);
        }}
        for (long long i = 0; i < count * (most - 1) && !failed; ++i)
            totals[i % count] += totals[count + i];
    }}
    for (long long i = 0; i < columns && !failed; ++i) {{
{stores}    }}
    free(totals);
    return failed;
}}
"""
