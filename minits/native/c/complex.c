static inline mts_complex mts_complex_of(double real, double imaginary)
{
    mts_complex z;
    __real__ z = real;
    __imag__ z = imaginary;
    return z;
}

// a complex number in memory: a list of its two parts; 0 without memory
static inline mts_list *mts_complex_box(mts_list **pool, mts_complex z)
{
    return mts_list_of(pool, 2, (mts_value[]){{.d = __real__ z}, {.d = __imag__ z}});
}

static inline mts_complex mts_complex_in(mts_list *box)
{
    return mts_complex_of(box->items[0].d, box->items[1].d);
}

static inline mts_complex mts_complex_add(mts_complex a, mts_complex b)
{
    return mts_complex_of(__real__ a + __real__ b, __imag__ a + __imag__ b);
}

static inline mts_complex mts_complex_sub(mts_complex a, mts_complex b)
{
    return mts_complex_of(__real__ a - __real__ b, __imag__ a - __imag__ b);
}

// that of C looks for infinities, which c10 does not
static inline mts_complex mts_complex_mul(mts_complex a, mts_complex b)
{
    double real = __real__ a * __real__ b - __imag__ a * __imag__ b;
    return mts_complex_of(real, __real__ a * __imag__ b + __imag__ a * __real__ b);
}

// a quotient of a complex and a real number
static inline mts_complex mts_complex_by_real(mts_complex a, double b)
{
    return mts_complex_of(__real__ a / b, __imag__ a / b);
}

// Smith's division, as in c10: by the ratio of the divisor's lesser part to its greater one
static inline mts_complex mts_complex_div(mts_complex x, mts_complex y)
{
    double a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
    if (fabs(c) >= fabs(d)) {
        if (c == 0.0 && d == 0.0) return mts_complex_of(a / fabs(c), b / fabs(d));
        double ratio = d / c, scale = 1.0 / (c + d * ratio);
        return mts_complex_of((a + b * ratio) * scale, (b - a * ratio) * scale);
    }
    double ratio = c / d, scale = 1.0 / (c * ratio + d);
    return mts_complex_of((a * ratio + b) * scale, (b * ratio - a) * scale);
}

static inline bool mts_complex_equal(mts_complex a, mts_complex b)
{
    return __real__ a == __real__ b && __imag__ a == __imag__ b;
}

static inline mts_complex mts_complex_polar(double radius, double angle)
{
    return mts_complex_of(radius * cos(angle), radius * sin(angle));
}

static inline bool mts_complex_isfinite(mts_complex a)
{
    return fabs(__real__ a) < __builtin_inf() && fabs(__imag__ a) < __builtin_inf();
}

static inline bool mts_complex_isinf(mts_complex a)
{
    return fabs(__real__ a) == __builtin_inf() || fabs(__imag__ a) == __builtin_inf();
}

// as in libstdc++
static inline mts_complex mts_complex_pow_of_real(double a, mts_complex b)
{
    if (!(a > 0.0)) return cpow(mts_complex_of(a, 0.0), b);
    return mts_complex_polar(mts_pow(a, __real__ b), __imag__ b * log(a));
}

// as in libstdc++
static inline mts_complex mts_complex_pow_by_real(mts_complex a, double b)
{
    if (__imag__ a == 0.0 && __real__ a > 0.0) return mts_complex_of(mts_pow(__real__ a, b), 0.0);
    mts_complex log_of_a = clog(a);
    return mts_complex_polar(exp(b * __real__ log_of_a), b * __imag__ log_of_a);
}
