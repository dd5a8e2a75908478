"""A default must be of its parameter's type."""


def program(n: int, name: str = 3) -> str:  # error
    return name + str(n)
