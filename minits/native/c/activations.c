// the floats of a small tensor whose elements lie row by row, and their number; 0 for other tensors,
// for which operators of torch are quicker, and where gradients may be recorded
static float *mts_small_floats(mts_list **pool, uint64_t handle, int64_t *count)
{
    mts_view_parts parts;
    int32_t dtype = 0;
    void *data = 0;
    aoti_torch_get_dtype((void *)handle, &dtype);
    if (dtype != 6 || !mts_is_in_rows(pool, (void *)handle, &parts)) return 0;
    aoti_torch_get_numel((void *)handle, count);
    if (*count > 2048 || aoti_torch_get_data_ptr((void *)handle, &data)) return 0;
    return data;
}

// puts a new tensor of as many floats in the place of a small one, and returns these, which the
// caller writes from those of `from`; 0 for other tensors
static float *mts_new_floats(mts_list **pool, uint64_t *stack, const float **from, int64_t *count)
{
    mts_view_parts parts;
    void *data = 0;
    *from = mts_small_floats(pool, stack[0], count);
    if (!*from) return 0;
    parts = mts_parts_of(pool, (void *)stack[0]);
    mts_put_in_rows(&parts);
    void *made = mts_new_rows(&parts, 6, &data);
    if (!made) return 0;
    aoti_torch_delete_tensor_object((void *)stack[0]);  // `from` lives on: the program has a handle
    stack[0] = (uint64_t)made;
    return data;
}

// an operator of one or two tensors (or 0), whose handles are taken over; 0 where it raises, or an
// operand has raised
static uint64_t mts_computed(const char *name, const char *overload, uint64_t first, uint64_t second)
{
    uint64_t call[] = {first, second};
    if (first) return mts_call(name, overload, call) ? 0 : call[0];
    if (second) aoti_torch_delete_tensor_object((void *)second);
    return 0;
}

// a tensor times a number, of a handle that is taken over
static uint64_t mts_times(uint64_t x, double number)
{
    int64_t dim = 0;
    int32_t dtype = 0;
    if (number == 1 || !x) return x;
    aoti_torch_get_dim((void *)x, &dim);
    aoti_torch_get_dtype((void *)x, &dtype);
    uint64_t factor = mts_scalar_tensor(&(mts_value){.d = number}, 'f');
    return mts_computed("aten::mul", "Tensor", x, dim ? factor : mts_as_dtype(factor, dtype));
}

// the number of a kind as a tensor without dimensions, of the dtype of another one
static uint64_t mts_element_of(uint64_t like, const mts_value *number, char kind)
{
    int32_t dtype = 0;
    aoti_torch_get_dtype((void *)like, &dtype);
    return mts_as_dtype(mts_scalar_tensor(number, kind), dtype);
}

// chooses between two tensors by a comparison of a third with a number: all four handles are taken
// over, but 0, for an operand that has raised; true where it raises
static bool mts_choose(uint64_t *stack, const char *comparison, uint64_t compared, uint64_t number,
                       uint64_t first, uint64_t second)
{
    uint64_t call[] = {mts_computed(comparison, "Tensor", compared, number), first, second};
    bool raises = !call[0] || !call[1] || !call[2];
    for (int64_t i = 0; raises && i < 3; i++)
        if (call[i]) aoti_torch_delete_tensor_object((void *)call[i]);
    if (raises) return true;
    raises = mts_call("aten::where", "self", call);
    stack[0] = call[0];
    return raises;
}

// aten::leaky_relu
static bool mts_leaky_relu(mts_list **pool, uint64_t *stack, double slope)
{
    const float *from;
    int64_t count = 0;
    float *to = mts_new_floats(pool, stack, &from, &count), factor = (float)slope;
    for (int64_t i = 0; to && i < count; i++) to[i] = from[i] > 0 ? from[i] : from[i] * factor;
    if (to) return false;
    uint64_t x = stack[0], zero = mts_scalar_tensor(&(mts_value){.i = 0}, 'i');
    uint64_t compared = mts_pass_handle((void *)x), scaled = mts_pass_handle((void *)x);
    return mts_choose(stack, "aten::gt", compared, zero, x, mts_times(scaled, slope));
}

// aten::elu: below 0, e to an element times `of_input`, less 1, times `alpha` and `scale`
static bool mts_elu(mts_list **pool, uint64_t *stack, double alpha, double scale, double of_input)
{
    uint64_t x = stack[0];
    uint64_t below = mts_times(mts_pass_handle((void *)x), of_input);
    below = mts_computed("aten::expm1", "", below, 0);
    int64_t count = 0;
    const float *from = mts_small_floats(pool, x, &count);
    float *to = below && from ? mts_small_floats(pool, below, &count) : 0;
    float above = (float)scale, factor = (float)alpha * above;
    for (int64_t i = 0; to && i < count; i++)
        to[i] = from[i] > 0 ? from[i] * above : to[i] * factor;
    if (to) {
        aoti_torch_delete_tensor_object((void *)x);
        stack[0] = below;
        return false;
    }
    uint64_t compared = mts_pass_handle((void *)x), zero = mts_scalar_tensor(&(mts_value){.i = 0}, 'i');
    below = mts_times(mts_times(below, alpha), scale);
    return mts_choose(stack, "aten::gt", compared, zero, mts_times(x, scale), below);
}

// aten::celu
static bool mts_celu(mts_list **pool, uint64_t *stack, double alpha)
{
    return mts_elu(pool, stack, alpha, 1, 1 / alpha);
}

// aten::softplus: the logarithm of 1 plus e to an element times `beta`, divided by `beta`, but above
// the threshold the element itself; of a small tensor it is that of its negatives' sigmoids
static bool mts_softplus(mts_list **pool, uint64_t *stack, double beta, double threshold)
{
    uint64_t x = stack[0], found = mts_pass_handle((void *)x);
    const float *from;
    int64_t count = 0;
    float *to = mts_new_floats(pool, &found, &from, &count);
    float factor = (float)beta, bound = (float)threshold;
    for (int64_t i = 0; to && i < count; i++) to[i] = -(from[i] * factor);
    if (to) {
        found = mts_computed("aten::log_sigmoid", "", found, 0);
        to = found ? mts_small_floats(pool, found, &count) : 0;
        for (int64_t i = 0; to && i < count; i++)
            to[i] = from[i] * factor > bound ? from[i] : -to[i] / factor;
        aoti_torch_delete_tensor_object((void *)x);
        stack[0] = found;
        return !to;
    }
    uint64_t scaled = mts_times(found, beta);
    uint64_t smooth = mts_computed("aten::exp", "", scaled ? mts_pass_handle((void *)scaled) : 0, 0);
    smooth = mts_times(mts_computed("aten::log1p", "", smooth, 0), 1 / beta);
    uint64_t number = mts_scalar_tensor(&(mts_value){.d = threshold}, 'f');
    return mts_choose(stack, "aten::gt", scaled, number, x, smooth);
}

// aten::hardshrink
static bool mts_hardshrink(mts_list **pool, uint64_t *stack, double lambda)
{
    const float *from;
    int64_t count = 0;
    float *to = mts_new_floats(pool, stack, &from, &count), bound = (float)lambda;
    for (int64_t i = 0; to && i < count; i++)
        to[i] = from[i] >= -bound && from[i] <= bound ? 0 : from[i];
    if (to) return false;
    uint64_t x = stack[0], number = mts_scalar_tensor(&(mts_value){.d = lambda}, 'f');
    uint64_t compared = mts_computed("aten::abs", "", mts_pass_handle((void *)x), 0);
    return mts_choose(
        stack, "aten::le", compared, number, mts_times(mts_pass_handle((void *)x), 0), x);
}

// aten::softshrink: what is left of an element beyond the bounds -lambda and lambda
static bool mts_softshrink(mts_list **pool, uint64_t *stack, double lambda)
{
    const float *from;
    int64_t count = 0;
    float *to = mts_new_floats(pool, stack, &from, &count), bound = (float)lambda;
    for (int64_t i = 0; to && i < count; i++) {
        float x = from[i];
        to[i] = x > bound ? x - bound : x < -bound ? x + bound : x * 0;
    }
    if (to) return false;
    uint64_t x = stack[0], within = mts_pass_handle((void *)x);
    mts_value bounds[] = {{.d = -lambda}, {.d = lambda}};
    if (mts_hardtanh(pool, &within, bounds, 'f', bounds + 1, 'f')) within = 0;
    uint64_t call[] = {x, within};
    bool raises = !within || mts_add(call, 1, true);
    if (!within) aoti_torch_delete_tensor_object((void *)x);
    stack[0] = call[0];
    return raises;
}

// aten::threshold: a value in place of the elements up to a bound
static bool mts_threshold(mts_list **pool, uint64_t *stack, const mts_value *bound, char bound_kind,
                          const mts_value *value, char value_kind)
{
    const float *from;
    int64_t count = 0;
    float *to = mts_new_floats(pool, stack, &from, &count);
    float least = mts_as_f32(bound, bound_kind), other = mts_as_f32(value, value_kind);
    for (int64_t i = 0; to && i < count; i++) to[i] = from[i] <= least ? other : from[i];
    if (to) return false;
    uint64_t x = stack[0], compared = mts_pass_handle((void *)x);
    uint64_t number = mts_element_of(x, bound, bound_kind);
    return mts_choose(
        stack, "aten::le", compared, number, mts_element_of(x, value, value_kind), x);
}

// aten::hardtanh
static bool mts_hardtanh(mts_list **pool, uint64_t *stack, const mts_value *low, char low_kind,
                         const mts_value *high, char high_kind)
{
    const float *from;
    int64_t count = 0;
    float *to = mts_new_floats(pool, stack, &from, &count);
    float least = mts_as_f32(low, low_kind), most = mts_as_f32(high, high_kind);
    for (int64_t i = 0; to && i < count; i++) {
        float x = from[i] < least ? least : from[i];
        to[i] = x > most ? most : x;
    }
    if (to) return false;
    uint64_t x = stack[0];
    uint64_t call[] = {x, mts_pass_given(mts_element_of(x, low, low_kind)),
                       mts_pass_given(mts_element_of(x, high, high_kind))};
    bool raises = mts_call("aten::clamp", "Tensor", call);
    stack[0] = call[0];
    return raises;
}

static inline float mts_as_f32(const mts_value *number, char kind)
{
    return kind == 'f' ? (float)number->d : (float)number->i;
}

// the result of an operator in place, of which another tensor has the elements
static bool mts_put_into(mts_list *target, uint64_t *stack)
{
    uint64_t call[] = {mts_pass_tensor(target), stack[0], 0};
    bool raises = mts_call("aten::copy_", "", call);
    stack[0] = call[0];
    return raises;
}
