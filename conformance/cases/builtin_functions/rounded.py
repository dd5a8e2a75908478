"""round takes a number to the nearest whole float, halves to even, and nothing else."""


def program(f: float, digits: int) -> float:
    return round(f, digits)  # error
