"""A method that the language lacks is refused, though Python has it."""


def program(s: str) -> str:
    t = s.lower()
    return t.casefold()  # error
