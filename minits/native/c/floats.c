// a % b with the sign of b
static inline double mts_remainder_of_floats(double a, double b)
{
    return fmod(b + fmod(a, b), b);
}

// int(a); what 64 bits cannot hold becomes the least integer, as on x86. The empty instruction keeps
// gcc from making trunc(a) of (double)(int64_t)a, which is -0.0 for -0.3.
static inline int64_t mts_to_int(double a)
{
    int64_t truncated = a >= -0x1p63 && a < 0x1p63 ? (int64_t)a : INT64_MIN;
    __asm__("" : "+r"(truncated));
    return truncated;
}

// the second of divmod(a, b), for b != 0
static inline double mts_divmod_rest(double a, double b)
{
    double rest = fmod(a, b);
    return rest != 0.0 && (a < 0.0) != (b < 0.0) ? rest + b : rest;
}

// the first of divmod(a, b), for b != 0
static inline double mts_divmod_quotient(double a, double b)
{
    return (a - mts_divmod_rest(a, b)) / b;
}

// the first of frexp(a)
static inline double mts_mantissa(double a)
{
    int exponent;
    return frexp(a, &exponent);
}

// the second of frexp(a); that of an infinity or NaN is 0
static inline int64_t mts_exponent(double a)
{
    int exponent = 0;
    if (a - a == 0.0) frexp(a, &exponent);
    return exponent;
}

// the first of modf(a)
static inline double mts_fraction(double a)
{
    double whole;
    return modf(a, &whole);
}

// the second of modf(a)
static inline double mts_whole_part(double a)
{
    double whole;
    modf(a, &whole);
    return whole;
}

// a / b, rounded to 32 bits
static inline double mts_ratio(double a, double b)
{
    return (double)(float)((double)(float)a / (double)(float)b);
}
