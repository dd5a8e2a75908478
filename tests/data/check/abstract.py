"""An abstract class is not made; its child is."""
from abc import ABC, abstractmethod

from torch import nn


class Base(nn.Module, ABC):
    @abstractmethod
    def scale(self) -> float: ...

    def forward(self, x):
        return x * self.scale()


class Child(Base):
    def scale(self) -> float:
        return 2.0
