
// Makes a tensor of the CPU, of a copy of memory in which its elements lie row by row: for
// `float x[2][4]` the dtype is MTS_DTYPE_FLOAT32, the rank 2, and the sizes are 2 and 4.
// It is an argument of calls, and the caller's: MODEL_clear ends it.
int MODEL_new_tensor(mts_tensor_dtype dtype, int64_t rank, const int64_t *sizes, const void *data,
                     mts_any *tensor, mts_error *error);

// Tells where the elements of a tensor of the CPU lie: of a result, or an argument. They may be
// written, too. What `memory` points to is the tensor's.
int MODEL_read_tensor(const mts_any *tensor, mts_tensor *memory, mts_error *error);
