"""docs/architecture.md names every cache of minits and every global that changes, and no others.

Caches are found by the ways in which they are made: `BoundedCache(...)`, `KeptTable(...)` and weak
dicts, dicts with a `__missing__`, and the decorators `@cache`, `@lru_cache`, `@remembered` and
`@kept_by_operator`. The page may name more: what an
object keeps in a plain dict or attribute. That has to be in the file that the page says.

Plain dicts that are filled where a look-up misses are found as well, and are on the page unless
they belong to one compilation or pass, and go with it.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import minits
from minits.gc_pause import gc_paused

PACKAGE = Path(minits.__file__).parent
PAGE = PACKAGE.parent / "docs" / "architecture.md"
MADE = ("BoundedCache", "KeptTable", "WeakKeyDictionary", "WeakValueDictionary", "WeakSet")
DECORATED = ("cache", "lru_cache", "remembered", "kept_by_operator")
PATHS = [str(path.relative_to(PACKAGE)) for path in sorted(PACKAGE.rglob("*.py"))]


@cache
def trees() -> dict[str, ast.Module]:
    """The trees of all files: made by the first test, not in each worker that collects tests."""
    with gc_paused():
        return {path: ast.parse((PACKAGE / path).read_text(encoding="utf-8")) for path in PATHS}


# ---- What is in the files ------------------------------------------------------------------------


def name_of(node: ast.AST | None) -> str:
    """The last name of what is called, decorated with or assigned to: `lru_cache`, `_known`."""
    match node:
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return name_of(inner)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def caches(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the name of each cache of a file, `Class.attribute`, and the text of its bound."""
    classes = [node for node in nodes(tree) if isinstance(node, ast.ClassDef)]
    for outer, prefix in [(tree, ""), *((cls, f"{cls.name}.") for cls in classes)]:
        for node in own_nodes(outer):
            match node:
                case ast.FunctionDef(name=name, decorator_list=decorators):
                    for decorator in decorators:
                        if name_of(decorator) in DECORATED:
                            yield prefix + name, bound(decorator)
                case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                    if name_of(node.value) in MADE:
                        yield prefix + name_of(target), bound(node.value)
                case ast.Call(keywords=keywords):
                    for keyword in keywords:
                        if name_of(keyword.value) in MADE:
                            yield f"{name_of(node)}.{keyword.arg}", bound(keyword.value)


def own_nodes(outer: ast.AST) -> Iterator[ast.AST]:
    """Yield what is in a module or class, but not in classes within it."""
    waiting = [*ast.iter_child_nodes(outer)]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.ClassDef):
            yield node
            waiting += ast.iter_child_nodes(node)


@cache
def nodes(tree: ast.Module) -> list[ast.AST]:
    """All nodes of a file, which several tests go through."""
    return [*ast.walk(tree)]


def bound(made: ast.AST | None) -> str:
    """Return what bounds a cache: the argument of `BoundedCache`, or `maxsize`; "" if nothing."""
    match made:
        case ast.Call(func=ast.Name(id="BoundedCache"), args=[most]):
            return ast.unparse(most)
        case ast.Call(func=ast.Name(id="lru_cache"), keywords=[ast.keyword(value=most)]):
            return ast.unparse(most)
    return ""


def changing_globals(tree: ast.Module) -> Iterator[str]:
    """Yield the module-level names of a file that change."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) if node.value:
                is_made = isinstance(node.value, ast.Call) and name_of(node.value) in changing()
                if is_made or ast.unparse(node.value) in ("{}", "[]"):
                    yield name_of(target)
    for inner in nodes(tree):
        if isinstance(inner, ast.Global):
            yield from inner.names


def is_stateful(cls: ast.ClassDef) -> bool:
    """Whether objects of a class are of a thread, or assign to themselves once they are made."""
    later = [
        node
        for method in cls.body
        if isinstance(method, ast.FunctionDef) and method.name != "__init__"
        for node in ast.walk(method)
    ]
    return "local" in map(name_of, cls.bases) or any(
        isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and name_of(node.value) == "self"
        for node in later
    )


@cache
def changing() -> frozenset[str]:
    """Names by which a module-level name is made that changes while programs run.

    Among them are classes of dicts that fill themselves where a look-up misses.
    """
    classes = [
        node for tree in trees().values() for node in nodes(tree) if isinstance(node, ast.ClassDef)
    ]
    filling = [
        each.name
        for each in classes
        if any(isinstance(it, ast.FunctionDef) and it.name == "__missing__" for it in each.body)
    ]
    stateful = [each.name for each in classes if is_stateful(each)]
    plain = "count ContextVar local Lock Event deque dict set list".split()
    return frozenset((*MADE, *plain, *filling, *stateful))


@cache
def all_caches() -> dict[str, str]:
    """The bound of each cache of all files, "" if it has none."""
    return {
        f"{path}:{name}": limit for path, tree in trees().items() for name, limit in caches(tree)
    }


@cache
def all_globals() -> set[str]:
    """The module-level names of all files that change."""
    return {f"{path}:{name}" for path, tree in trees().items() for name in changing_globals(tree)}


def memos(tree: ast.Module) -> Iterator[str]:
    """Yield the dicts that a function of a file looks something up in, and fills with it."""
    for function in nodes(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        asked, filled = set(), set()
        for node in ast.walk(function):
            match node:
                case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_]):
                    asked.add((ast.unparse(table), ast.unparse(key)))
                case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[table]):
                    asked.add((ast.unparse(table), ast.unparse(key)))
                case ast.Subscript(value=table, slice=key, ctx=ast.Store()):
                    filled.add((ast.unparse(table), ast.unparse(key)))
        yield from (table.split(".")[-1] for table, _ in asked & filled)


OF_ONE_RUN = (
    "archive/", "check/", "freezing/", "frontend/emit/", "frontend/extended/", "ir/",
    "kernels/gradients/", "kernels/ir/", "kernels/lowering/", "kernels/schedule/", "passes/",
    "report/", "stepping/", "tracing/",
)  # fmt: skip
"""Folders whose objects live as long as one compilation, pass, check, report or run, or archive."""
MEMOS_OF_ONE_RUN = {
    "compilation_journal.py": {"table"},  # the table of whoever enters something
    "bounded_cache.py": {"self"},  # of which caches are made
    "codegen/integer_bounds.py": {"_keys", "_intervals", "_needed"},  # one graph is printed
    "codegen/liveness.py": {"_users"},
    "codegen/python.py": {"_names"},
    "codegen/releases.py": {"_read_first"},
    "codegen/variables.py": {"_names", "_counts", "_groups"},
    "frontend/modules/module_types.py": {"attributes"},  # those of a type
    "frontend/python/compilation.py": {"asked"},  # a row names it `_asked`
    "frontend/values/emitter.py": {"_literals"},  # one function is emitted
    "frontend/values/refinement.py": {"result"},
    "kernels/cpu/any_sizes.py": {"_names"},  # one launch is printed
    "kernels/cpu/c_paragraphs.py": {"needed"},  # one text is completed
    "native/blocks.py": {"_pending"},  # one block is printed
    "records.py": {"changes"},  # arguments
    "runtime/digest.py": {"_texts"},  # one program is digested
    "runtime/made_modules.py": {"known"},  # one module is prepared
    "runtime/module_attributes.py": {"_modules"},  # nn.Module's own
    "runtime/script_module.py": {"own"},
    "syntax/lexer.py": {"known"},  # one text is read
    "runtime/repeated_calls.py": {"names", "_names"},  # one predicate is printed
}

# ---- What is on the page -------------------------------------------------------------------------

ROW = re.compile(r"^\| `([\w/]+\.py:[\w.]+)` \|(.*)$", re.MULTILINE)
ROWS: dict[str, str] = dict(ROW.findall(PAGE.read_text(encoding="utf-8")))


def test_what_is_kept_is_on_the_page() -> None:
    kept = {*all_caches(), *all_globals()}
    assert sorted(kept - ROWS.keys()) == [], "docs/architecture.md needs rows for these"
    wrong = {name for name in kept if all_caches().get(name, "") not in ROWS[name]}
    assert wrong == set(), "their bounds are others"


def test_what_is_on_the_page_is_kept() -> None:
    for name in ROWS:
        path, _, member = name.partition(":")
        assert path in trees(), f"{path} is gone"
        text = (PACKAGE / path).read_text(encoding="utf-8")
        assert all(re.search(rf"\b{word}\b", text) for word in member.split(".")), f"{name} is gone"


def test_dicts_that_are_filled_on_a_miss_are_on_the_page() -> None:
    found = {path: set(memos(tree)) for path, tree in trees().items()}
    lasting = {
        f"{path}: {name}"
        for path, names in found.items()
        if not path.startswith(OF_ONE_RUN)
        for name in names - MEMOS_OF_ONE_RUN.get(path, set())
        if not any(re.search(rf"[:.]{name}$", row) for row in ROWS)  # of any file that fills it
    }
    assert lasting == set()
    assert all(names <= found[path] for path, names in MEMOS_OF_ONE_RUN.items())


def test_it_finds_a_cache_of_each_kind() -> None:
    kinds = {
        "kernels/fused_kernel.py:FusedKernel._built": "MOST_LAYOUTS",
        "runtime/planning.py:Family.bound": "MOST_SHAPES",
        "ops/builtins.py:_owners": "",
        "kernels/launch/launch.py:_code": "1024",
        "compilation_state.py:CompilationState.types": "",
    }
    assert kinds.items() <= all_caches().items()
    assert {"runtime/strict_fusion.py:STRICT", "kernels/cpu/cache.py:_built"} <= all_globals()


# ---- The first files of the rooms ----------------------------------------------------------------

ROOMS = "archive cli codegen freezing frontend ir kernels ops passes runtime tracing types".split()


def test_rooms_import_nothing() -> None:
    """What imports one file of a room waits for no other."""
    assert [room for room in ROOMS if len(trees()[f"{room}/__init__.py"].body) > 1] == []


FOLDERS = sorted(
    {(PACKAGE / path).parent for path in PATHS if path.endswith("/__init__.py")} - {PACKAGE}
)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(PACKAGE)))
def test_maps_name_each_file_and_no_other(folder: Path) -> None:
    text = (folder / "__init__.py").read_text(encoding="utf-8")
    map = ast.get_docstring(ast.parse(text)) or ""
    files = {path.stem for path in folder.iterdir() if path.suffix in ("", ".py")}
    rows = re.findall(r"(?m)^([a-z]\w*(?:, [a-z]\w*)*)  ", map)
    assert {name for row in rows for name in row.split(", ")} <= files
    assert {file for file in files if not file.startswith("__")} <= {*re.findall(r"\w+", map)}
