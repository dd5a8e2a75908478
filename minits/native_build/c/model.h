// MODEL.h: the program called from C. Values, errors, and the functions of its library.
#ifndef MTS_ANY
#define MTS_ANY

#include <stdbool.h>
#include <stdint.h>

typedef enum mts_kind {
    MTS_NONE, MTS_BOOL, MTS_INT, MTS_FLOAT, MTS_STR, MTS_LIST, MTS_TUPLE, MTS_DICT, MTS_TENSOR,
    MTS_LEFT_OUT  // an argument that is to have its default
} mts_kind;

// A value. What an argument points to is the caller's; what a result points to is the result's own,
// until MODEL_clear.
typedef struct mts_any {
    mts_kind kind;
    int64_t length;  // of a str in bytes, of a list or tuple in items, of a dict in pairs
    union {
        bool boolean;
        int64_t integer;
        double real;
        const char *text;       // UTF-8; in results a byte 0 follows, which `length` does not count
        struct mts_any *items;  // of a dict: a key, its value, the next key, ...
        void *tensor;           // an AtenTensorHandle
    } as;
} mts_any;

// The error of a program, or of a call.
typedef struct mts_error {
    const char *type;    // the name of Python's class: "ValueError"
    char *message;       // until MODEL_clear_error
    const char *file;    // where the program raised: its file; 0 where it did not
    int line;            // ..., the line, from 1
    const char *source;  // ..., the text of this line
} mts_error;

// The types of elements, with torch's numbers.
typedef enum mts_tensor_dtype {
    MTS_DTYPE_UINT8, MTS_DTYPE_INT8, MTS_DTYPE_INT16, MTS_DTYPE_INT32, MTS_DTYPE_INT64,
    MTS_DTYPE_FLOAT16, MTS_DTYPE_FLOAT32, MTS_DTYPE_FLOAT64,
    MTS_DTYPE_COMPLEX64 = 9, MTS_DTYPE_COMPLEX128, MTS_DTYPE_BOOL, MTS_DTYPE_BFLOAT16 = 15
} mts_tensor_dtype;

// The memory of a tensor: element [i][k] of a matrix is number i * strides[0] + k * strides[1].
typedef struct mts_tensor {
    mts_tensor_dtype dtype;
    int64_t rank;                    // the number of dimensions
    const int64_t *sizes, *strides;  // of each dimension; strides count elements
    void *data;                      // where the first element lies
} mts_tensor;

typedef struct mts_model mts_model;

static inline mts_any mts_none(void)
{
    mts_any any = {MTS_NONE, 0, {0}};
    return any;
}

// an argument that is to have its default
static inline mts_any mts_left_out(void)
{
    mts_any any = {MTS_LEFT_OUT, 0, {0}};
    return any;
}

static inline mts_any mts_from_bool(bool value)
{
    mts_any any = {MTS_BOOL, 0, {0}};
    any.as.boolean = value;
    return any;
}

static inline mts_any mts_from_int(int64_t value)
{
    mts_any any = {MTS_INT, 0, {0}};
    any.as.integer = value;
    return any;
}

static inline mts_any mts_from_float(double value)
{
    mts_any any = {MTS_FLOAT, 0, {0}};
    any.as.real = value;
    return any;
}

// a str that ends with a byte 0
static inline mts_any mts_from_str(const char *text)
{
    mts_any any = {MTS_STR, 0, {0}};
    any.as.text = text;
    while (text[any.length]) any.length++;
    return any;
}

// a list, tuple or dict of items in an array: `mts_from_items(MTS_LIST, 2, items)`
static inline mts_any mts_from_items(mts_kind kind, int64_t length, mts_any *items)
{
    mts_any any = {kind, length, {0}};
    any.as.items = items;
    return any;
}

// a tensor, an AtenTensorHandle, which stays the caller's
static inline mts_any mts_from_tensor(void *tensor)
{
    mts_any any = {MTS_TENSOR, 0, {0}};
    any.as.tensor = tensor;
    return any;
}
#endif

#ifndef MODEL_H
#define MODEL_H
#ifdef __cplusplus
extern "C" {
#endif

// Functions that return int: 0 for success; otherwise `error` tells what was wrong.

// Makes a model; `weights` is the path of its file of weights, 0 for a program without, or one that
// they are embedded in. MODEL_destroy ends it.
int MODEL_create(const char *weights, mts_model **model, mts_error *error);

// Calls a function or method by its name. Arguments that have defaults may be left out at the end.
// Any number of threads may call one model at once.
int MODEL_call(mts_model *model, const char *name, const mts_any *arguments, int64_t count,
               mts_any *result, mts_error *error);

// The declarations of what can be called, such as "collatz(int n) -> int"; the last one is 0.
const char *const *MODEL_declarations(void);

// The names of a function's parameters; the last one is 0. 0 where there is no such function.
const char *const *MODEL_parameters(const char *name);

// Frees what a result points to, or an error's message.
void MODEL_clear(mts_any *result);
void MODEL_clear_error(mts_error *error);

void MODEL_destroy(mts_model *model);
// the functions of tensors

#ifdef __cplusplus
}
#endif
#endif
