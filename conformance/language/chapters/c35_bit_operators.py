"""The operators on bits: shifts, and, or, exclusive or."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "bit_operators",
    "Shifts and bit operators",
    "Expressions: Shifting operations, Binary bitwise operations",
    (
        Rule(
            "ints",
            shows=("bit_operators/of_ints", "bit_operators/ranks"),
            breaks=(
                "bit_operators/of_floats",
                "errors/invert_int",
                "bit_operators/comparison_of_bits",
            ),
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "bools",
            shows="bit_operators/of_bools",
            breaks="bit_operators/of_bool_and_float",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "bools-and-ints",
            shows="bit_operators/of_bool_and_int",
            breaks="bit_operators/of_bool_and_float",
            by="minits.frontend.calls.schema_matching.convert",
        ),
        Rule(
            "shifts",
            shows="bit_operators/shifts",
            breaks="bit_operators/shift_of_float",
            by="minits.ops.implementations.integers.shift_left",
        ),
        Rule(
            "tensors",
            shows=("bit_operators/of_tensors", "bit_operators/augmented_shift"),
            breaks="bit_operators/of_float_tensors",
            by="minits.frontend.emit.augmented_assignments.emit_augmented",
        ),
    ),
)
