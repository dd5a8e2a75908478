"""Whole programs as C, for loops that are to run at the speed of the machine (docs/native.md).

    NativeRun(function, python)         what runs a plan: generated Python first, C when it is hot
    NativeLoop(graph, name, is_inner)   what runs a loop of a plan that is not C as a whole
    NativeFunction(graph, name)         a function that runs a graph without Python
    FunctionPrinter(graph, name)        its text

What a graph cannot have is told by `NotNative`; then it runs as generated Python (`codegen/`). What
operators mean stands in `ops/`: a test compares each of ours with it, and an operator that raises
in C is asked there for its error.

Read the files in this order:

    c_types.py              which types have a C type, and how constants are written
    operator_rows.py        what is known of an operator as C
    scalar_operators.py     each operator of numbers: an expression, and when it raises
    complex_operators.py    the same for complex numbers
    number_operators.py     the same for numbers whose type is known when the program runs
    list_operators.py       the same for lists
    text_operators.py       the same for strs, and for None
    dict_operators.py       the same for dicts
    generic_operators.py    the same for values of any type, by their types
    type_codes.py           types as texts, by which C walks through values
    tensor_operators.py     what tensors are asked, and calls that stand for others
    prelude.py, c/          the functions in C that expressions call
    names.py                the names of variables
    expressions.py          texts of C made of other texts
    function_body.py        a function while its nodes are printed
    printer.py              a graph as one C function: its parameters, its results
    parameters.py           what such a function is given by Python
    rows_of_nodes.py        the row of a node
    blocks.py               the nodes of a block: which expression goes where
    nodes.py                the nodes that have a printer of their own
    control_flow.py         branches and loops
    lists.py                lists that are made of items, and taken apart
    dicts.py                dicts that are made of items
    tuples.py               tuples that lists hold
    named_tuples.py         tuples of classes, whose types tell these
    enums.py                members of enums
    objects.py              objects of script classes
    optional_numbers.py     Optionals of numbers
    tags.py                 values of types that are known at run time only
    complex_numbers.py      complex numbers in memory
    dynamic_numbers.py      numbers whose type is known when the program runs
    scalars.py              numbers that operators of tensors are given
    text_patterns.py        the patterns of `format` and `%`
    texts.py                strs that are constants or parameters, and the texts of numbers
    printing.py             what a program prints
    questions.py            what C asks Python: its functions, warnings, generators, gradients
    answers.py              the answers
    tasks.py                calls that are forked
    awaits.py               calls that are made when they are waited for
    lengths.py              lists of which only the length is used
    builder.py              nodes in the place of one
    grad_modes.py           `with torch.no_grad()`
    endings.py              the ends of blocks, other than that of the function
    alternatives.py         nodes of a value that may have several types
    known_modules.py        modules of which types tell an interface only
    methods.py              calls of methods that are inlined here
    managers.py             `with` of script classes
    activations.py          activations, by functions of C
    decompositions.py       operators of a `Scalar`, by others
    lifting.py              constants that are tensors, as inputs
    recomputing.py          numbers that calls share, computed in each
    call_regions.py         the nodes that were inlined from one call, and which calls are equal
    outlining.py            such calls, as calls of functions
    calls.py                the nodes of these
    callees.py              the functions that are called, and their calls
    tensor_calls.py         calls of torch's operators
    shortcuts.py            those that C does itself
    tensor_makers.py        tensors that are made of numbers
    torch_interface.py      the functions of torch's C interface
    groups.py               fused groups, whose kernels C calls
    lifetimes.py            the ends of tensors
    element_operators.py    operators of elements of tensors, as C
    elements.py             elements of tensors, read and written where they lie
    sites.py                the places where a program may raise, and raising there
    failing.py              the error of a call
    handles.py              tensors between Python and C
    boundary.py             values between Python and C
    attributes.py           attributes of modules: read before C runs, set after it
    given.py                arguments that hold more than numbers and strs
    calling.py              the Python function that calls the one in C
    function.py             building the text
    modes.py                whether a plan is to be C
    hot.py                  when a plan goes over from generated Python to C
    marking.py              which loops of a plan are C
    loop.py                 running such a loop: for which tensors, and whose lists
"""
