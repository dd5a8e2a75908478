// a number whose type is known when the program runs, as a list: the letter of its type, an int (i),
// a float (f), a bool (b), a complex number (c), or an int beyond 63 bits (u), and its two parts
static inline mts_list *mts_number(mts_list **pool, char kind, mts_value first, double second)
{
    return mts_list_of(pool, 3, (mts_value[]){{.i = kind}, first, {.d = second}});
}

static inline mts_list *mts_number_of_int(mts_list **pool, int64_t number)
{
    return mts_number(pool, 'i', (mts_value){.i = number}, 0);
}

static inline mts_list *mts_number_of_float(mts_list **pool, double number)
{
    return mts_number(pool, 'f', (mts_value){.d = number}, 0);
}

static inline mts_list *mts_number_of_bool(mts_list **pool, bool number)
{
    return mts_number(pool, 'b', (mts_value){.i = number}, 0);
}

static inline mts_list *mts_number_of_complex(mts_list **pool, mts_complex z)
{
    return mts_number(pool, 'c', (mts_value){.d = __real__ z}, __imag__ z);
}

// the number that a tensor of one element is
static mts_list *mts_number_of_tensor(mts_list **pool, mts_list *tensor)
{
    int64_t dtype = mts_dtype(tensor);
    if (mts_category(dtype) == 3) {
        double real = mts_complex_part(tensor, "aten::real");
        return mts_number(pool, 'c', (mts_value){.d = real}, mts_complex_part(tensor, "aten::imag"));
    }
    if (mts_category(dtype) == 2) return mts_number_of_float(pool, mts_item_float(tensor));
    mts_value number = mts_item(tensor, 4);
    bool is_beyond = dtype == 29 && number.i < 0;
    return mts_number(pool, dtype == 11 ? 'b' : is_beyond ? 'u' : 'i', number, 0);
}

static inline char mts_number_kind(mts_list *number)
{
    return number->items[0].i;
}

// the letters of two numbers, as one number: 'i' << 8 | 'f'
static inline int mts_number_kinds(mts_list *a, mts_list *b)
{
    return mts_number_kind(a) << 8 | mts_number_kind(b);
}

static inline mts_complex mts_number_to_complex(mts_list *number)
{
    return mts_complex_of(mts_number_to_float(number), number->items[2].d);
}

// without an imaginary part
static inline double mts_number_to_float(mts_list *number)
{
    char kind = mts_number_kind(number);
    if (kind == 'u') return (double)(uint64_t)number->items[1].i;
    return kind == 'f' || kind == 'c' ? number->items[1].d : (double)number->items[1].i;
}

// true where a float does not fit into 32 bits, and for a complex number with an imaginary part
static inline bool mts_number_is_no_int(mts_list *number)
{
    if (mts_number_kind(number) != 'f' && mts_number_kind(number) != 'c') return false;
    double real = number->items[1].d;
    return number->items[2].d != 0 || !(real >= -0x1p31 && real <= 0x1p31 - 1);
}

static inline int64_t mts_number_to_int(mts_list *number)
{
    bool is_int = mts_number_kind(number) != 'f' && mts_number_kind(number) != 'c';
    return is_int ? number->items[1].i : (int64_t)number->items[1].d;
}

static mts_list *mts_text_of_number(mts_list **pool, mts_list *number)
{
    if (mts_number_kind(number) == 'f') return mts_text_of_float(pool, number->items[1].d);
    if (mts_number_kind(number) == 'c') return mts_text_of_complex(pool, mts_number_to_complex(number));
    if (mts_number_kind(number) == 'b') return mts_text_of_bool(pool, number->items[1].i);
    if (mts_number_kind(number) != 'u') return mts_text_of_int(pool, number->items[1].i);
    char bytes[24];
    int length = snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)number->items[1].i);
    return mts_text_of(pool, length, bytes);
}
