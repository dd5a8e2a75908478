// a tensor of another dtype, of a handle that is taken over; 0 where that raises
static uint64_t mts_as_dtype(uint64_t handle, int64_t dtype)
{
    uint64_t stack[] = {handle, dtype, 0, 0, 0};
    return mts_call("aten::to", "dtype", stack) ? 0 : stack[0];
}

// the dtype of new tensors of floats if none is told
static int64_t mts_default_dtype(void)
{
    void *sizes = 0;
    torch_new_list_reserve_size(0, &sizes);
    uint64_t stack[] = {(uint64_t)sizes, 0, 0, 0, 0, 0};
    int32_t dtype = 6;
    if (!mts_call("aten::empty", "memory_format", stack)) {
        aoti_torch_get_dtype((void *)stack[0], &dtype);
        aoti_torch_delete_tensor_object((void *)stack[0]);
    }
    return dtype;
}

// the dtype of a new tensor of numbers of one kind
static int64_t mts_dtype_of_kind(char kind)
{
    if (kind == 'i') return 4;
    if (kind == 'b') return 11;
    int64_t dtype = mts_default_dtype();
    if (kind == 'f') return dtype;
    return dtype == 7 ? 10 : dtype == 5 ? 8 : 9;
}

// a number, a float (f), an int (i), a bool (b) or the parts of a complex number (c), as a tensor
// without dimensions
static uint64_t mts_scalar_tensor(const mts_value *number, char kind)
{
    void *handle = 0;
    if (kind == 'f')
        aoti_torch_scalar_to_tensor_float64(number->d, &handle);
    else if (kind == 'i')
        aoti_torch_scalar_to_tensor_int64(number->i, &handle);
    else if (kind == 'b')
        aoti_torch_scalar_to_tensor_bool(number->i != 0, &handle);
    else
        aoti_torch_scalar_to_tensor_complex128((mts_parts){number[0].d, number[1].d}, &handle);
    return (uint64_t)handle;
}

// a number as such a tensor, of a dtype by which an operator of `like` and this number gives the
// dtype that it gives for numbers
static uint64_t mts_pass_scalar(mts_list *like, const mts_value *number, char kind)
{
    int64_t dtype = mts_dtype(like);
    uint64_t handle = mts_scalar_tensor(number, kind);
    if (mts_category(dtype) < mts_category_of_kind(kind)) {
        bool is_half = dtype == 5, is_double = dtype == 7;
        if (kind == 'c' && (is_half || is_double)) return mts_as_dtype(handle, is_half ? 8 : 10);
        return mts_in_default_dtype(handle, kind);
    }
    return mts_dim(like) ? handle : mts_as_dtype(handle, dtype);
}

static inline int mts_category_of_kind(char kind)
{
    return kind == 'c' ? 3 : kind == 'f' ? 2 : kind == 'i';
}

// a number as a tensor, in the dtype that new tensors of its kind have
static uint64_t mts_in_default_dtype(uint64_t handle, char kind)
{
    return kind == 'f' || kind == 'c' ? mts_as_dtype(handle, mts_dtype_of_kind(kind)) : handle;
}

// true where the ints of a dtype do not reach to a number, without its fraction
static bool mts_overflows(int64_t dtype, double number)
{
    if (mts_category(dtype) > 1) return false;
    number = number < 0 ? -floor(-number) : floor(number);
    int bits = dtype == 0 || dtype == 1 ? 8 : dtype == 2 ? 16 : dtype == 3 ? 32 : 64;
    double least = dtype == 0 ? 0 : -ldexp(1, bits - 1), most = ldexp(1, bits - (dtype != 0));
    return dtype == 11 || !(number >= least && number < most);
}

// a number that has the dtype of new tensors: what is no tensor's partner
static uint64_t mts_pass_number(const mts_value *number, char kind)
{
    return mts_in_default_dtype(mts_scalar_tensor(number, kind), kind);
}
