// sixteen floats or eight doubles that are added up side by side, and their halves and quarters
typedef float mts_floats __attribute__((vector_size(64), aligned(4), may_alias));

typedef float mts_floats_8 __attribute__((vector_size(32), aligned(4), may_alias));

typedef float mts_floats_4 __attribute__((vector_size(16), aligned(4), may_alias));

typedef double mts_doubles __attribute__((vector_size(64), aligned(8), may_alias));

typedef double mts_doubles_4 __attribute__((vector_size(32), aligned(8), may_alias));

static inline float mts_folded_f32(const mts_floats *sums)
{
    const mts_floats_8 *halves = (const mts_floats_8 *)sums;
    mts_floats_8 half = halves[0] + halves[1];
    const mts_floats_4 *quarters = (const mts_floats_4 *)&half;
    mts_floats_4 quarter = quarters[0] + quarters[1];
    return (quarter[0] + quarter[2]) + (quarter[1] + quarter[3]);
}

static inline double mts_folded_f64(const mts_doubles *sums)
{
    const mts_doubles_4 *halves = (const mts_doubles_4 *)sums;
    mts_doubles_4 half = halves[0] + halves[1];
    return (half[0] + half[2]) + (half[1] + half[3]);
}

// a row times four rows of a weight, the sums of these side by side
static inline void mts_four_f32(const float *row, const float *weight, int64_t size, float *sums)
{
    mts_floats a = {0}, b = {0}, c = {0}, d = {0};
    int64_t i = 0;
    for (; i + 16 <= size; i += 16) {
        mts_floats part = *(const mts_floats *)(row + i);
        a += part * *(const mts_floats *)(weight + i);
        b += part * *(const mts_floats *)(weight + size + i);
        c += part * *(const mts_floats *)(weight + 2 * size + i);
        d += part * *(const mts_floats *)(weight + 3 * size + i);
    }
    sums[0] = mts_folded_f32(&a);
    sums[1] = mts_folded_f32(&b);
    sums[2] = mts_folded_f32(&c);
    sums[3] = mts_folded_f32(&d);
    for (; i < size; i++)
        for (int64_t j = 0; j < 4; j++) sums[j] += row[i] * weight[j * size + i];
}

// rows times the rows of a weight, and a bias, or 0
static void mts_products_f32(
    const float *rows, const float *weight, const float *bias, float *out, const int64_t *sizes)
{
    int64_t size = sizes[2];
    for (int64_t i = 0; i < sizes[0]; i++, rows += size) {
        int64_t j = 0;
        for (; j + 4 <= sizes[1]; j += 4, out += 4) mts_four_f32(rows, weight + j * size, size, out);
        for (; j < sizes[1]; j++, out++) {
            *out = 0;
            for (int64_t k = 0; k < size; k++) *out += rows[k] * weight[j * size + k];
        }
        for (j = 0; bias && j < sizes[1]; j++) out[j - sizes[1]] += bias[j];
    }
}

// a row times four rows of a weight, the sums of these side by side
static inline void mts_four_f64(const double *row, const double *weight, int64_t size, double *sums)
{
    mts_doubles a = {0}, b = {0}, c = {0}, d = {0};
    int64_t i = 0;
    for (; i + 8 <= size; i += 8) {
        mts_doubles part = *(const mts_doubles *)(row + i);
        a += part * *(const mts_doubles *)(weight + i);
        b += part * *(const mts_doubles *)(weight + size + i);
        c += part * *(const mts_doubles *)(weight + 2 * size + i);
        d += part * *(const mts_doubles *)(weight + 3 * size + i);
    }
    sums[0] = mts_folded_f64(&a);
    sums[1] = mts_folded_f64(&b);
    sums[2] = mts_folded_f64(&c);
    sums[3] = mts_folded_f64(&d);
    for (; i < size; i++)
        for (int64_t j = 0; j < 4; j++) sums[j] += row[i] * weight[j * size + i];
}

// rows times the rows of a weight, and a bias, or 0
static void mts_products_f64(
    const double *rows, const double *weight, const double *bias, double *out, const int64_t *sizes)
{
    int64_t size = sizes[2];
    for (int64_t i = 0; i < sizes[0]; i++, rows += size) {
        int64_t j = 0;
        for (; j + 4 <= sizes[1]; j += 4, out += 4) mts_four_f64(rows, weight + j * size, size, out);
        for (; j < sizes[1]; j++, out++) {
            *out = 0;
            for (int64_t k = 0; k < size; k++) *out += rows[k] * weight[j * size + k];
        }
        for (j = 0; bias && j < sizes[1]; j++) out[j - sizes[1]] += bias[j];
    }
}

// true for a tensor of a dtype that is a factor or a term of a product: it has elements of the CPU
static bool mts_is_factor(mts_list **pool, void *handle, int32_t dtype, mts_view_parts *parts)
{
    int32_t own = 0;
    aoti_torch_get_dtype(handle, &own);
    return own == dtype && mts_is_in_rows(pool, handle, parts);
}

// aten::linear, of which the stack has the rows, the weight, and the bias or 0; torch multiplies
// more than a few rows sooner
static bool mts_linear_rows(mts_list **pool, uint64_t *stack)
{
    void *rows = (void *)stack[0], *weight = (void *)stack[1], *bias = (void *)stack[2];
    mts_view_parts left, right, added;
    int32_t dtype = 0;
    int64_t count = 0;
    aoti_torch_get_dtype(rows, &dtype);
    aoti_torch_get_numel(rows, &count);
    bool fits = (dtype == 6 || dtype == 7) && mts_is_factor(pool, rows, dtype, &left)
        && mts_is_factor(pool, weight, dtype, &right) && right.dim == 2
        && left.sizes[left.dim - 1] == right.sizes[1]
        && count <= 4 * right.sizes[1] && count * right.sizes[0] <= 1 << 17;
    if (fits && bias)
        fits = mts_is_factor(pool, bias, dtype, &added) && added.dim == 1
            && added.sizes[0] == right.sizes[0];
    if (!fits) {
        if (bias) stack[2] = mts_pass_given(stack[2]);
        return mts_call("aten::linear", "", stack);
    }
    int64_t sizes[] = {count / right.sizes[1], right.sizes[0], right.sizes[1]};
    void *data[4] = {0, 0, 0, 0};
    left.sizes[left.dim - 1] = right.sizes[0];
    mts_put_in_rows(&left);
    stack[0] = (uint64_t)mts_new_rows(&left, dtype, &data[3]);
    if (stack[0]) {
        aoti_torch_get_data_ptr(rows, &data[0]);
        aoti_torch_get_data_ptr(weight, &data[1]);
        if (bias) aoti_torch_get_data_ptr(bias, &data[2]);
        if (dtype == 6)
            mts_products_f32(data[0], data[1], data[2], data[3], sizes);
        else
            mts_products_f64(data[0], data[1], data[2], data[3], sizes);
    }
    aoti_torch_delete_tensor_object(rows);
    aoti_torch_delete_tensor_object(weight);
    if (bias) aoti_torch_delete_tensor_object(bias);
    return !stack[0];
}
