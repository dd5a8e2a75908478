"""The data of a report page: plain values, written into the page as JSON.

Things are named by numbers, so that the page can link them: a *range* is an index into
`Page.ranges`; a *node* and a *value* are keys that stay the same from pass to pass
(`recording.py`). The `links` of a line are the ranges that it is of: its `own` first, then those of
the calls through which inlining brought it there, the innermost first.
"""

from __future__ import annotations

from minits.records import dataclass, field


@dataclass(slots=True)
class Excerpt:
    """Lines of a source file: a function that was compiled."""

    file: int
    first_line: int
    text: str


@dataclass(slots=True)
class RangeEntry:
    """A source range: lines count from 1, columns are those of `SourceRange`."""

    file: int
    line: int
    column: int
    end_line: int
    end_column: int
    types: list[str] = field(default_factory=list)
    """The types of what is computed there, as `kind: type` of each node."""
    reason: str = ""
    """The type of the expression there, with its reason: what annotates, assigns or refines it."""


@dataclass(slots=True)
class Row:
    """A line of a graph. Rows of one node are equal in meaning if their `version` is equal.

    `values` are those that the text names, in its order.
    """

    node: int
    version: int
    text: str
    values: list[int]
    links: list[int]
    own: int = 1


@dataclass(slots=True)
class Change:
    """The numbers of nodes that a pass added, removed, changed and moved to another block.

    The ends of blocks, at which values come in and go out, are among those that changed only.
    """

    added: int = 0
    removed: int = 0
    changed: int = 0
    moved: int = 0

    @property
    def is_none(self) -> bool:
        return not (self.added or self.removed or self.changed or self.moved)


@dataclass(slots=True)
class StageEntry:
    """A graph after a pass: the first `keep` rows and the last `keep_end` of the stage before it,
    and `rows` between them. `seconds` are those that the pass took."""

    name: str
    change: Change
    seconds: float
    keep: int
    keep_end: int
    rows: list[int]


@dataclass(slots=True)
class CodeLine:
    """A line of generated code."""

    text: str
    links: list[int] = field(default_factory=list)
    own: int = 1


@dataclass(slots=True)
class KernelEntry:
    """A kernel, or several that are alike, of which the first is shown.

    `names` are theirs, `nodes` those of their groups. The text is kept by language: `preludes` are
    indices into `Page.preludes`, functions that it calls.
    """

    names: list[str]
    nodes: list[int]
    preludes: dict[str, int]
    lines: dict[str, list[CodeLine]]

    @property
    def title(self) -> str:
        more = len(self.names) - 1
        return f"{self.names[0]} and {more} alike" if more else self.names[0]


@dataclass(slots=True)
class RemarkEntry:
    """A remark of a pass, beside the line `line` of `file`; -1 where it has no place."""

    kind: str
    code: str
    message: str
    fix: str | None
    file: int = -1
    line: int = 0
    link: int = -1
    excerpt: str = ""


@dataclass(slots=True)
class Box:
    """A rectangle of the picture: an operator, or a block or group that others lie in."""

    node: int
    kind: str
    label: str
    x: float
    y: float
    width: float
    height: float
    links: list[int] = field(default_factory=list)
    own: int = 1


@dataclass(slots=True)
class Picture:
    """The dataflow of a graph. An edge is a list of x, y, x, y, ...

    `note` says what is left out.
    """

    width: float = 0.0
    height: float = 0.0
    boxes: list[Box] = field(default_factory=list)
    edges: list[list[float]] = field(default_factory=list)
    note: str = ""


@dataclass(slots=True)
class RanGraph:
    """A graph that ran: the name of its function, and a row for each operation."""

    function: str
    rows: list[int]


@dataclass(slots=True)
class Run:
    """A recorded run (`minits/stepping/recording.py`).

    Runs of many steps are small, since all texts are in `texts`, once each, and a *place* is what
    many steps have in common: its `what` (`run.WHATS`), operation, block, and the names of what it
    gives. `steps` has, one after the other, for each step its place, its frame and its values.
    Operations are numbered as the rows of `graphs` follow each other; -1 is none.
    """

    program: str
    texts: list[str]
    graphs: list[RanGraph]
    kinds: list[int]
    """Of each operation, in `texts`."""
    places: list[list[int]]
    frames: list[tuple[int, int]]
    """The graph of each call, and the step that calls it."""
    steps: list[int]
    count: int
    """The number of steps."""
    printed: list[tuple[int, str]]
    """The steps that printed, with their texts."""
    result: str | None
    error: str | None
    is_cut: bool


@dataclass(slots=True)
class Compilation:
    """A function or method, compiled for one kind of call."""

    name: str
    title: str
    stages: list[StageEntry]
    python: list[CodeLine] = field(default_factory=list)
    kernels: list[KernelEntry] = field(default_factory=list)
    remarks: list[RemarkEntry] = field(default_factory=list)
    picture: Picture = field(default_factory=Picture)
    files: list[int] = field(default_factory=list)
    """The files that its ranges are in, the program's own first."""
    run: Run | None = None


@dataclass(slots=True)
class ModuleEntry:
    """A module of a tree: its parameters and buffers, and the part of a call that it took."""

    path: str
    class_name: str
    depth: int
    tensors: list[str]
    milliseconds: float | None = None
    share: float | None = None


@dataclass(slots=True)
class Page:
    """All that a page shows. `notes` tell what could not be shown, and why."""

    title: str
    version: str
    files: list[str] = field(default_factory=list)
    excerpts: list[Excerpt] = field(default_factory=list)
    ranges: list[RangeEntry] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    compilations: list[Compilation] = field(default_factory=list)
    modules: list[ModuleEntry] = field(default_factory=list)
    preludes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
