"""Objects are sorted by __lt__, in a list and by sorted; those that are equal keep their order."""

from typing import List, Tuple


class Card:
    def __init__(self, rank: int, suit: str):
        self.rank = rank
        self.suit = suit

    def __lt__(self, other: "Card") -> bool:
        return self.rank < other.rank


def text(cards: List[Card]) -> str:
    found = ""
    for card in cards:
        found += card.suit + str(card.rank)
    return found


def program(n: int) -> Tuple[str, str, str]:
    hand = [Card(n, "c"), Card(2, "d"), Card(9, "h"), Card(2, "s")]
    ordered = sorted(hand)
    hand.sort(reverse=True)
    hand[0].suit = "!"
    return text(ordered), text(hand), "less" if ordered[0] < ordered[1] else "not less"


def inputs():
    return [(5,), (1,)]
