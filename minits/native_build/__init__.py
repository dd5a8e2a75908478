"""Libraries in C of compiled programs, which run without Python (docs/native.md, "Ahead of time").

    exported(compiled, name)                   the functions and methods that a library has
    write_library(programs, folder)            model.c, model.h, Makefile, CMakeLists.txt
    build_library(folder)                      libmodel.so
    load_native(folder)                        calling it from Python

Read the files in this order:

    programs                from what is compiled to graphs with names and parameters
    fixed_modes             autocast, which is off
    state                   attributes of modules: the slots of one object
    sharing                 attributes that are one list
    weight_writes           operators in place of the tensors of attributes
    weight_lists            lists of weights, item by item
    safetensors             the file of weights
    exported_function       a function of the library, printed by `native/`
    warnings_shown          warnings, on the standard error stream
    messages                what errors say, without Python
    type_codes, literals    types and values as constants of C
    classes                 NamedTuples and enums as such
    tables, weights         where functions raise, how they are called, what attributes are at first
    library_functions       the functions of the header
    model_text              the whole C file; c/ has its helpers and the header
    left_out                methods that cannot be C
    line_directives         the lines of the program, for debuggers
    make_files              Makefile, CMakeLists.txt, flags
    building                the folder of a library, and its compiler
    values                  values of the header's types, by ctypes
    checking                `--input`: a call by the library and by the interpreter
    loading                 the functions of a library as functions of Python
"""
