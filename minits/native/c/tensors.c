// a tensor, as a list whose only item is the handle that torch's C interface has given out for it;
// the handle is taken over; 0 without memory
static inline mts_list *mts_tensor_of(mts_list **pool, void *handle)
{
    mts_list *tensor = malloc(sizeof *tensor + sizeof(mts_value));
    if (!tensor) {
        aoti_torch_delete_tensor_object(handle);
        return 0;
    }
    *tensor = (mts_list){
        1, 1, 0, (mts_value *)(tensor + 1), 0, 0, *pool, pool, 0, mts_end_tensor};
    tensor->items[0].handle = handle;
    if (tensor->next) tensor->next->place = &tensor->next;
    *pool = tensor;
    return tensor;
}

static void mts_end_tensor(mts_list *tensor)
{
    if (tensor->items[0].handle) aoti_torch_delete_tensor_object(tensor->items[0].handle);
}

// the tensor of a handle that stays the caller's
static inline mts_list *mts_tensor_given(mts_list **pool, void *handle)
{
    void *own = 0;
    aoti_torch_new_tensor_handle(handle, &own);
    return mts_tensor_of(pool, own);
}

static inline void *mts_handle(mts_list *tensor)
{
    return tensor->items[0].handle;
}

// true where two handles are of one tensor: each points to an at::Tensor, which is a pointer to it
static inline bool mts_is_one(mts_list *first, mts_list *second)
{
    return *(void **)mts_handle(first) == *(void **)mts_handle(second);
}

// another handle of a tensor, for who takes it over
static inline uint64_t mts_pass_tensor(mts_list *tensor)
{
    void *other = 0;
    aoti_torch_new_tensor_handle(mts_handle(tensor), &other);
    return (uint64_t)other;
}

static inline uint64_t mts_pass_float(double number)
{
    return (mts_value){.d = number}.i;
}

static inline double mts_taken_float(uint64_t number)
{
    return (mts_value){.i = number}.d;
}

static inline uint64_t mts_pass_text(mts_list *text)
{
    void *string = 0;
    torch_new_string_handle((const char *)text->items, text->length, &string);
    return (uint64_t)string;
}

// what is given for an argument that may be None; torch frees it
static inline uint64_t mts_pass_given(uint64_t value)
{
    uint64_t *given = 0;
    if (!torch_new_stable_ivalue)
        given = malloc(sizeof *given);
    else if (torch_new_stable_ivalue(&given))
        given = 0;
    if (given) *given = value;
    return (uint64_t)given;
}

// a list of tensors (t), of Optionals of tensors (o), of strs (s) or of numbers (n)
static inline uint64_t mts_pass_list(mts_list *list, char kind)
{
    void *passed = 0;
    torch_new_list_reserve_size(list->length, &passed);
    for (int64_t i = 0; i < list->length; i++) {
        mts_value item = list->items[i];
        uint64_t value = kind == 'n' || !item.list ? (uint64_t)item.i
                         : kind == 's'             ? mts_pass_text(item.list)
                                                   : mts_pass_tensor(item.list);
        torch_list_push_back(passed, kind == 'o' && item.list ? mts_pass_given(value) : value);
    }
    return (uint64_t)passed;
}

// the list of tensors (t) or of numbers (n) that a call has returned; 0 without memory
static inline mts_list *mts_taken_list(mts_list **pool, uint64_t passed, char kind)
{
    __SIZE_TYPE__ length = 0;
    torch_list_size((void *)passed, &length);
    mts_list *list = mts_list_new(pool, length, kind == 't');
    for (__SIZE_TYPE__ i = 0; list && i < length; i++) {
        uint64_t item = 0;
        torch_list_get_item((void *)passed, i, &item);
        if (kind == 'n') {
            list->items[i].i = item;
        } else if (!(list->items[i].list = mts_tensor_of(pool, (void *)item))) {
            list->length = i;
            list = 0;
        }
    }
    torch_delete_list((void *)passed);
    return list;
}

// an operator of torch; the stack has the arguments, which are taken over, and then the results;
// true where it raises
static inline bool mts_call(const char *name, const char *overload, uint64_t *stack)
{
    return torch_call_dispatcher(name, overload, stack, (uint64_t)2 << 56 | (uint64_t)10 << 48);
}

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

// true for a dimension that a tensor has not, of which torch has left a message then
static inline bool mts_lacks_dim(mts_list *tensor, int64_t dim)
{
    int64_t size = 0;
    if (mts_is_index(dim, mts_dim(tensor))) return false;
    aoti_torch_get_size(mts_handle(tensor), dim, &size);
    return true;
}

static inline int64_t mts_size(mts_list *tensor, int64_t dim)
{
    int64_t size = 0;
    aoti_torch_get_size(mts_handle(tensor), mts_place(dim, mts_dim(tensor)), &size);
    return size;
}

static inline mts_list *mts_sizes(mts_list **pool, mts_list *tensor)
{
    int64_t *sizes = 0;
    aoti_torch_get_sizes(mts_handle(tensor), &sizes);
    return mts_list_of(pool, mts_dim(tensor), (mts_value *)sizes);
}

static inline int64_t mts_stride(mts_list *tensor, int64_t dim)
{
    int64_t stride = 0;
    aoti_torch_get_stride(mts_handle(tensor), mts_place(dim, mts_dim(tensor)), &stride);
    return stride;
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

// true where gradients of a tensor are wanted: a view of it has a function then
static bool mts_requires_grad(mts_list *tensor)
{
    bool records = aoti_torch_grad_mode_is_enabled();
    aoti_torch_grad_mode_set_enabled(true);
    uint64_t view[] = {mts_pass_tensor(tensor)}, is_leaf[] = {1};
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

// true where the ints of a dtype do not reach to a number
static bool mts_overflows(int64_t dtype, double number)
{
    if (mts_category(dtype) > 1) return false;
    int bits = dtype == 0 || dtype == 1 ? 8 : dtype == 2 ? 16 : dtype == 3 ? 32 : 64;
    double least = dtype == 0 ? 0 : -ldexp(1, bits - 1), most = ldexp(1, bits - (dtype != 0));
    return dtype == 11 || !(number >= least && number < most);
}

// a number as a tensor of the dtype of another one
static uint64_t mts_pass_element(mts_list *like, const mts_value *number, char kind)
{
    return mts_as_dtype(mts_scalar_tensor(number, kind), mts_dtype(like));
}

// a number that has the dtype of new tensors: what is no tensor's partner
static uint64_t mts_pass_number(const mts_value *number, char kind)
{
    return mts_in_default_dtype(mts_scalar_tensor(number, kind), kind);
}

// the sum of two tensors of ints or bools: torch's own takes a Scalar, which its C interface has
// for floats only
static bool mts_add_ints(uint64_t *stack, int64_t alpha, bool is_difference)
{
    void *handles[] = {0, 0};
    aoti_torch_new_tensor_handle((void *)stack[0], &handles[0]);
    aoti_torch_new_tensor_handle((void *)stack[1], &handles[1]);
    if (mts_call("aten::result_type", "Tensor", stack)) return true;
    int64_t dtype = (int32_t)stack[0];
    uint64_t other = mts_as_dtype((uint64_t)handles[1], dtype);
    if (alpha != 1 && other) {
        uint64_t factor = mts_scalar_tensor(&(mts_value){.i = alpha}, 'i');
        uint64_t product[] = {other, mts_as_dtype(factor, dtype)};
        other = mts_call("aten::mul", "Tensor", product) ? 0 : product[0];
    }
    if (is_difference && other) {
        uint64_t negated[] = {other};
        other = mts_call("aten::neg", "", negated) ? 0 : negated[0];
    }
    if (!other) {
        aoti_torch_delete_tensor_object(handles[0]);
        return true;
    }
    void *list = 0;
    torch_new_list_reserve_size(2, &list);
    torch_list_push_back(list, (uint64_t)handles[0]);
    torch_list_push_back(list, other);
    uint64_t calls[4] = {(uint64_t)list};
    if (mts_call("aten::broadcast_tensors", "", calls)) return true;
    calls[1] = 0;
    if (mts_call("aten::stack", "", calls)) return true;
    void *dims = 0;
    torch_new_list_reserve_size(1, &dims);
    torch_list_push_back(dims, 0);
    calls[1] = mts_pass_given((uint64_t)dims);
    calls[2] = 0;
    calls[3] = mts_pass_given(dtype);
    bool raises = mts_call("aten::sum", "dim_IntList", calls);
    stack[0] = calls[0];
    return raises;
}

// the sum of two tensors, or their difference, the second one times a float
static bool mts_add(uint64_t *stack, double alpha, bool is_difference)
{
    int32_t first = 0, second = 0;
    aoti_torch_get_dtype((void *)stack[0], &first);
    aoti_torch_get_dtype((void *)stack[1], &second);
    if (!is_difference || (first != 11 && second != 11)) {  // bools have a sum, but no difference
        if (mts_category(first) < 2 && mts_category(second) < 2)
            return mts_add_ints(stack, alpha, is_difference);
        if (first == 11) stack[0] = mts_as_dtype(stack[0], 0);
        if (second == 11) stack[1] = mts_as_dtype(stack[1], 0);
    }
    void *result = 0;
    bool raises = aoti_torch_aten_subtract_Tensor(
        (void *)stack[0], (void *)stack[1], is_difference ? alpha : -alpha, &result);
    aoti_torch_delete_tensor_object((void *)stack[0]);
    aoti_torch_delete_tensor_object((void *)stack[1]);
    stack[0] = (uint64_t)result;
    return raises;
}

// the power 0.5 of a tensor, which is its root for torch, but of floats of 16 bits
static bool mts_root(uint64_t *stack)
{
    int32_t dtype = 0;
    aoti_torch_get_dtype((void *)stack[0], &dtype);
    if (dtype != 5 && dtype != 8) return mts_call("aten::sqrt", "", stack);
    stack[1] = mts_as_dtype(mts_scalar_tensor(&(mts_value){.d = 0.5}, 'f'), dtype);
    return mts_call("aten::pow", "Tensor_Tensor", stack);
}

// where the elements of a tensor begin, and its extent in bytes
static char *mts_extent(void *handle, int64_t *extent)
{
    void *data = 0;
    int64_t dim = 0, *sizes = 0, *strides = 0, last = 0;
    aoti_torch_get_data_ptr(handle, &data);
    aoti_torch_get_dim(handle, &dim);
    aoti_torch_get_sizes(handle, &sizes);
    aoti_torch_get_strides(handle, &strides);
    for (int64_t i = 0; i < dim; i++) {
        if (!sizes[i]) return *extent = 0, data;
        last += (sizes[i] - 1) * strides[i];
    }
    *extent = (last + 1) * 16;
    return data;
}

// true where two tensors have the same sizes and strides
static bool mts_are_alike(void *one, void *other)
{
    int64_t dim = 0, other_dim = 0, *sizes[2] = {0, 0}, *strides[2] = {0, 0};
    aoti_torch_get_dim(one, &dim);
    aoti_torch_get_dim(other, &other_dim);
    aoti_torch_get_sizes(one, &sizes[0]);
    aoti_torch_get_sizes(other, &sizes[1]);
    aoti_torch_get_strides(one, &strides[0]);
    aoti_torch_get_strides(other, &strides[1]);
    bool is_equal = dim == other_dim;
    for (int64_t i = 0; is_equal && i < dim; i++)
        is_equal = sizes[0][i] == sizes[1][i] && strides[0][i] == strides[1][i];
    return is_equal;
}

// true where torch does not write to the first of two tensors while it reads the second, since they
// share some of their memory
static bool mts_share_in_part(void *target, void *other)
{
    int64_t most = 0, length = 0;
    char *begin = mts_extent(target, &most), *start = mts_extent(other, &length);
    if (!most || !length || begin >= start + length || start >= begin + most) return false;
    if (begin == start && mts_are_alike(target, other)) return false;
    bool records = aoti_torch_grad_mode_is_enabled();
    aoti_torch_grad_mode_set_enabled(false);
    void *handles[3] = {0, 0, 0};
    aoti_torch_new_tensor_handle(target, &handles[0]);
    aoti_torch_new_tensor_handle(other, &handles[1]);
    aoti_torch_new_tensor_handle(target, &handles[2]);
    uint64_t call[] = {(uint64_t)handles[0], (uint64_t)handles[1], (uint64_t)handles[2]};
    bool raises = mts_call("aten::maximum", "out", call);  // what it writes is written over
    if (!raises) aoti_torch_delete_tensor_object((void *)call[0]);
    aoti_torch_grad_mode_set_enabled(records);
    return raises;
}

// the same in place, of a first tensor whose dtype stays
static bool mts_add_in_place(uint64_t *stack, double alpha, bool is_difference)
{
    void *target = 0, *other = 0;
    int32_t dtype = 0, computed = 0;
    aoti_torch_new_tensor_handle((void *)stack[0], &target);
    aoti_torch_new_tensor_handle((void *)stack[1], &other);
    aoti_torch_get_dtype(target, &dtype);
    bool raises = mts_add(stack, alpha, is_difference);
    if (!raises) aoti_torch_get_dtype((void *)stack[0], &computed);
    if (!raises && mts_share_in_part(target, other)) {
        aoti_torch_delete_tensor_object((void *)stack[0]);
        raises = true;
    }
    aoti_torch_delete_tensor_object(other);
    if (raises) {
        aoti_torch_delete_tensor_object(target);
        return true;
    }
    uint64_t call[] = {(uint64_t)target, stack[0], 0};
    if (mts_category(computed) > mts_category(dtype))  // which raises, as any operator in place
        raises = mts_call("aten::mul_", "Tensor", call);
    else
        raises = mts_call("aten::copy_", "", call);
    stack[0] = call[0];
    return raises;
}

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
    if (mts_call("aten::contiguous", "", stack)) return 0;
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
