"""Sorting objects of a class without __lt__ raises, where there is more than one to sort."""


class Card:
    def __init__(self, rank: int):
        self.rank = rank


def program(n: int) -> int:
    cards = [Card(n), Card(3)]
    cards.sort()
    return cards[0].rank


def inputs():
    return [(2,)]
