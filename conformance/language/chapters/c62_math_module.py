"""The functions and constants of math."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "math_module",
    "The math module",
    "Python built-in functions support: math",
    (
        Rule(
            "constants",
            shows="math_module/constants",
            breaks="name_resolution/missing_attribute_of_module",
            by="minits.frontend.python.python_values.PythonModule",
        ),
        Rule(
            "roots-powers-logarithms",
            shows=(
                "math_module/roots_and_powers",
                "math_module/logarithm_to_base",
                "functions/math_functions",
            ),
            breaks="math_module/binary_logarithm",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "whole-numbers",
            shows="math_module/whole_numbers",
            breaks="math_module/truncation",
            by="minits.ops.implementations.numbers.floor_to_int",
        ),
        Rule(
            "integers",
            shows="math_module/integer_functions",
            breaks="math_module/factorial_of_float",
            by="minits.ops.implementations.integers.factorial",
        ),
        Rule(
            "parts-of-floats",
            shows="math_module/parts_of_floats",
            breaks="math_module/ldexp_of_floats",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "remainders-and-signs",
            shows="math_module/remainders_and_signs",
            breaks="math_module/unknown_function",
            by="minits.ops.implementations.numbers.ieee_remainder",
        ),
        Rule(
            "angles",
            shows="math_module/angles",
            breaks="math_module/angle_of_string",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "special-functions",
            shows=("math_module/special_functions", "math_module/classification"),
            breaks="math_module/classification_of_tensor",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
    ),
)
