// true where an int goes into elements of a dtype, but not the float that is next to it
static bool mts_fills_as_int(int64_t number, int64_t dtype)
{
    if (number > -0x1p53 && number < 0x1p53) {
        int64_t most = dtype == 0 ? 0xff : dtype == 27 ? 0xffff : dtype == 28 ? 0xffffffff : 0;
        if (dtype == 29) most = INT64_MAX;
        return number < 0 && -number <= most;
    }
    return dtype == 4 || dtype == 15 || dtype == 29 || (dtype >= 6 && dtype <= 11);
}

// a number in place of all elements; torch's own function takes it as a float
static bool mts_fill(uint64_t *stack, const mts_value *number, char kind)
{
    double as_float = kind == 'f' || kind == 'c' ? number->d : (double)number->i;
    int32_t dtype = 0;
    aoti_torch_get_dtype((void *)stack[0], &dtype);
    bool is_beyond = kind == 'c' && (mts_is_beyond(number[0].d, dtype) ||
                                     mts_is_beyond(number[1].d, dtype));
    if (is_beyond) {
        aoti_torch_delete_tensor_object((void *)stack[0]);
        return mts_is_no_real((mts_value[]){number[0], {.d = 1}});
    }
    if (kind == 'c' ? mts_category(dtype) == 3 : kind != 'f' && mts_fills_as_int(number->i, dtype)) {
        stack[1] = mts_scalar_tensor(number, kind);
        return mts_call("aten::fill_", "Tensor", stack);
    }
    bool raises = kind == 'c' && number[1].d != 0
                      ? mts_is_no_real(number)
                      : aoti_torch_aten_fill__Scalar((void *)stack[0], as_float);
    if (raises) aoti_torch_delete_tensor_object((void *)stack[0]);
    return raises;
}

// true where a part of a complex number of a dtype does not reach to a finite number
static bool mts_is_beyond(double number, int64_t dtype)
{
    double most = dtype == 9 ? 0x1.fffffep127 : dtype == 8 ? 65504 : __builtin_inf();
    return fabs(number) > most && fabs(number) < __builtin_inf();
}

// true, for a complex number that does not fit a float; torch has left a message then
static bool mts_is_no_real(const mts_value *number)
{
    void *handle = (void *)mts_scalar_tensor(number, 'c');
    double real;
    aoti_torch_item_float64(handle, &real);
    aoti_torch_delete_tensor_object(handle);
    return true;
}

// a new tensor of 64-bit numbers of the CPU, int64 or float64, and where its elements lie
static uint64_t mts_new_elements(mts_value *sizes, int64_t dim, char kind, mts_value **elements)
{
    void *passed = 0, *data = 0;
    torch_new_list_reserve_size(dim, &passed);
    for (int64_t i = 0; i < dim; i++) torch_list_push_back(passed, sizes[i].i);
    uint64_t stack[] = {
        (uint64_t)passed, mts_pass_given(kind == 'f' ? 7 : 4), 0, mts_pass_given(-1 & 0xffffffff),
        0, 0};
    if (mts_call("aten::empty", "memory_format", stack)) return 0;
    aoti_torch_get_data_ptr((void *)stack[0], &data);
    *elements = data;
    return stack[0];
}

// the tensor of a dtype, or of the one that new tensors have if that is below 0; 0 without memory
static mts_list *mts_tensor_as(mts_list **pool, uint64_t handle, int64_t dtype, char kind)
{
    if (!handle) return 0;
    if (dtype < 0) dtype = mts_dtype_of_kind(kind);
    handle = mts_as_dtype(handle, dtype);
    return handle ? mts_tensor_of(pool, (void *)handle) : 0;
}

// true where no numbers lie between the ends
static inline bool mts_is_no_range(double start, double end, double step)
{
    return !((step > 0 && end >= start) || (step < 0 && end <= start)) || end - start > 0x1p62;
}

// the ints from one to another
static mts_list *mts_arange_i64(
    mts_list **pool, int64_t start, int64_t end, int64_t step, int64_t dtype)
{
    mts_value size = {.i = (end - start + step - (step > 0 ? 1 : -1)) / step}, *elements = 0;
    uint64_t handle = mts_new_elements(&size, 1, 'i', &elements);
    for (int64_t i = 0; handle && i < size.i; i++) elements[i].i = start + i * step;
    return mts_tensor_as(pool, handle, dtype, 'i');
}

// the floats from one to another
static mts_list *mts_arange_f64(
    mts_list **pool, double start, double end, double step, int64_t dtype)
{
    mts_value size = {.i = (int64_t)ceil((end - start) / step)}, *elements = 0;
    uint64_t handle = mts_new_elements(&size, 1, 'f', &elements);
    for (int64_t i = 0; handle && i < size.i; i++) elements[i].d = start + i * step;
    return mts_tensor_as(pool, handle, dtype, 'f');
}

// the sizes of a list of lists, so deep
static void mts_sizes_of_list(mts_list *list, int64_t depth, mts_value *sizes)
{
    for (int64_t d = 0; d < depth; d++) {
        sizes[d].i = list ? list->length : 0;
        list = list && list->length ? list->items[0].list : 0;
    }
}

// true where lists of a list differ in their lengths
static bool mts_is_ragged(mts_list *list, int64_t depth)
{
    if (depth < 2) return false;
    for (int64_t i = 0; i < list->length; i++)
        if (list->items[i].list->length != list->items[0].list->length ||
            mts_is_ragged(list->items[i].list, depth - 1))
            return true;
    for (int64_t i = 1; depth > 2 && i < list->length && list->items[0].list->length; i++)
        if (list->items[i].list->items[0].list->length !=
            list->items[0].list->items[0].list->length)
            return true;
    return false;
}

static mts_value *mts_put_elements(mts_list *list, int64_t depth, mts_value *elements)
{
    if (depth == 1) {
        if (list->length) memcpy(elements, list->items, list->length * sizeof *elements);
        return elements + list->length;
    }
    for (int64_t i = 0; i < list->length; i++)
        elements = mts_put_elements(list->items[i].list, depth - 1, elements);
    return elements;
}

// the tensor of the numbers in lists of lists, so deep, 8 at most; 0 without memory
static mts_list *mts_tensor_of_numbers(
    mts_list **pool, mts_list *list, int64_t depth, char kind, int64_t dtype)
{
    mts_value sizes[8], *elements = 0;
    mts_sizes_of_list(list, depth, sizes);
    uint64_t handle = mts_new_elements(sizes, depth, kind, &elements);
    if (handle) mts_put_elements(list, depth, elements);
    if (handle) handle = mts_as_dtype(handle, mts_dtype_of_kind(kind));  // and cast from there
    return mts_tensor_as(pool, handle, dtype, kind);
}

// a new tensor without dimensions, of the dtype that numbers of one kind have
static uint64_t mts_empty_of_kind(char kind)
{
    mts_value *element = 0;
    uint64_t handle = mts_new_elements(0, 0, kind, &element);
    return handle ? mts_as_dtype(handle, mts_dtype_of_kind(kind)) : 0;
}

// lets gradients of a new tensor be wanted; true where that raises
static bool mts_require_grad(mts_list *tensor)
{
    uint64_t stack[] = {mts_pass_tensor(tensor), 1};
    if (mts_call("aten::requires_grad_", "", stack)) return true;
    aoti_torch_delete_tensor_object((void *)stack[0]);
    return false;
}

// true where a tensor is no list of numbers of one kind, so deep
static bool mts_is_no_list(mts_list *tensor, int64_t depth, char kind)
{
    int64_t dtype = mts_dtype(tensor);
    bool fits = kind == 'f' ? mts_category(dtype) == 2 : dtype == (kind == 'i' ? 4 : 11);
    return !fits || mts_dim(tensor) != depth;
}

// the numbers of a tensor in lists of lists, so deep; 0 without memory
static mts_list *mts_list_of_tensor(mts_list **pool, mts_list *tensor, int64_t depth, char kind)
{
    uint64_t stack[] = {mts_pass_tensor(tensor), kind == 'f' ? 7 : 4, 0, 0, 0};
    if (mts_call("aten::to", "dtype", stack)) return 0;
    stack[1] = 0;
    if (mts_call("aten::contiguous", "", stack) || mts_call("aten::resolve_neg", "", stack)) return 0;
    int64_t *sizes = 0;
    void *elements = 0;
    aoti_torch_get_sizes((void *)stack[0], &sizes);
    aoti_torch_get_data_ptr((void *)stack[0], &elements);
    const mts_value *next = elements;
    mts_list *list = mts_rows(pool, sizes, depth, &next);
    aoti_torch_delete_tensor_object((void *)stack[0]);
    return list;
}

// the list of what lies at `next`, which is moved on; 0 without memory
static mts_list *mts_rows(mts_list **pool, const int64_t *sizes, int64_t depth, const mts_value **next)
{
    if (depth == 1) {
        mts_list *list = mts_list_of(pool, sizes[0], *next);
        *next += sizes[0];
        return list;
    }
    mts_list *list = mts_list_new(pool, sizes[0], true);
    for (int64_t i = 0; list && i < sizes[0]; i++)
        if (!(list->items[i].list = mts_rows(pool, sizes + 1, depth - 1, next))) {
            list->length = i;
            return 0;
        }
    return list;
}
