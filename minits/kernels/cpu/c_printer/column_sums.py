"""Functions that sum over the rows of what a kernel writes: `schedule.column_sums` says how."""

from __future__ import annotations

from minits.kernels.cpu.c_printer.addressing import (
    number_names,
    untyped_parameters,
    view_addresses,
)
from minits.kernels.ir.printing import STORED
from minits.kernels.schedule.loops import Schedule, SumColumns


def print_column_sums(schedule: Schedule, name: str, tasks: str) -> str:
    """Return a function `NAME_sums` that takes what `NAME` does, then a pointer for each sum.

    `tasks` says in C how many rows there are. It stands behind the kernel's own text.
    """
    return _Text(schedule, name, tasks).text()


class _Text:
    def __init__(self, schedule: Schedule, name: str, tasks: str) -> None:
        self.kernel = kernel = schedule.kernel
        self.layout = layout = schedule.layout
        self.name = name
        self.tasks = tasks
        self.sums = [each for each in schedule.loop.body if isinstance(each, SumColumns)]
        self.elements = schedule.loop.step
        self.types = [STORED[output.value.dtype] for output in kernel.outputs]
        first = layout.row_dims
        self.columns = " * ".join([f"g[{dim}]" for dim in range(first, layout.rank)])
        self.names = number_names(kernel)

    def text(self) -> str:
        return f"{self._part()}\n{self._whole()}"

    def _part(self) -> str:
        """Print the function of one thread."""
        rest = ("double *total", "long long begin", "long long end")
        kept = {each.output: each.is_kept for each in self.sums}
        lines = [f"const long long columns = {self.columns};"]
        lines.append(
            f"const long long block = columns < {self.elements} ? {self.elements} / columns : 1;"
        )
        given = view_addresses(self.kernel, self.layout)
        lost = [each.output for each in self.sums if not each.is_kept]
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
        for number, each in enumerate(self.sums):
            output = each.output
            address = f"({self.types[output]} *)out{output} + first * columns"
            rows = address if each.is_kept else f"rows{output}"
            lines += [
                f"    const {self.types[output]} *from{output} = {rows};",
                f"    for (long long row = first; row < past; ++row, from{output} += columns)",
                "        for (long long i = 0; i < columns; ++i)",
                f"            total[{number} * columns + i] += from{output}[i];",
            ]
        lines.append("}")
        lines += [f"free(rows{output});" for output in lost]
        lines.append("return failed;")
        head = f"static int {self.name}_sum_tasks({untyped_parameters(self.kernel, *rest)})"
        body = "".join([f"    {line}\n" for line in lines])
        return f"{head}\n{{\n{body}}}\n"

    def _whole(self) -> str:
        ins = [f"in{i}" for i in range(len(self.kernel.inputs))]
        outs = [f"out{i}" for i in range(len(self.types))]
        given = ", ".join([*ins, *outs, "g", *self.names])
        totals = [f"void *sum{number}" for number in range(len(self.sums))]
        stores = "".join(
            [
                f"        (({self.types[each.output]} *)sum{number})[i]"
                f" = totals[{number} * columns + i];\n"
                for number, each in enumerate(self.sums)
            ]
        )
        return _WHOLE.format(
            name=self.name,
            plain=untyped_parameters(self.kernel, "int threads", *totals),
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
