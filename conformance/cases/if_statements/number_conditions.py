"""A number is a condition: zero of either sign is false, all else is true, NaN too."""


def program(n: int, f: float) -> str:
    text = ""
    if n:
        text += "n"
    if f:
        text += "f"
    if not f:
        text += "!"
    return text


def inputs():
    return [(0, 0.0), (-1, -0.0), (1, float("nan")), (2, 1e-300)]
