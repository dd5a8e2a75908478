static inline int64_t mts_dim(mts_list *tensor)
{
    int64_t dim = 0;
    aoti_torch_get_dim(mts_handle(tensor), &dim);
    return dim;
}

static inline int64_t mts_numel(mts_list *tensor)
{
    int64_t count = 0;
    aoti_torch_get_numel(mts_handle(tensor), &count);
    return count;
}

// true for a tensor that has no such dimension, or not one size there; torch has left a message then
static inline bool mts_lacks_size(mts_list *tensor, int64_t dim)
{
    int64_t size = 0;
    return aoti_torch_get_size(mts_handle(tensor), dim, &size);
}

static inline int64_t mts_size(mts_list *tensor, int64_t dim)
{
    int64_t size = 0;
    aoti_torch_get_size(mts_handle(tensor), mts_place(dim, mts_dim(tensor)), &size);
    return size;
}

// true where torch.index_add refuses its tensors, or one of them has no dimension
static bool mts_adds_no_index(mts_list *tensor, int64_t dim, mts_list *index, mts_list *source)
{
    int64_t rank = mts_dim(tensor), of_index = mts_dtype(index);
    dim = mts_place(dim, rank);
    if (!rank || rank != mts_dim(source) || dim < 0 || dim >= rank || mts_dim(index) != 1) return true;
    if ((of_index != 3 && of_index != 4) || mts_dtype(tensor) != mts_dtype(source)) return true;
    for (int64_t i = 0; i < rank; i++) {
        mts_list *like = i == dim ? index : tensor;
        if (mts_size(source, i) != mts_size(like, i == dim ? 0 : i)) return true;
    }
    return false;
}

static inline mts_list *mts_sizes(mts_list **pool, mts_list *tensor)
{
    int64_t *sizes = 0;
    aoti_torch_get_sizes(mts_handle(tensor), &sizes);
    return mts_list_of(pool, mts_dim(tensor), (mts_value *)sizes);
}

// the same for a stride, which sparse tensors have not
static inline bool mts_lacks_stride(mts_list *tensor, int64_t dim)
{
    int64_t stride = 0;
    return aoti_torch_get_stride(mts_handle(tensor), dim, &stride);
}

static inline int64_t mts_stride(mts_list *tensor, int64_t dim)
{
    int64_t stride = 0;
    aoti_torch_get_stride(mts_handle(tensor), mts_place(dim, mts_dim(tensor)), &stride);
    return stride;
}

static inline bool mts_lacks_strides(mts_list *tensor)
{
    int64_t *strides = 0;
    return aoti_torch_get_strides(mts_handle(tensor), &strides);
}

static inline mts_list *mts_strides(mts_list **pool, mts_list *tensor)
{
    int64_t *strides = 0;
    aoti_torch_get_strides(mts_handle(tensor), &strides);
    return mts_list_of(pool, mts_dim(tensor), (mts_value *)strides);
}

static inline int64_t mts_dtype(mts_list *tensor)
{
    int32_t dtype = 0;
    aoti_torch_get_dtype(mts_handle(tensor), &dtype);
    return dtype;
}

static inline int64_t mts_layout(mts_list *tensor)
{
    int32_t layout = 0;
    aoti_torch_get_layout(mts_handle(tensor), &layout);
    return layout;
}

// true for a tensor that has no sizes
static inline bool mts_is_nested(mts_list *tensor)
{
    int64_t *sizes = 0;
    return aoti_torch_get_sizes(mts_handle(tensor), &sizes);
}

// the type of a device in the upper half, its index in the lower
static inline int64_t mts_device(mts_list *tensor)
{
    int32_t type = 0, index = 0;
    aoti_torch_get_device_type(mts_handle(tensor), &type);
    aoti_torch_get_device_index(mts_handle(tensor), &index);
    return (int64_t)type << 32 | (uint32_t)index;
}

// of dtypes, 0: bool, 1: integers, 2: floats, 3: complex numbers
static inline int mts_category(int64_t dtype)
{
    if (dtype == 11) return 0;
    if (dtype <= 4 || (dtype >= 27 && dtype <= 29)) return 1;
    return dtype >= 8 && dtype <= 10 ? 3 : 2;
}

// true for a tensor that is no single number, or has no memory; torch has left a message then
static inline bool mts_is_no_bool(mts_list *tensor)
{
    void *memory = 0;
    bool is_single = mts_numel(tensor) == 1;
    if (is_single && !aoti_torch_get_data_ptr(mts_handle(tensor), &memory) && memory) return false;
    double number;
    return aoti_torch_item_float64(mts_handle(tensor), &number) || !is_single;
}

// a part of the complex number that a tensor is: "real" or "imag"
static double mts_complex_part(mts_list *tensor, const char *name)
{
    uint64_t stack[] = {mts_pass_tensor(tensor)};
    double number = 0;
    if (mts_call(name, "", stack)) return number;
    stack[0] = mts_as_dtype(stack[0], 7);
    aoti_torch_item_float64((void *)stack[0], &number);
    aoti_torch_delete_tensor_object((void *)stack[0]);
    return number;
}

// the same, or true for a complex number that has an imaginary part
static inline bool mts_is_no_number(mts_list *tensor)
{
    if (mts_is_no_bool(tensor)) return true;
    if (mts_category(mts_dtype(tensor)) != 3 || mts_complex_part(tensor, "aten::imag") == 0) return false;
    double number;
    aoti_torch_item_float64(mts_handle(tensor), &number);
    return true;
}

static bool mts_requires_grad(mts_list *tensor)
{
    return mts_wants_grad(mts_handle(tensor));
}

// true where gradients of a tensor are wanted: a view of it has a function then
static bool mts_wants_grad(void *handle)
{
    bool records = aoti_torch_grad_mode_is_enabled();
    aoti_torch_grad_mode_set_enabled(true);
    uint64_t view[] = {mts_pass_handle(handle)}, is_leaf[] = {1};
    if (!mts_call("aten::alias", "", view)) {
        is_leaf[0] = view[0];
        if (mts_call("aten::is_leaf", "", is_leaf)) is_leaf[0] = 1;
    }
    aoti_torch_grad_mode_set_enabled(records);
    return !(is_leaf[0] & 1);
}

// true for a tensor that is not taken for a number implicitly
static inline bool mts_is_no_argument(mts_list *tensor)
{
    return mts_dim(tensor) != 0 || mts_requires_grad(tensor);
}

// the number that a tensor is, as float64 or int64
static mts_value mts_item(mts_list *tensor, int64_t dtype)
{
    uint64_t stack[] = {mts_pass_tensor(tensor), dtype, 0, 0, 0};
    mts_value item = {0};
    if (mts_dtype(tensor) != dtype && mts_call("aten::to", "dtype", stack)) return item;
    void *converted = (void *)stack[0];
    if (dtype == 7)
        aoti_torch_item_float64(converted, &item.d);
    else
        aoti_torch_item_int64(converted, &item.i);
    aoti_torch_delete_tensor_object(converted);
    return item;
}

static inline double mts_item_float(mts_list *tensor)
{
    if (mts_category(mts_dtype(tensor)) == 3) return mts_complex_part(tensor, "aten::real");
    return mts_item(tensor, 7).d;
}

// true where the number that a tensor is does not fit into an int; torch has left a message then
static inline bool mts_is_no_int(mts_list *tensor)
{
    if (mts_is_no_number(tensor)) return true;
    if (mts_category(mts_dtype(tensor)) < 2) return false;
    double number = mts_item_float(tensor);
    if (number >= -0x1p63 && number < 0x1p63) return false;
    int64_t whole;
    aoti_torch_item_int64(mts_handle(tensor), &whole);
    return true;
}

static inline int64_t mts_item_int(mts_list *tensor)
{
    if (mts_category(mts_dtype(tensor)) >= 2) return (int64_t)mts_item_float(tensor);
    return mts_item(tensor, 4).i;
}

static inline bool mts_item_bool(mts_list *tensor)
{
    int category = mts_category(mts_dtype(tensor));
    if (category == 3 && mts_complex_part(tensor, "aten::imag") != 0) return true;
    if (category >= 2) return mts_item_float(tensor) != 0.0;
    return mts_item(tensor, 4).i != 0;
}
