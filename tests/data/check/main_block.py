"""Command lines are not programs."""
import argparse
import sys

import torch


def scaled(x: torch.Tensor, scale: float) -> torch.Tensor:
    return x * scale


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1.0)
    return parser.parse_args()


def main():
    options = parse()
    with open(sys.argv[0]) as file:
        print(file.read(), scaled(torch.ones(2), options.scale))


if __name__ == "__main__":
    main()
