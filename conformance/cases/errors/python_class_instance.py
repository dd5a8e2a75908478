"""An instance of an ordinary class is no value of the language."""


class Options:
    size = 3


options = Options()


def program(n: int) -> int:
    return n + options.size  # error
