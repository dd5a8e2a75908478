"""A static method is called on the class, from functions and from methods of the class."""


class Clock:
    def __init__(self, minutes: int):
        self.minutes = Clock.wrapped(minutes)

    @staticmethod
    def wrapped(minutes: int, day: int = 1440) -> int:
        return minutes % day

    def later(self, by: int) -> int:
        return Clock.wrapped(self.minutes + by)


def program(n: int) -> int:
    clock = Clock(n)
    wrapped = Clock.wrapped(day=7, minutes=n)
    return clock.later(100) * 10 + wrapped


def inputs():
    return [(1500,), (-1,)]
