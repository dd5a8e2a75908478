"""Calls a module with tensors from another language: here from Python, by ctypes and the memory of
`array` alone, without torch or minits.

    minits build examples/native/voice.py:detector -o build
    python examples/native/voice_by_ctypes.py build
"""

import ctypes
import math
import sys
from array import array

FLOAT32 = 6  # MTS_DTYPE_FLOAT32


class Any(ctypes.Structure):
    """An `mts_any`, whose content is a handle here."""

    _fields_ = [
        ("kind", ctypes.c_int),
        ("length", ctypes.c_int64),
        ("tensor", ctypes.c_void_p),
        ("type", ctypes.c_void_p),
    ]


class Tensor(ctypes.Structure):
    """An `mts_tensor`."""

    _fields_ = [
        ("dtype", ctypes.c_int),
        ("rank", ctypes.c_int64),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("data", ctypes.POINTER(ctypes.c_float)),
    ]


class Error(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_char_p),
        ("message", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("line", ctypes.c_int),
        ("source", ctypes.c_char_p),
    ]


class Detector:
    """A model of the library in a folder."""

    def __init__(self, folder: str) -> None:
        self.library = ctypes.CDLL(f"{folder}/libmodel.so")
        self.model = ctypes.c_void_p()
        self.check("create", f"{folder}/model.safetensors".encode(), ctypes.byref(self.model))

    def check(self, name: str, *given: object) -> None:
        """Call a function of model.h. Raises RuntimeError where it fails."""
        error = Error()
        if self.library[f"model_{name}"](*given, ctypes.byref(error)):
            message = f"{error.type.decode()}: {error.message.decode()}"
            self.library.model_clear_error(ctypes.byref(error))
            raise RuntimeError(message)

    def listen(self, samples: array) -> float:
        """Return the chance of a voice. Raises RuntimeError where the program raises."""
        argument, result, chance = Any(), Any(), Tensor()
        size, data = ctypes.c_int64(len(samples)), samples.buffer_info()[0]
        given = (FLOAT32, ctypes.c_int64(1), ctypes.byref(size), ctypes.c_void_p(data))
        self.check("new_tensor", *given, ctypes.byref(argument))
        try:
            call = (self.model, b"forward", ctypes.byref(argument), ctypes.c_int64(1))
            self.check("call", *call, ctypes.byref(result))
            self.check("read_tensor", ctypes.byref(result), ctypes.byref(chance))
            return float(chance.data[0])
        finally:
            self.library.model_clear(ctypes.byref(argument))
            self.library.model_clear(ctypes.byref(result))


def main(folder: str) -> None:
    detector = Detector(folder)
    for part in range(3):
        samples = array("f", [math.sin(0.1 * (part + 1) * i) for i in range(512)])
        print(f"{detector.listen(samples):.4f}")
    try:
        detector.listen(samples[:16])
    except RuntimeError as error:
        print(error)
    detector.library.model_destroy(detector.model)


if __name__ == "__main__":
    main(sys.argv[1])
