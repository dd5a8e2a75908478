"""chr takes an int."""


def program(text: str) -> str:
    return chr(text)  # error
