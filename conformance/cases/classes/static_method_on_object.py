"""An object has no static methods: they are the class's."""


class Clock:
    def __init__(self, minutes: int):
        self.minutes = minutes

    @staticmethod
    def wrapped(minutes: int) -> int:
        return minutes % 1440


def program(n: int) -> int:
    clock = Clock(Clock.wrapped(n))
    return clock.wrapped(n)  # error
