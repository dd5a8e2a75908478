"""A Python dict is no value of the program, functions in it cannot be looked up."""


def double(n: int) -> int:
    return n * 2


TABLE = {"double": double}


def program(n: int) -> int:
    return TABLE["double"](n)  # error
