"""An item of an object is read and assigned, but not by an augmented assignment."""


class Dial:
    def __init__(self):
        self.marks = [0, 0]

    def __setitem__(self, i: int, mark: int):
        self.marks[i] = mark

    def __getitem__(self, i: int) -> int:
        return self.marks[i]


def program(n: int) -> int:
    dial = Dial()
    dial[0] = dial[1] + n
    dial[0] += n  # error
    return dial[0]
