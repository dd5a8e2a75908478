// an index that may count from the end, as one from the start
static inline int64_t mts_place(int64_t index, int64_t size)
{
    return index < 0 ? index + size : index;
}

// NaN, if one is; of zeros the first one
static inline float mts_minimum_f32(float a, float b)
{
    return a <= b || a != a ? a : b;
}

// NaN, if one is; of zeros the first one
static inline double mts_minimum_f64(double a, double b)
{
    return a <= b || a != a ? a : b;
}

static inline int64_t mts_minimum_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// NaN, if one is; of zeros the first one
static inline float mts_maximum_f32(float a, float b)
{
    return a >= b || a != a ? a : b;
}

// NaN, if one is; of zeros the first one
static inline double mts_maximum_f64(double a, double b)
{
    return a >= b || a != a ? a : b;
}

static inline int64_t mts_maximum_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline float mts_abs_f32(float a)
{
    return (float)fabs((double)a);
}

static inline double mts_abs_f64(double a)
{
    return fabs(a);
}

static inline int64_t mts_abs_i64(int64_t a)
{
    return a < 0 ? -a : a;
}

// of a float, the root in double is rounded to the same
static inline float mts_sqrt_f32(float a)
{
    return (float)sqrt((double)a);
}

static inline double mts_sqrt_f64(double a)
{
    return sqrt(a);
}
