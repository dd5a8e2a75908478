// how the numbers of one tensor are shown: divided by `scale`, `width` bytes wide, by %g (g), %.4f
// (f) or %.4e (e)
typedef struct mts_format {
    double scale;
    int64_t width;
    char kind;
} mts_format;

// writes as few digits as tell a number from others
static void mts_write_shortest(mts_writer *to, double number)
{
    char bytes[64];
    int64_t length = 0, digits = 0;
    do length = mts_snprintf(bytes, sizeof bytes, "%.*e", (int)digits, number);
    while (++digits < 17 && mts_strtod(bytes, 0) != number && number == number);
    if (number - number == 0.0) {
        const char *letter = memchr(bytes, 'e', length);
        int64_t exponent = (int64_t)mts_strtod(letter + 1, 0), after = digits - 1 - exponent;
        if (exponent >= -4 && exponent < 16)
            length = mts_snprintf(bytes, sizeof bytes, "%.*f", (int)(after > 0 ? after : 0), number);
    }
    mts_write(to, number == number ? bytes : "nan", number == number ? length : 3);
}

// writes a number by a format, in its width
static void mts_write_number(mts_writer *to, mts_format format, double number)
{
    char bytes[64];
    const char *pattern = format.kind == 'g' ? "%g" : format.kind == 'f' ? "%.4f" : "%.4e";
    int64_t length = mts_snprintf(bytes, sizeof bytes, pattern, number / format.scale);
    for (int64_t i = number == number ? length : 3; i < format.width; i++) mts_write(to, " ", 1);
    mts_write(to, number == number ? bytes : "nan", number == number ? length : 3);
}

// how many digits a magnitude has before the point
static double mts_digits(double number)
{
    return number != 0.0 ? floor(log10(number)) + 1 : 1.0;
}

// the format for some numbers, by the magnitudes of those that are finite
static mts_format mts_format_of(const double *numbers, int64_t count)
{
    double least = __builtin_inf(), most = -1.0;
    bool are_whole = true;
    for (int64_t i = 0; i < count; i++) {
        double magnitude = fabs(numbers[i]);
        if (!(magnitude < __builtin_inf())) continue;
        if (magnitude < least) least = magnitude;
        if (magnitude > most) most = magnitude;
        are_whole = are_whole && magnitude == floor(magnitude);
    }
    double low = most < 0.0 ? 1.0 : mts_digits(least), high = most < 0.0 ? 1.0 : mts_digits(most);
    if (are_whole && high > 9) return (mts_format){1.0, 11, 'e'};
    if (are_whole) return (mts_format){1.0, (int64_t)high + 1, 'g'};
    if (high - low > 4) return (mts_format){1.0, fabs(high) > 99 || fabs(low) > 99 ? 12 : 11, 'e'};
    if (high > 5 || high < 0) return (mts_format){mts_pow(10.0, high - 1), 7, 'f'};
    return (mts_format){1.0, high == 0 ? 7 : (int64_t)high + 6, 'f'};
}

static void mts_write_scale(mts_writer *to, mts_format format)
{
    if (format.scale == 1.0) return;
    mts_write_shortest(to, format.scale);
    mts_write(to, " *\n", 3);
}

static void mts_write_vector(mts_writer *to, const double *numbers, int64_t count)
{
    mts_format format = mts_format_of(numbers, count);
    mts_write_scale(to, format);
    for (int64_t i = 0; i < count; i++) {
        mts_write_number(to, format, numbers[i]);
        mts_write(to, "\n", 1);
    }
}

// writes as many columns as a line has room for, then the next ones; `indent` is 0 or 1
static void mts_write_matrix(
    mts_writer *to, const double *numbers, int64_t rows, int64_t columns, int64_t indent)
{
    mts_format format = mts_format_of(numbers, rows * columns);
    int64_t room = (80 - indent) / (format.width + 1);
    for (int64_t first = 0; first < columns; first += room) {
        int64_t last = first + room < columns ? first + room : columns;
        if (room < columns) {
            char bytes[64];
            int length = snprintf(
                bytes, sizeof bytes, "%sColumns %lld to %lld", first ? "\n" : "",
                (long long)first + 1, (long long)last);
            mts_write(to, bytes, length);
            mts_write(to, " ", indent);
        }
        mts_write_scale(to, format);
        if (format.scale != 1.0) mts_write(to, " ", indent);
        for (int64_t row = 0; row < rows; row++) {
            if (row) mts_write(to, "  ", indent + (format.scale != 1.0));
            for (int64_t column = first; column < last; column++) {
                if (column > first) mts_write(to, " ", 1);
                mts_write_number(to, format, numbers[row * columns + column]);
            }
            mts_write(to, "\n", 1);
        }
    }
}

// writes the matrices of a tensor of more dimensions; the first index runs fastest
static void mts_write_matrices(
    mts_writer *to, const double *numbers, int64_t dim, const int64_t *sizes)
{
    int64_t rows = sizes[dim - 2], columns = sizes[dim - 1], count = 1;
    for (int64_t i = 0; i < dim - 2; i++) count *= sizes[i];
    for (int64_t number = 0; number < count; number++) {
        int64_t rest = number, place = 0;
        mts_write(to, number ? "\n(" : "(", number ? 2 : 1);
        for (int64_t i = 0; i < dim - 2; i++) {
            char bytes[32];
            int64_t index = rest % sizes[i], stride = 1;
            rest /= sizes[i];
            for (int64_t k = i + 1; k < dim - 2; k++) stride *= sizes[k];
            place += index * stride;
            mts_write(to, bytes, mts_show_int(bytes, index + 1));
            mts_write(to, ",", 1);
        }
        mts_write(to, ".,.) = \n", 8);
        mts_write_matrix(to, numbers + place * rows * columns, rows, columns, 1);
    }
}

// the name that torch has in C++ for a dtype (c10/core/ScalarType.h)
static const char *mts_dtype_name(int64_t dtype)
{
    static const char *const names[] = {
        "Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double", "ComplexHalf",
        "ComplexFloat", "ComplexDouble", "Bool", "QInt8", "QUInt8", "QInt32", "BFloat16",
        "Quint4x2", "Quint2x4", "Bits1x8", "Bits2x4", "Bits4x2", "Bits8", "Bits16", "Float8_e5m2",
        "Float8_e4m3fn", "Float8_e5m2fnuz", "Float8_e4m3fnuz", "UInt16", "UInt32", "UInt64"};
    bool is_known = dtype >= 0 && dtype < (int64_t)(sizeof names / sizeof *names);
    return is_known ? names[dtype] : "Undefined";
}

// a tensor with the numbers of another one in a row, as doubles of the CPU; 0 where torch has none
static uint64_t mts_as_doubles(mts_list *tensor)
{
    uint64_t stack[6] = {mts_pass_tensor(tensor), UINT32_MAX, 7, 0, 0, 0};
    if (mts_call("aten::to", "device", stack)) return 0;
    stack[1] = 0;
    if (mts_call("aten::contiguous", "", stack)) return 0;
    return mts_call("aten::resolve_neg", "", stack) ? 0 : stack[0];
}

// true for tensors whose numbers torch does not hand out in rows: those of other layouts, those that
// are nested, quantized or without memory
static inline bool mts_has_no_text(mts_list *tensor)
{
    int64_t dtype = mts_dtype(tensor);
    bool is_quantized = dtype >= 12 && dtype <= 17 && dtype != 15;
    bool has_rows = mts_layout(tensor) == 0 && !mts_is_nested(tensor);
    return !has_rows || is_quantized || mts_device(tensor) >> 32 == 14;
}

// writes a tensor as `ops/tensor_text.py` does, one row a line; without memory also where it has no
// numbers
static void mts_write_tensor(mts_writer *to, mts_list *tensor)
{
    int64_t dim = mts_dim(tensor), *sizes = 0, count = mts_numel(tensor);
    void *data = 0;
    uint64_t handle = mts_as_doubles(tensor);
    to->fails = to->fails || !handle;
    if (!handle) return;
    aoti_torch_get_sizes((void *)handle, &sizes);
    aoti_torch_get_data_ptr((void *)handle, &data);
    if (!dim) {
        mts_write_shortest(to, *(double *)data);
        mts_write(to, "\n", 1);
    } else if (count && dim == 1) {
        mts_write_vector(to, data, count);
    } else if (count && dim == 2) {
        mts_write_matrix(to, data, sizes[0], sizes[1], 0);
    } else if (count) {
        mts_write_matrices(to, data, dim, sizes);
    }
    char bytes[96];
    const char *device = mts_device_name(mts_device(tensor) >> 32);
    int64_t length = 0;
    mts_write(to, "[ ", 2);
    for (; device[length]; length++) bytes[length] = mts_upper_byte(device[length]);
    mts_write(to, bytes, length);
    length = snprintf(bytes, sizeof bytes, "%sType{", mts_dtype_name(mts_dtype(tensor)));
    mts_write(to, bytes, length);
    for (int64_t i = 0; i < dim; i++) {
        if (i) mts_write(to, ",", 1);
        mts_write(to, bytes, mts_show_int(bytes, sizes[i]));
    }
    mts_write(to, "} ]", 3);
    aoti_torch_delete_tensor_object((void *)handle);
}
