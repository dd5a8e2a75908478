"""The loops of kernels with reductions and scans.

Rows are walked over in tiles: the first walk over each of them, then the second one over each, and
so on. The walks over one row wait for each other, those over several rows do not. Where each tensor
is, and what is known of each row, is handed from walk to walk in arrays.
"""

from __future__ import annotations

from collections.abc import Iterable

from minits.kernels.cpu.c_printer.places import with_extremes
from minits.kernels.cpu.c_printer.reductions import BLOCK, Reductions, is_float_sum
from minits.kernels.cpu.c_printer.texts import comment, rounded
from minits.kernels.cpu.c_printer.walks import Walk, walks_of
from minits.kernels.ir.kernel import Kernel, Level, Scalar
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.ir.printing import STORED
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES, computed_in

TOGETHER = 1024
"""Elements of rows that are walked over together, where that is several rows."""
MOST_ROWS = 16
"""Rows that are walked over together."""
NEAR = 4096
"""Elements of a row that are kept on the stack; those of a longer one are on the heap."""
SCANNED_TOGETHER = ("cumsum", "cumprod")
"""Scans of which each step waits for the one before: those of several rows are made together."""
_STACK = 1 << 17
"""Bytes of them, if that is fewer: what threads have differs. A tile must fit in any case."""


class Rows(Reductions):
    """Kernels with reductions: a task is a row; `walks_of` tells how it is walked over."""

    def __init__(self, kernel: Kernel, layout: Layout, takes_all: bool = False) -> None:
        super().__init__(self.prepared(kernel), layout, takes_all)
        self.walks = walks_of(self.kernel)
        self.kept = [value for walk in self.walks for value in walk.kept]
        self._steps = self._schedule()
        crossing = {v for number in range(len(self.walks)) for v in self._brought_to(number)}
        self._crossing = _in_order(self.kernel, crossing)

    def prepared(self, kernel: Kernel) -> Kernel:
        return with_extremes(kernel)

    def tasks(self) -> str:
        return " * ".join([self.size(dim) for dim in range(self.layout.outer)]) or "1"

    def text(self) -> str:
        outer = self.layout.outer
        self.declare_sizes()
        self.declare_count()
        self.declare_uniform()
        self.add("if (begin >= end) return 0;")
        self._declare_buffers()
        self.first_index(outer, "begin")
        self.open("for (long long task = begin; task < end; task += tile)")
        self.add("const int rows = end - task < tile ? end - task : tile;")
        self.open("for (int r = 0; r < rows; ++r)")
        for name, terms in self._moving_tensors():
            self.add(f"place_{name}[r] = {terms};")
        for dim in self._asked_rows():
            self.add(f"at_{dim}[r] = i{dim};")
        self.next_index(outer)
        self.close()
        for number in range(len(self.walks)):
            self.add("")
            self.add(f"// Walk {number} over each row.")
            self._walk_rows(number)
        self.close()
        if self.kept:
            self.add("free(far);")
        self.end()
        return "\n".join(self.lines) + "\n"

    def declare_count(self) -> None:
        """How many elements a row has."""
        inner = range(self.layout.outer, self.layout.rank)
        self.add(f"const long long count = {' * '.join(f'n{dim}' for dim in inner)};")

    def _declare_buffers(self) -> None:
        most = self._together()
        self.add(
            f"const long long tile = count <= {most // MOST_ROWS} ? {MOST_ROWS} : "
            f"count < {most} ? {most} / count : 1;"
        )
        for name, _ in self._moving_tensors():
            self.add(f"long long place_{name}[{MOST_ROWS}];")
        for dim in self._asked_rows():
            self.add(f"long long at_{dim}[{MOST_ROWS}];")
        self._declare_kept()
        for walk in self.walks:
            for value in walk.reductions:
                if is_float_sum(value) and self._summed_place(value, walk) is None:
                    text = f"{C_TYPES[value.dtype]} block_{self.names[value]}[{BLOCK}]"
                    self.add(f"{text} __attribute__((aligned(64)));")
        for value in self._crossing:
            self.add(f"{C_TYPES[value.dtype]} of_row_{self.names[value]}[{MOST_ROWS}];")

    def _together(self) -> int:
        """How many elements of rows are walked over together: more, if rows are scanned at once."""
        is_scanned = any(value.op in SCANNED_TOGETHER for value in self.kept)
        return 4 * TOGETHER if is_scanned and len(self.kept) < 4 else TOGETHER

    def _declare_kept(self) -> None:
        """What is kept of a row, or of the rows of a tile: all on the heap if a row is long."""
        if not self.kept:
            return
        types = [C_TYPES[value.dtype] for value in self.kept]
        bytes_of_all = sum(computed_in(value.dtype).itemsize for value in self.kept)
        near = max(self._together(), min(NEAR, _STACK // bytes_of_all))
        self.add("const long long room = (count + 15) / 16 * 16;")
        size = " + ".join(f"sizeof({type})" for type in types)
        self.add(f"char *const far = count > {near} ? malloc(room * ({size})) : 0;")
        self.add(f"if (count > {near} && !far) return 1;")
        past = "far"
        for value, type in zip(self.kept, types, strict=True):
            name = self.names[value]
            self.add(f"{type} near_{name}[{near}] __attribute__((aligned(64)));")
            self.add(f"{type} *restrict all_{name} = far ? ({type} *)({past}) : near_{name};")
            past += f" + room * sizeof({type})"

    def _moving_tensors(self) -> list[tuple[str, str]]:
        """The tensors that are elsewhere for each row, and how far from their beginnings."""
        found = []
        for number, (name, strides, _) in enumerate(self.tensors):
            terms = [
                f"i{dim} * {self.stride(number, dim)}"
                for dim in range(self.layout.outer)
                if strides[dim] is not Stride.ZERO
            ]
            if terms and self._is_read(name):
                found.append((name, " + ".join(terms)))
        return found

    def _asked_rows(self) -> list[int]:
        """The dimensions of rows along which positions are asked for."""
        dims = [dim for _, dim in self.layout.positions if dim is not None]
        return sorted({dim for dim in dims if dim < self.layout.outer})

    def position(self, dim: int) -> str:
        return f"at_{dim}[r]" if dim < self.layout.outer else super().position(dim)

    # ---- What is known of rows -----------------------------------------------------------------

    def _schedule(self) -> list[list[Scalar]]:
        """Return the values of rows known before the walks, then those known after each."""
        known = {value for value in self.kernel.values if self.is_uniform(value)}
        steps = []
        for reductions in ([], *(walk.reductions for walk in self.walks)):
            known.update(reductions)
            new = []
            for value in self.kernel.values:
                is_row = value.level is not Level.FULL and not value.is_reduction
                if is_row and value not in known and known.issuperset(value.operands):
                    known.add(value)
                    new.append(value)
            steps.append(new)
        return steps

    def _made_in(self, number: int) -> list[Scalar]:
        """The values of a row that are worked out in the loop over rows of a walk."""
        before = self._steps[0] if number == 0 else []
        return [*before, *self.walks[number].reductions, *self._steps[number + 1]]

    def _brought_to(self, number: int) -> list[Scalar]:
        """The values of a row from earlier walks that a walk, or what is after it, works with."""
        made = self._made_in(number)
        walk = self.walks[number]
        users = [*walk.values, *walk.scans, *made]
        needed = {operand for value in users for operand in value.operands}
        needed.update(self.kernel.outputs[output].value for output in walk.outputs)
        return [
            value
            for value in self.kernel.values
            if value in needed
            and value.level is not Level.FULL
            and not self.is_uniform(value)
            and value not in made
        ]

    # ---- Walks ---------------------------------------------------------------------------------

    def _walk_rows(self, number: int) -> None:
        """Walk over all rows of a tile: what is slow at the end of one goes on during the next."""
        walk = self.walks[number]
        self.open("for (int r = 0; r < rows; ++r)")
        moving = dict(self._moving_tensors())
        used = self._tensors_of([*walk.values, *self._made_in(number)])
        for name, _, type in self.tensors:
            if name in used or name.startswith("out"):
                place = f"{name} + place_{name}[r]" if name in moving else name
                self.add(f"{type} *restrict row_{name} = {place};")
        for value in [*walk.reread, *walk.kept]:
            name, type = self.names[value], C_TYPES[value.dtype]
            self.add(f"{type} *restrict kept_{name} = all_{name} + r * count;")
        for value in self._brought_to(number):
            name, type = self.names[value], C_TYPES[value.dtype]
            self.add(f"const {type} {name} = of_row_{name}[r];")
        made = self._made_in(number)
        for value in self._steps[0] if number == 0 else []:
            self.value(value)
        self._walk(walk)
        for value in walk.scans:
            if value.op not in SCANNED_TOGETHER:
                self._scan(value)
        for value in self._steps[number + 1]:
            self.value(value)
        for value in made:
            if value in self._crossing:
                self.add(f"of_row_{self.names[value]}[r] = {self.names[value]};")
        for index, output in enumerate(self.kernel.outputs):
            is_now = output.value in made or (number == 0 and self.is_uniform(output.value))
            if output.value.level is Level.ROW and is_now:
                self.store(index, None, self.names[output.value])
        self.close()
        for value in walk.scans:
            if value.op in SCANNED_TOGETHER:
                self._scan_rows(value)

    def _tensors_of(self, values: Iterable[Scalar]) -> set[str]:
        """The names of the inputs that are loaded."""
        return {f"in{value.payload}" for value in values if value.is_read}

    def _walk(self, walk: Walk) -> None:
        last = self.layout.rank - 1
        for value in walk.reductions:
            self._start(value)
        for dim in range(self.layout.outer, last):
            self.open(f"for (long long i{dim} = 0; i{dim} < n{dim}; ++i{dim})")
        self._inner_pointers(walk)
        blocked = [v for v in walk.reductions if is_float_sum(v)]
        if blocked:
            self.open(f"for (long long block = 0; block < n{last}; block += {BLOCK})")
            self.add(
                f"const long long stop = block + {BLOCK} < n{last} ? block + {BLOCK} : n{last};"
            )
        self.pragma_simd("".join(self._clause(value) for value in walk.reductions))
        begin, end = ("block", "stop") if blocked else ("0", f"n{last}")
        self.open(f"for (long long i = {begin}; i < {end}; ++i)")
        self._body(walk)
        for value in blocked:
            if self._summed_place(value, walk) is None:
                name, operand = self.names[value], self.names[value.operands[0]]
                self.add(f"block_{name}[i - block] = {operand};{comment(value)}")
        self.close()
        for value in blocked:
            place = self._summed_place(value, walk) or f"block_{self.names[value]}"
            self._add_block(value, place, "stop - block")
        if blocked:
            self.close()
        for _ in range(self.layout.outer, last):
            self.close()
        for value in walk.reductions:
            self._finish(value)

    def _scan(self, value: Scalar) -> None:
        """Scan what was written to the buffer of a value."""
        place, type = f"kept_{self.names[value]}", SHORT_NAMES[value.dtype]
        text = f"mts_{value.op}_{type}({place}, count, {int(value.payload)});"
        self.add(f"{text}{comment(value)}")

    def _scan_rows(self, value: Scalar) -> None:
        """Scan what was written to the buffers of a value by all rows of a tile."""
        place, type = f"all_{self.names[value]}", SHORT_NAMES[value.dtype]
        text = f"mts_{value.op}_rows_{type}({place}, rows, count, {int(value.payload)});"
        self.add(f"{text}{comment(value)}")

    def _summed_place(self, value: Scalar, walk: Walk) -> str | None:
        """Where a block of what is summed is in memory already, if it is."""
        operand = value.operands[0]
        if operand in walk.kept or operand in walk.reread:
            first = "block" if self.layout.inner == 1 else "base + block"
            return f"kept_{self.names[operand]} + {first}"
        if operand.op != "load" or STORED[operand.dtype] != C_TYPES[value.dtype]:
            return None
        if self.layout.inputs[operand.payload][-1] is not Stride.UNIT:
            return None
        return f"{'at' if self.layout.inner > 1 else 'row'}_in{operand.payload} + block"

    def _inner_pointers(self, walk: Walk) -> None:
        """With several inner dimensions: where the tensors and buffers are along the last one."""
        outer, last = self.layout.outer, self.layout.rank - 1
        if outer == last:
            return
        used = self._tensors_of(walk.values)
        for number, (name, strides, type) in enumerate(self.tensors):
            if name not in used and not name.startswith("out"):
                continue
            terms = [
                f"i{dim} * {self.stride(number, dim)}"
                for dim in range(outer, last)
                if strides[dim] is not Stride.ZERO
            ]
            self.add(f"{type} *restrict at_{name} = {' + '.join([f'row_{name}', *terms])};")
        flat = "0"
        for dim in range(outer, last):
            flat = f"({flat} + i{dim}) * n{dim + 1}" if flat != "0" else f"i{dim} * n{dim + 1}"
        self.add(f"const long long base = {flat};")

    def _kept_place(self) -> str:
        """The index in a buffer."""
        return self._index()

    def value(self, value: Scalar, place: str | None = None) -> None:
        if value.op != "index":
            super().value(value, place)
            return
        text = f"const long long {self.names[value]} = {self._index()};"
        self.add(f"{text}{comment(value)}")

    def loaded(self, value: Scalar, place: str | None) -> str:
        text = super().loaded(value, place)
        return text.replace("row_in", "at_in") if self._is_inside(place) else text

    def store(self, output: int, place: str | None, text: str) -> None:
        super().store(output, place, text)
        if self._is_inside(place):
            self.lines[-1] = self.lines[-1].replace("row_out", "at_out", 1)

    def _is_inside(self, place: str | None) -> bool:
        return place is not None and self.layout.inner > 1

    def _reread(self, value: Scalar, place: str) -> str:
        """What is in a buffer: of a scan of halves, it is yet to be rounded."""
        return rounded(place, value.dtype) if value.is_scan else place

    def _body(self, walk: Walk) -> None:
        for value in walk.reread:
            name = self.names[value]
            text = self._reread(value, f"kept_{name}[{self._kept_place()}]")
            self.add(f"const {C_TYPES[value.dtype]} {name} = {text};")
        for value in _in_order(self.kernel, walk.values):
            self.value(value, "i")
        for value in walk.kept:
            name = self.names[value.operands[0] if value.is_scan else value]
            self.add(f"kept_{self.names[value]}[{self._kept_place()}] = {name};")
        for value in walk.reductions:
            self._accumulate(value)
        for number in walk.outputs:
            self.store(number, "i", self.names[self.kernel.outputs[number].value])


def _in_order(kernel: Kernel, values: Iterable[Scalar]) -> list[Scalar]:
    wanted = set(values)
    return [value for value in kernel.values if value in wanted]
