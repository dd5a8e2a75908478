// Numbers as bits, and powers of two.

// An integer of as many bits.
typedef int mts_word_f32;

typedef long long mts_word_f64;

MTS_INLINE int mts_bits_f32(float x) {
    int bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

MTS_INLINE float mts_from_bits_f32(int bits) {
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

MTS_INLINE long long mts_bits_f64(double x) {
    long long bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

MTS_INLINE double mts_from_bits_f64(long long bits) {
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

// The nearest whole number of a small one: adding 1.5 * 2 ** 23 leaves no bits behind the point.
MTS_INLINE float mts_nearest_f32(float x) {
    return (x + 0x1.8p23f) - 0x1.8p23f;
}

MTS_INLINE double mts_nearest_f64(double x) {
    return (x + 0x1.8p52) - 0x1.8p52;
}

// 2 ** n for a whole n in -127 (which gives 0) .. 128 (infinity): n is brought into the lowest bits
// by adding, then moved to where the exponent is.
MTS_INLINE float mts_pow2_f32(float n) {
    return mts_from_bits_f32((int)((unsigned)mts_bits_f32(n + (0x1.8p23f + 127)) << 23));
}

// The same for n in -1023 .. 1024.
MTS_INLINE double mts_pow2_f64(double n) {
    return mts_from_bits_f64(
        (long long)((unsigned long long)mts_bits_f64(n + (0x1.8p52 + 1023)) << 52));
}

// x * 2 ** n in two steps, so that results which overflow or are denormal are rounded once. Given
// is n + 1.5 * 2 ** 23 + 254: its lowest bits are the sum of the exponent fields of both factors.
MTS_INLINE float mts_scale_f32(float x, float shifted) {
    unsigned bits = (unsigned)mts_bits_f32(shifted), half = bits >> 1 << 23;
    return x * mts_from_bits_f32((int)half) * mts_from_bits_f32((int)((bits << 23) - half));
}

// Given is n + 1.5 * 2 ** 52 + 2046.
MTS_INLINE double mts_scale_f64(double x, double shifted) {
    unsigned long long bits = (unsigned long long)mts_bits_f64(shifted), half = bits >> 1 << 52;
    double first = mts_from_bits_f64((long long)half);
    return x * first * mts_from_bits_f64((long long)((bits << 52) - half));
}

// x within low .. high; NaN stays NaN.
MTS_INLINE float mts_within_f32(float x, float low, float high) {
    x = x < low ? low : x;
    return x > high ? high : x;
}

MTS_INLINE double mts_within_f64(double x, double low, double high) {
    x = x < low ? low : x;
    return x > high ? high : x;
}

// The next number from a in the direction of b.
MTS_INLINE float mts_nextafter_f32(float a, float b) {
    int bits = mts_bits_f32(a);
    int next = bits + ((a < b) == (a > 0) ? 1 : -1);
    next = a == 0 ? (b > 0 ? 1 : (int)0x80000001u) : next;
    return a != a || b != b ? a + b : a == b ? b : mts_from_bits_f32(next);
}

MTS_INLINE double mts_nextafter_f64(double a, double b) {
    long long bits = mts_bits_f64(a);
    long long next = bits + ((a < b) == (a > 0) ? 1 : -1);
    next = a == 0 ? (b > 0 ? 1 : (long long)0x8000000000000001ull) : next;
    return a != a || b != b ? a + b : a == b ? b : mts_from_bits_f64(next);
}

// A whole number as a float, which gcc must not take for the truncation of one: its zero has no sign.
MTS_INLINE float mts_whole_f32(long long x) {
    MTS_HIDDEN long long zero = 0;
    return (float)(x + zero);
}

MTS_INLINE double mts_whole_f64(long long x) {
    MTS_HIDDEN long long zero = 0;
    return (double)(x + zero);
}

// x = y * 2 ** n with y from 0.5 to 1: y, and n as a number. What is no number has no exponent.
MTS_INLINE double mts_mantissa_f64(double x) {
    int exponent;
    return __builtin_frexp(x, &exponent);
}

MTS_INLINE float mts_mantissa_f32(float x) {
    return (float)mts_mantissa_f64(x);
}

MTS_INLINE double mts_exponent_f64(double x) {
    int exponent;
    __builtin_frexp(x, &exponent);
    return __builtin_isfinite(x) ? exponent : 0;
}

MTS_INLINE float mts_exponent_f32(float x) {
    return (float)mts_exponent_f64(x);
}
