"""Only ints are written by hex, oct and bin."""


def program(f: float) -> str:
    return hex(f)  # error
