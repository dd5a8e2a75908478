"""A static method is compiled where it is called: one that is not called may be written in any Python."""


class Clock:
    def __init__(self, minutes: int):
        self.minutes = minutes

    @staticmethod
    def hours(minutes: int) -> int:
        return minutes // 60

    @staticmethod
    def all_days(first: int):
        for day in range(first, 8):
            yield day.name

    def hour(self) -> int:
        return Clock.hours(self.minutes)


def program(n: int) -> int:
    return Clock(n).hour()


def inputs():
    return [(150,)]
