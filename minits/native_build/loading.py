"""`minits.load_native`: the functions of a built library, called from Python."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from minits.native_build.values import DEFAULT, AnyValue, ErrorValue, fill, value_of
from minits.ops.errors import raised


def load_native(folder: str | Path, weights: str | Path | None = None) -> NativeModel:
    """Return the functions of the library that `minits build` has made in a folder.

    weights: another file than the folder's own

    Raises `OSError` where there is no library, and `ScriptError` where its weights do not fit.
    """
    found = sorted(Path(folder).glob("lib*.so"))
    if len(found) != 1:
        raise FileNotFoundError(f"{folder} has {len(found)} libraries, lib*.so, and not one")
    (path,) = found
    name = path.stem.removeprefix("lib")
    if weights is None and (own := path.parent / f"{name}.safetensors").exists():
        weights = own
    return NativeModel(ctypes.CDLL(str(path.resolve())), name, weights)


class NativeModel:
    """A model of a library: its functions and methods are attributes.

    model = minits.load_native("collatz")
    model.collatz(27)
    """

    def __init__(self, library: Any, name: str, weights: str | Path | None = None) -> None:
        self._library = library
        self._name = name
        self._native_call, self._native_clear = self._entry("call"), self._entry("clear")
        self._model = ctypes.c_void_p()
        self._declarations = self._read_declarations()
        """The declarations of its functions, by their names: `collatz(int n) -> int`."""
        error = ErrorValue()
        given = None if weights is None else str(weights).encode()
        create = self._entry("create")
        if create(given, ctypes.byref(self._model), ctypes.byref(error)):
            self._fail(error, name)
        weakref.finalize(self, self._entry("destroy"), self._model)

    def __getattr__(self, name: str) -> Any:
        """Return a function of the library. Raises AttributeError."""
        if name not in vars(self).get("_declarations", ()):
            raise AttributeError(f"the library has no function '{name}'")
        return NativeMethod(self, name, self._declarations[name])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._declarations]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)

    def _call(self, name: str, values: Sequence[Any]) -> Any:
        """Call a function by its name. Raises its errors, and `TypeError` for unfit arguments."""
        kept: list[Any] = []
        arguments = (AnyValue * max(len(values), 1))()
        for argument, value in zip(arguments, values, strict=False):
            fill(argument, value, kept)
        result, error = AnyValue(), ErrorValue()
        call, given = self._native_call, (name.encode(), arguments, ctypes.c_int64(len(values)))
        if call(self._model, *given, ctypes.byref(result), ctypes.byref(error)):
            self._fail(error, name)
        try:
            return value_of(result)
        finally:
            self._native_clear(ctypes.byref(result))

    def _entry(self, name: str) -> Any:
        """Return a function of the header, which ctypes makes whenever it is asked for one."""
        return self._library[f"{self._name}_{name}"]

    def _read_declarations(self) -> dict[str, str]:
        texts = self._strings("declarations")
        return {text.partition("(")[0]: text for text in reversed(texts)}  # of overloads the first

    def _parameters(self, name: str) -> list[str]:
        """Return the names of a function's parameters."""
        return self._strings("parameters", name.encode())

    def _strings(self, entry_name: str, *given: bytes) -> list[str]:
        """Return the strings of an array that ends with 0."""
        entry = self._entry(entry_name)
        entry.restype = ctypes.POINTER(ctypes.c_char_p)
        found: list[str] = []
        texts = entry(*given)
        while (text := texts[len(found)]) is not None:
            found.append(text.decode("utf-8", "surrogateescape"))
        return found

    def _fail(self, error: ErrorValue, name: str) -> NoReturn:
        """Raise an error of C, at its line of the program."""
        told = [each.decode("utf-8", "replace") if each else "" for each in (
            error.type, error.message, error.file)]  # fmt: skip
        self._entry("clear_error")(ctypes.byref(error))
        kind, message, file = told
        if kind == "MemoryError":
            raise MemoryError
        _raise_at(raised(message, kind), file, error.line, name)


class NativeMethod:
    """A function of a library, called with positional arguments and those by name."""

    def __init__(self, model: NativeModel, name: str, declaration: str) -> None:
        self._model, self.__name__ = model, name
        self.declaration = declaration
        self._parameters = model._parameters(name)

    def __repr__(self) -> str:
        return f"<native function {self.declaration}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._model._call(self.__name__, self._bound(args, kwargs) if kwargs else args)

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """Return the arguments in their order. Raises `TypeError` for others."""
        rest = self._parameters[len(args) :]
        for name in kwargs:
            if name not in rest:
                raise TypeError(f"{self.__name__}() takes no argument '{name}'. {self.declaration}")
        return [*args, *[kwargs.get(name, DEFAULT) for name in rest]]


def _raise_at(error: Exception, file: str, line: int, name: str) -> NoReturn:
    """Raise an error from a line of a file, as its traceback will tell."""
    if not file:
        raise error
    code = compile("\n" * (line - 1) + "raise error", file, "exec", dont_inherit=True)
    exec(code.replace(co_name=name), {"error": error})
    raise AssertionError
