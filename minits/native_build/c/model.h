// MODEL.h: the program called from C11, C++, or from what else calls C.
//
//     mts_model *model;
//     mts_error error;
//     mts_any result, argument = mts_from_int(3);
//     if (MODEL_create(0, &model, &error)) ...                            // error tells why
//     if (MODEL_call(model, "NAME", &argument, 1, &result, &error)) ...   // error tells why
//     MODEL_clear(&result);
//     MODEL_destroy(model);
#ifndef MTS_ANY
#define MTS_ANY

#include <stdbool.h>
#include <stdint.h>

// ---- Values ----

// The kinds of values. Their numbers stay what they are, for callers in other languages.
typedef enum mts_kind {
    MTS_NONE = 0,
    MTS_BOOL = 1,      // as.boolean
    MTS_INT = 2,       // as.integer
    MTS_FLOAT = 3,     // as.real
    MTS_STR = 4,       // as.text, of `length` bytes
    MTS_LIST = 5,      // as.items, `length` of them
    MTS_TUPLE = 6,     // as.items, `length` of them; of a NamedTuple `type` is the class
    MTS_DICT = 7,      // as.items, twice `length`: a key, its value, the next key, ...
    MTS_TENSOR = 8,    // as.tensor
    MTS_LEFT_OUT = 9,  // an argument that is to have its default
    MTS_COMPLEX = 10,  // as.real and `imaginary`
    MTS_DEVICE = 11,   // as.text, of `length` bytes: "cpu", "cuda:1"
    MTS_ENUM = 12      // as.text, of `length` bytes: the member's name; `type` is the class; where an
                       // argument is no enum, the value that the class tells is taken for it
} mts_kind;

struct mts_class;

// A value: an argument, a result, or an item of one. A value of type `number`, or of a Union of
// numbers, is of the kind that it has when the program runs.
//
// What an argument points to is the caller's: the library copies what it needs in the call, and
// never frees it. Build arguments from memory of your own, and do not give them to MODEL_clear, but
// for tensors that the library has made. What a result points to is the result's, until MODEL_clear;
// items of a result may be arguments until then.
typedef struct mts_any {
    mts_kind kind;
    int64_t length;  // of text in bytes, of a list or tuple in items, of a dict in pairs; else 0
    union {
        bool boolean;
        int64_t integer;
        double real;
        const char *text;       // UTF-8; in results a byte 0 follows, which `length` does not count
        struct mts_any *items;
        void *tensor;           // an AtenTensorHandle
    } as;
    union {
        const struct mts_class *type;  // of a NamedTuple or a member of an enum; may be 0 in arguments
        double imaginary;              // of a complex number
    };
} mts_any;

// A class of the program: a NamedTuple or an enum. It is a constant of the library.
typedef struct mts_class {
    const char *name;              // "Point"
    const char *declaration;       // "Point(int x, int y)", "Color(int RED=1, int BLUE=2)"
    int64_t length;                // the number of fields, or of members
    const char *const *names;      // their names; the last one is followed by 0
    const struct mts_any *values;  // of an enum, what each member has as its value; else 0
} mts_class;

static inline mts_any mts_of_kind(mts_kind kind)
{
    mts_any any;
    any.kind = kind;
    any.length = 0;
    any.as.integer = 0;
    any.type = 0;
    return any;
}

static inline mts_any mts_none(void)
{
    return mts_of_kind(MTS_NONE);
}

// an argument that is to have its default
static inline mts_any mts_left_out(void)
{
    return mts_of_kind(MTS_LEFT_OUT);
}

static inline mts_any mts_from_bool(bool value)
{
    mts_any any = mts_of_kind(MTS_BOOL);
    any.as.boolean = value;
    return any;
}

static inline mts_any mts_from_int(int64_t value)
{
    mts_any any = mts_of_kind(MTS_INT);
    any.as.integer = value;
    return any;
}

static inline mts_any mts_from_float(double value)
{
    mts_any any = mts_of_kind(MTS_FLOAT);
    any.as.real = value;
    return any;
}

static inline mts_any mts_from_complex(double real, double imaginary)
{
    mts_any any = mts_of_kind(MTS_COMPLEX);
    any.as.real = real;
    any.imaginary = imaginary;
    return any;
}

// a str of so many bytes, which may have bytes 0 among them
static inline mts_any mts_from_bytes(const char *bytes, int64_t length)
{
    mts_any any = mts_of_kind(MTS_STR);
    any.as.text = bytes;
    any.length = length;
    return any;
}

// a str that ends before its first byte 0
static inline mts_any mts_from_str(const char *text)
{
    int64_t length = 0;
    while (text[length]) length++;
    return mts_from_bytes(text, length);
}

// a device by its name: "cpu", "cuda:1"
static inline mts_any mts_from_device(const char *name)
{
    mts_any any = mts_from_str(name);
    any.kind = MTS_DEVICE;
    return any;
}

// a member of an enum by its name: "RED"
static inline mts_any mts_from_member(const char *name)
{
    mts_any any = mts_from_str(name);
    any.kind = MTS_ENUM;
    return any;
}

// a list, tuple or dict of items in an array: `mts_from_items(MTS_LIST, 2, items)`; a NamedTuple is
// given as the tuple of its fields; `length` counts the pairs of a dict
static inline mts_any mts_from_items(mts_kind kind, int64_t length, mts_any *items)
{
    mts_any any = mts_of_kind(kind);
    any.length = length;
    any.as.items = items;
    return any;
}

// a tensor, an AtenTensorHandle, which stays the caller's
static inline mts_any mts_from_tensor(void *tensor)
{
    mts_any any = mts_of_kind(MTS_TENSOR);
    any.as.tensor = tensor;
    return any;
}

// ---- Errors ----

// The error of a program, or of a call. Functions that fail set all of it; others leave it alone.
typedef struct mts_error {
    const char *type;    // the name of Python's class: "ValueError"
    char *message;       // until MODEL_clear_error; 0 for "MemoryError", which has none
    const char *file;    // where the program raised: its file; 0 where it did not
    int line;            // ..., the line, from 1
    const char *source;  // ..., the text of this line
} mts_error;

// ---- Tensors ----

// The types of elements, with torch's numbers.
typedef enum mts_tensor_dtype {
    MTS_DTYPE_UINT8 = 0,
    MTS_DTYPE_INT8 = 1,
    MTS_DTYPE_INT16 = 2,
    MTS_DTYPE_INT32 = 3,
    MTS_DTYPE_INT64 = 4,
    MTS_DTYPE_FLOAT16 = 5,
    MTS_DTYPE_FLOAT32 = 6,
    MTS_DTYPE_FLOAT64 = 7,
    MTS_DTYPE_COMPLEX64 = 9,
    MTS_DTYPE_COMPLEX128 = 10,
    MTS_DTYPE_BOOL = 11,
    MTS_DTYPE_BFLOAT16 = 15
} mts_tensor_dtype;

// The memory of a tensor: element [i][k] of a matrix is number i * strides[0] + k * strides[1].
typedef struct mts_tensor {
    mts_tensor_dtype dtype;
    int64_t rank;                    // the number of dimensions
    const int64_t *sizes, *strides;  // of each dimension; strides count elements
    void *data;                      // where the first element lies
} mts_tensor;

// A program with its attributes.
typedef struct mts_model mts_model;
#endif

#ifndef MODEL_H
#define MODEL_H
#ifdef __cplusplus
extern "C" {
#endif

// Functions that return int: 0 for success; otherwise `error` tells what was wrong, and is to be
// cleared. No pointer may be 0 but where it is said.

// Makes a model; `weights` is the path of its file of weights, 0 for a program without, or one that
// they are embedded in. MODEL_destroy ends it. Where it fails, `*model` is 0.
int MODEL_create(const char *weights, mts_model **model, mts_error *error);

// Calls a function or method by its name; `arguments` may be 0 if there are none. Those that have
// defaults may be left out at the end, or be mts_left_out(). Where it fails, `*result` is None.
// What attributes have been set to, until it failed, they are.
//
// Any number of threads may call one model at once. If calls set attributes, they wait for their
// turns.
int MODEL_call(mts_model *model, const char *name, const mts_any *arguments, int64_t count,
               mts_any *result, mts_error *error);

// The declarations of what can be called, such as "collatz(int n) -> int"; the last one is 0.
const char *const *MODEL_declarations(void);

// The names of a function's parameters; the last one is 0. 0 where there is no such function.
const char *const *MODEL_parameters(const char *name);

// The NamedTuples and enums that parameters and results are, or have in them; the last one has 0 for
// its name. Declarations have their names with those of modules: "__torch__.shapes.Point".
const mts_class *MODEL_classes(void);

// Frees what a result points to, and makes it None: a second time does nothing.
void MODEL_clear(mts_any *result);

// Frees an error's message, and makes it 0.
void MODEL_clear_error(mts_error *error);

// Ends a model, which no thread calls any more. 0 is none.
void MODEL_destroy(mts_model *model);
// the functions of tensors

#ifdef __cplusplus
}
#endif
#endif
