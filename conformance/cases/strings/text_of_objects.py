"""An object is shown by the qualified name of its class and its address, within `print`, f-strings, `format`, `%` and in
containers; only `str(obj)` asks for its `__str__`."""

import torch


class Point:
    def __init__(self, x: int) -> None:
        self.x = x

    def __str__(self) -> str:
        return f"Point({self.x})"


class Holder(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.point = Point(3)

    def name(self, text: str) -> str:
        return text.split(" object at ")[0]

    def forward(self):
        point = self.point
        names = [self.name(f"{point}"), self.name("{}".format(point)), self.name("%s" % point)]
        names += [self.name(str([point])), self.name(str((1, point))), self.name(str({"a": point}))]
        return names, str(point), self.name("{}".format([Point(1)]))


def build():
    return Holder()


def inputs():
    return [()]
