"""What minits does with one function, from its source to a kernel: `make demo`.

Each step is a command that you can type yourself.
"""

import contextlib
import io
import sys
from pathlib import Path

import torch
from rich.console import Console

import minits
from minits.cli.main import main
from minits.compilation_state import STATE

EXAMPLES = Path(__file__).parents[1]
PROGRAM = "examples/masked_softmax.py"
CALL = ["--input", "torch.randn(64, 64)", "--input", "mask=torch.randn(64, 64)"]
console = Console(highlight=False, soft_wrap=True)


def demo() -> None:
    say("1. A method of a module, with a mask that may be missing:")
    show(source())
    say("2. What was understood: its signature, the type of each value, and that the mask is a Tensor inside of the if.")
    command("--emit=types")
    say("3. Its IR, the text that torch.jit prints, too: `prim::If` has a block for each way, and gives the result of one.")
    command("--emit=ir")
    say("4. A call with a mask: no branch is left, and what remains is one group of operators, to be one kernel.")
    command("--emit=optimized", *CALL)
    say("5. The kernel, in part, as C for the CPU: each line says which line of the program it computes.")
    command("--emit=cpp", *CALL, part=("// Sweep 0", "// Sweep 1"))
    say("6. It gives what the module gives:")
    compare()
    say("More: README.md, `minits --help`, `minits docs`.")


def say(sentence: str) -> None:
    console.print(f"\n[bold]{sentence}[/bold]\n", markup=True)


def show(text: str) -> None:
    """Print a text without the paths of this machine."""
    torch_at = f"{Path(torch.__file__).parents[1]}/"
    console.print(text.rstrip().replace(f"{EXAMPLES.parent}/", "").replace(torch_at, ""), markup=False)


def source() -> str:
    """Return the method that is compiled."""
    lines = (EXAMPLES / "masked_softmax.py").read_text("utf-8").split("class OptionalMask")[1]
    return "    def forward" + lines.split("    def forward")[1].split("\n\n")[0]


def command(*options: str, part: tuple[str, str] | None = None) -> None:
    """Run `minits compile` and show the command and its output, or the part between two marks."""
    shown = " ".join(f"'{each}'" if "(" in each else each for each in options)
    show(f"$ minits compile {PROGRAM}:optional {shown}")
    text = output([f"{EXAMPLES / 'masked_softmax.py'}:optional", *options])
    if part is not None:
        begin, end = part
        inside = text[text.rindex("\n", 0, text.index(begin)) + 1 : text.index(end)].rstrip()
        text = f"        ...\n{inside}\n        ..."
    show(text)


def output(arguments: list[str]) -> str:
    """Return what a command prints, in a process that has compiled nothing before."""
    STATE.clear()
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        status = main(["compile", *arguments])
    assert status == 0
    return written.getvalue()


def compare() -> None:
    sys.path.insert(0, str(EXAMPLES))
    from masked_softmax import optional

    compiled = minits.script(optional)
    scores, mask = torch.randn(64, 64), torch.randn(64, 64)
    for _ in range(3):
        result = compiled(scores, mask)
    error = (result - optional(scores, mask)).abs().max().item()
    show(f"minits.script(optional)(scores, mask): the largest difference to eager is {error:.1e}")


if __name__ == "__main__":
    demo()
