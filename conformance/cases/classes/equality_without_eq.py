"""Objects of a class without __eq__ are not compared with ==; is tells whether two are one."""


class Counter:
    def __init__(self, n: int):
        self.n = n


def program(n: int) -> bool:
    counter = Counter(n)
    same = counter is counter and counter is not Counter(n)
    return same and counter == Counter(n)  # error
