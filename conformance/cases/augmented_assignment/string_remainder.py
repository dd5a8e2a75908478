"""%= does not format a string, though % does."""


def program(text: str, n: int) -> str:
    text %= n  # error
    return text
