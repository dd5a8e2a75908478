"""An f-string's fields have no conversion such as !r."""


def program(s: str) -> str:
    t = f"{s}"
    return t + f"{s!r}"  # error
