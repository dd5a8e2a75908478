"""Calls a program from another language through the functions of model.h: here from Python, by ctypes
alone, without torch or minits.

    minits build examples/native/counting.py -o build
    python examples/native/counting_by_ctypes.py build/libmodel.so 27
"""

import ctypes
import sys


class Content(ctypes.Union):
    _fields_ = [("integer", ctypes.c_int64), ("real", ctypes.c_double), ("text", ctypes.c_char_p)]


class Any(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int),
        ("length", ctypes.c_int64),
        ("content", Content),
        ("type", ctypes.c_void_p),
    ]


class Error(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_char_p),
        ("message", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("line", ctypes.c_int),
        ("source", ctypes.c_char_p),
    ]


INT = 2


def main(path: str, number: int) -> None:
    library = ctypes.CDLL(path)
    model, result, error = ctypes.c_void_p(), Any(), Error()
    assert library.model_create(None, ctypes.byref(model), ctypes.byref(error)) == 0

    def call(name: bytes, argument: Any) -> None:
        given = (model, name, ctypes.byref(argument), ctypes.c_int64(1))
        if library.model_call(*given, ctypes.byref(result), ctypes.byref(error)):
            print(f"{error.type.decode()}: {error.message.decode()}, line {error.line}")
            library.model_clear_error(ctypes.byref(error))

    call(b"collatz", Any(INT, 0, Content(integer=number)))
    print("collatz:", result.content.integer)
    call(b"collatz", Any(INT, 0, Content(integer=-5)))
    library.model_destroy(model)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
