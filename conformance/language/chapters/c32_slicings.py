"""Slices of lists, tuples, strings and tensors."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "slicings",
    "Slicings",
    "Expressions: Slicings",
    (
        Rule(
            "list-slices",
            shows="containers/list_slices",
            breaks="slicings/float_bound",
            by="minits.frontend.subscripts._slice",
        ),
    ),
)
