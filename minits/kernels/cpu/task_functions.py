"""The functions in C around the loops of a kernel: threads, versions of loops, sums of columns.

    int NAME(..., int threads)                               threads share the tasks
    static int NAME_tasks(..., long long begin, end)         the loops: a range of tasks

The work is cut into tasks: rows of the last dimension (or stretches of it, where it is long) for
kernels that reduce nothing, else rows that are reduced. Both return 0, 1 if there is no memory for
what is kept of a long row, or 2 if a check failed (`checked`).

Where operands may be rare (`schedule.usual`), there are two versions of the same loops. The one for
usual operands notes whether it has met others; the function that calls it looks at that:

    for (i = ...) { v1 = mts_sin_f64(v0); rare_f64 |= mts_rare_sin_f64(v0); ... }
    if (rare_f64) return 4;

`NAME_sums` does what `NAME` does and sums over the rows of outputs: `schedule.column_sums`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minits.kernels.cpu.arguments import Arguments
from minits.kernels.cpu.c_math import c_prelude
from minits.kernels.schedule.loops import Over, Schedule, SumColumns
from minits.kernels.schedule.usual import AT_ONCE, EXPONENT

RARE = 4
"""The status that a function for usual operands returns after it has met others."""
_HEAD = """\
typedef _Bool bool;
#define true 1
#define false 0
int omp_get_thread_num(void);
int omp_get_num_threads(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
"""
_RUN = """\
int {name}({parameters})
{{
    const long long tasks = {tasks};
    if (threads <= 1) {{
        return {name}_tasks({given}, 0, tasks);
    }}
    int failed = 0;
    #pragma omp parallel num_threads(threads) reduction(|:failed)
    {{
        const long long team = omp_get_num_threads(), mine = omp_get_thread_num();
        failed = {name}_tasks({given}, tasks * mine / team, tasks * (mine + 1) / team);
    }}
    return failed;
}}
"""
_CHOICE = f"""\
static int {{name}}_tasks({{parameters}})
{{{{
    const long long columns = {{columns}};
    const long long some = columns < {AT_ONCE} ? {AT_ONCE} / (columns + !columns) : 1;
    int failed = 0;
    for (long long first = begin; first < end && !failed; first += some) {{{{
        const long long past = first + some < end ? first + some : end;
        failed = {{name}}_usual({{given}}, first, past);
        failed = failed == {RARE} ? {{name}}_all({{given}}, first, past) : failed;
    }}}}
    return failed;
}}}}
"""
_EXPONENT = f"""\
MTS_INLINE int {{name}}_loops({{parameters}})
{{{{
{{body}}}}}}

static int {{name}}({{parameters}})
{{{{
    if ({{exponent}} == {EXPONENT}) {{{{
        return {{name}}_loops({{usual}});
    }}}}
    return {{name}}_loops({{given}});
}}}}
"""
_PART_OF_SUMS = """\
static int {name}_sum_tasks({parameters})
{{
    const long long columns = {columns};
    const long long block = columns < {elements} ? {elements} / columns : 1;
{buffers}    int failed = {no_memory};
    for (long long first = begin; first < end && !failed; first += block) {{
        const long long past = first + block < end ? first + block : end;
        failed = {name}_tasks({given}, first, past);
{additions}    }}
{releases}    return failed;
}}
"""
_BUFFER = """\
    {type} *const rows{output} = malloc(
        sizeof({type}) * columns * block + 1);
"""
_ADDITION = """\
        const {type} *from{output} = {rows};
        for (long long row = first; row < past; ++row, from{output} += columns)
            for (long long i = 0; i < columns; ++i)
                total[{number} * columns + i] += from{output}[i];
"""
_SUMS = """\
int {name}_sums({parameters})
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
_RANGE = ("long long begin", "long long end")


def complete(functions: str) -> str:
    """Return printed functions behind the declarations and definitions that they need."""
    names = sorted(set(re.findall(r"\bmts_\w+", functions)))
    return f"{_HEAD}\n{c_prelude(names)}\n{functions}"


class TaskFunctions:
    """The functions of a kernel, of this name, around the statements that do a range of tasks."""

    def __init__(self, schedule: Schedule, name: str) -> None:
        self.schedule = schedule
        self.layout = layout = schedule.layout
        self.name = name
        self.arguments = Arguments(schedule.kernel, layout)
        self.columns = " * ".join([f"g[{dim}]" for dim in range(layout.row_dims, layout.rank)])

    def tasks(self, body: str, for_all: str | None = None) -> list[str]:
        """Return the function that does a range of tasks: with this body, or a choice of two.

        The first is for usual operands if there is one `for_all`.
        """
        if for_all is None:
            return [self._version(f"{self.name}_tasks", body)]
        parameters, given = self.arguments.typed(*_RANGE), ", ".join(self._given())
        choice = _CHOICE.format(
            name=self.name, parameters=parameters, given=given, columns=self.columns
        )
        return [
            self._version(f"{self.name}_usual", body),
            self._version(f"{self.name}_all", for_all),
            choice,
        ]

    def _version(self, name: str, body: str) -> str:
        """Return a function with this body, which is compiled once more for a usual exponent.

        Gcc makes products of powers whose exponent it knows (`mts_pow_by_number`).
        """
        parameters = self.arguments.typed(*_RANGE)
        if self.schedule.usual.exponent is None:
            return f"static int {name}({parameters})\n{{\n{body}}}\n"
        exponent, given = f"p{self.schedule.usual.exponent}", [*self._given(), "begin", "end"]
        usual = [str(EXPONENT) if word == exponent else word for word in given]
        return _EXPONENT.format(
            name=name,
            parameters=parameters,
            body=body,
            exponent=exponent,
            usual=", ".join(usual),
            given=", ".join(given),
        )

    def _given(self) -> list[str]:
        """Return the arguments that typed functions hand over to each other."""
        return [*[x.name for x in self.arguments.tensors], "g", *self.arguments.numbers]

    def run(self) -> str:
        """Return the function that is called from outside, whose threads share the tasks."""
        outputs = [x.name for x in self.arguments.outputs]
        given = [*self.arguments.views(), *outputs, "g", *self.arguments.numbers]
        return _RUN.format(
            name=self.name,
            parameters=self.arguments.untyped("int threads"),
            tasks=self._count(),
            given=", ".join(given),
        )

    def _count(self) -> str:
        """Return the expression of the number of tasks: rows, or rows times stretches of a row."""
        rows, loop = self.layout.row_dims, self.schedule.loop
        counts = [f"g[{dim}]" for dim in range(rows)]
        if loop.over is Over.STRETCHES:
            counts.append(f"((g[{rows}] + {loop.step - 1}) / {loop.step})")
        return " * ".join(counts) or "1"

    # ---- Sums of columns -----------------------------------------------------------------------

    def sums(self, schedule: Schedule) -> list[str]:
        """Return the function that also sums over the rows of outputs, and that of one thread."""
        sums = [each for each in schedule.loop.body if isinstance(each, SumColumns)]
        return [self._part_of_sums(sums, schedule.loop.step), self._whole_of_sums(sums)]

    def _part_of_sums(self, sums: Sequence[SumColumns], elements: int) -> str:
        types = [x.type for x in self.arguments.outputs]
        lost = [each.output for each in sums if not each.is_kept]
        outputs = [
            f"rows{i} - first * columns" if i in lost else f"({type} *)out{i}"
            for i, type in enumerate(types)
        ]
        additions = [
            _ADDITION.format(
                type=types[each.output],
                output=each.output,
                number=number,
                rows=f"({types[each.output]} *)out{each.output} + first * columns"
                if each.is_kept
                else f"rows{each.output}",
            )
            for number, each in enumerate(sums)
        ]
        return _PART_OF_SUMS.format(
            name=self.name,
            parameters=self.arguments.untyped("double *total", *_RANGE),
            columns=self.columns,
            elements=elements,
            buffers="".join([_BUFFER.format(type=types[i], output=i) for i in lost]),
            no_memory=" || ".join([f"!rows{i}" for i in lost]) or "0",
            given=", ".join([*self.arguments.views(), *outputs, "g", *self.arguments.numbers]),
            additions="".join(additions),
            releases="".join([f"    free(rows{i});\n" for i in lost]),
        )

    def _whole_of_sums(self, sums: Sequence[SumColumns]) -> str:
        totals = [f"void *sum{number}" for number in range(len(sums))]
        types = [self.arguments.outputs[each.output].type for each in sums]
        stores = [
            f"        (({type} *)sum{number})[i] = totals[{number} * columns + i];\n"
            for number, type in enumerate(types)
        ]
        return _SUMS.format(
            name=self.name,
            parameters=self.arguments.untyped("int threads", *totals),
            tasks=self._count(),
            columns=self.columns,
            count=len(sums),
            given=", ".join(self._given()),
            stores="".join(stores),
        )
