"""An f-string's fields have no format specifications."""


def program(x: float) -> str:
    s = f"{x}"
    return s + f"{x:.2f}"  # error
