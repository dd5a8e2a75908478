"""Methods that a class of modules declares itself, to be compiled with each of its types.

`script_method` marks a Python function as one; `define` takes one from a text.

Source: torch/jit/_recursive.py (`ScriptMethodStub`), torch/jit/_script.py (`script_method`,
`ScriptMeta`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minits.compilation_journal import whole_or_nothing
from minits.diagnostics import error
from minits.frontend.calls.literal_defaults import literal_defaults
from minits.frontend.python.compiled_functions import make_compiled_function
from minits.frontend.python.scopes import CallerScope
from minits.frontend.python.sources import function_definition
from minits.frontend.values.function import CompiledFunction
from minits.kept import KeptTable
from minits.records import dataclass
from minits.source import GIVEN_AS_TEXT, SourceFile
from minits.syntax import parse_definitions, tree
from minits.syntax.fence import require_supported
from minits.syntax.text_fence import require_supported_text

if TYPE_CHECKING:
    from minits.frontend.modules.module_info import ModuleInfo


@dataclass(frozen=True, eq=False)
class FunctionStub:
    """A method given as a Python function.

    scope: the names around the class, for annotations in comments; the function's own come first.
    """

    function: Any
    scope: CallerScope

    @property
    def name(self) -> str:
        return str(self.function.__name__)

    def make(self, info: ModuleInfo) -> CompiledFunction:
        """Return the method of a type, to be compiled when it is needed."""
        return make_compiled_function(self.function, info.dialect, info, around=self.scope)


@dataclass(frozen=True, eq=False)
class TextStub:
    """A method given as text."""

    definition: tree.FunctionDef
    scope: CallerScope

    @property
    def name(self) -> str:
        return self.definition.name

    def make(self, info: ModuleInfo) -> CompiledFunction:
        """Return the method of a type, to be compiled when it is needed."""
        return text_function(self.definition, self.scope, info)


MethodStub = FunctionStub | TextStub
STUBS: KeptTable[dict[str, MethodStub]] = KeptTable()
"""The methods that classes of compiled modules declare, by name; other classes have no entry."""


def function_stub(function: Any, scope: CallerScope) -> FunctionStub:
    """Return the stub of a function. Raises `CompileError` where its syntax is not TorchScript."""
    require_supported(function_definition(function))
    return FunctionStub(function, scope)


def text_stubs(text: str, scope: CallerScope) -> list[TextStub]:
    """Return the stubs of a text's functions. Raises `CompileError` where it cannot be parsed."""
    return [TextStub(each, scope) for each in parse_definitions(SourceFile(GIVEN_AS_TEXT, text))]


def text_function(
    definition: tree.FunctionDef, scope: CallerScope, itself: ModuleInfo | None = None
) -> CompiledFunction:
    """Return the function, or the method of `itself`, that a definition in a text makes."""
    module = "__torch__" if itself is None else itself.type.name
    return CompiledFunction(
        definition.name,
        f"{module}.{definition.name}",
        definition,
        scope,
        itself=itself,
        defaults=literal_defaults(definition),
        dialect=scope.dialect,
        check=require_supported_text,
    )


def add_methods(info: ModuleInfo, stubs: list[TextStub]) -> list[CompiledFunction]:
    """Add methods to a type, and compile them: a fault leaves the type as it was.

    Raises `CompileError`.
    """
    for stub in stubs:
        if stub.name in info.type.methods:
            raise error(
                stub.definition.range,
                "TS615",
                f"{info.cls.__name__} has a method '{stub.name}' already",
                fix="give it another name",
            )
    with whole_or_nothing():
        made = info.add_stubs(stubs)
        for method in made:
            method.ensure_defined()
    return made
