"""match is not in the language."""


def program(n: int) -> int:
    match n:  # error
        case 1:
            return 2
        case _:
            return 3
