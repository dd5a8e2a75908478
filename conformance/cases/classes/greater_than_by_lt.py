"""Each comparison needs its own method: __lt__ makes no >."""


class Card:
    def __init__(self, rank: int):
        self.rank = rank

    def __lt__(self, other: "Card") -> bool:
        return self.rank < other.rank


def program(n: int) -> bool:
    if Card(n) < Card(3):
        return True
    return Card(n) > Card(3)  # error
