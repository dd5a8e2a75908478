"""Arithmetic: each operator on pairs of numbers, and what promotion makes of them."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "arithmetic",
    "Arithmetic",
    "Expressions: Unary and binary arithmetic operations",
    (
        Rule(
            "addition-and-subtraction",
            shows="arithmetic/sums_of_numbers",
            breaks=("arithmetic/sum_needs_two_numbers", "errors/operator_has_no_overload"),
            by="minits.ops.implementations.integers.add",
        ),
        Rule(
            "multiplication",
            shows="arithmetic/products",
            breaks=("arithmetic/product_of_floats_and_lists", "errors/string_times_int"),
            by="minits.ops.implementations.integers.mul",
        ),
        Rule(
            "division",
            shows=("arithmetic/true_division", "functions/integer_division_by_zero"),
            breaks="arithmetic/quotient_is_no_int",
            by="minits.ops.implementations.numbers.divide",
        ),
        Rule(
            "floor-division",
            shows=("arithmetic/floor_division_signs", "functions/floor_division"),
            breaks="arithmetic/floor_division_by_zero",
            by="minits.ops.implementations.integers.floordiv",
        ),
        Rule(
            "remainder",
            shows="arithmetic/modulo_signs",
            breaks="arithmetic/modulo_of_lists",
            by="minits.ops.implementations.integers.remainder",
        ),
        Rule(
            "divmod",
            shows="arithmetic/divmod_of_numbers",
            breaks="arithmetic/divmod_needs_both",
            by="minits.ops.implementations.integers.divmod_",
        ),
        Rule(
            "power",
            shows=("arithmetic/power_of_constants", "functions/power_of_ints"),
            breaks="arithmetic/power_of_strings",
            by="minits.ops.implementations.numbers.power",
        ),
        Rule(
            "negative",
            shows=("arithmetic/unary_minus", "arithmetic/power_associates_right"),
            breaks=("arithmetic/minus_before_string", "arithmetic/unary_plus"),
            by="minits.ops.implementations.integers.neg",
        ),
        Rule(
            "promotion",
            shows=("arithmetic/promotion_joins_types", "functions/numbers_mixed"),
            breaks="arithmetic/promotion_in_branches",
            by="minits.frontend.calls.schema_matching.match_schemas",
        ),
        Rule(
            "bools-as-numbers",
            shows="arithmetic/bool_counts_as_int",
            breaks="arithmetic/variable_takes_no_bool",
            by="minits.frontend.calls.schema_matching.convert",
        ),
        Rule(
            "scalars",
            shows=("arithmetic/scalar_of_item", "arithmetic/scalar_returned_as_int"),
            breaks="arithmetic/scalar_is_no_bool",
            by="minits.frontend.calls.schema_matching.convert",
        ),
        Rule(
            "overflow",
            shows=("arithmetic/overflow_wraps", "functions/integer_overflow"),
            breaks="arithmetic/literal_beyond_64_bits",
            by="minits.ops.implementations.integers.wrap",
        ),
        Rule(
            "matrix-product",
            shows="arithmetic/matrix_product_operator",
            breaks="arithmetic/matrix_product_of_numbers",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
    ),
    cases=(
        "arithmetic/order_of_operands",
        "functions/evaluation_order",
        "functions/rounding",
        "functions/math_functions",
        "functions/conversions",
        "functions/compile_time_tuple_arithmetic",
        "types/float_special_values",
        "tensors/reflected_operators",
        "tensors/broadcasting_and_promotion",
        "tensors/number_over_tensor",
    ),
)
