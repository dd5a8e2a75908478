// log and what is made of it. x = 2 ** e m with m between sqrt(1/2) and sqrt(2), so that
// log(x) = e log 2 + log(1 + f) with f = m - 1, and log(1 + f) is f - f f / 2 + a polynomial.

// Denormals are brought into the range of normal numbers first; `exponent` accounts for that.
MTS_INLINE float mts_split_f32(float x, float *exponent) {
    int is_denormal = x < 0x1p-126f;
    int bits = mts_bits_f32(is_denormal ? x * 0x1p23f : x) - 0x3f3504f3;
    *exponent = (float)(bits >> 23) - (is_denormal ? 23.0f : 0.0f);
    return mts_from_bits_f32((bits & 0x7fffff) + 0x3f3504f3);
}

// Here the exponent becomes a double by being put behind the bits of 2 ** 52.
MTS_INLINE double mts_split_f64(double x, double *exponent) {
    int is_denormal = x < 0x1p-1022;
    long long bits = mts_bits_f64(is_denormal ? x * 0x1p52 : x);
    bits += 0x3ff0000000000000 - 0x3fe6a09e667f3bcd;
    long long field = (long long)((unsigned long long)bits >> 52);
    double biased = mts_from_bits_f64(field | 0x4330000000000000) - 0x1p52;
    *exponent = biased - (is_denormal ? 1075.0 : 1023.0);
    return mts_from_bits_f64((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
}

// Of normal numbers.
MTS_INLINE double mts_split_normal_f64(double x, double *exponent) {
    long long bits = mts_bits_f64(x) + (0x3ff0000000000000 - 0x3fe6a09e667f3bcd);
    long long field = (long long)((unsigned long long)bits >> 52);
    *exponent = mts_from_bits_f64(field | 0x4330000000000000) - (0x1p52 + 1023.0);
    return mts_from_bits_f64((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
}

// log(1 + f) - f + f f / 2
MTS_INLINE float mts_log_rest_f32(float f) {
    float p = -0x1.42216cp-4f;
    p = MTS_FMA(p, f, 0x1.07df16p-3f);
    p = MTS_FMA(p, f, -0x1.0cdc68p-3f);
    p = MTS_FMA(p, f, 0x1.226b74p-3f);
    p = MTS_FMA(p, f, -0x1.54789cp-3f);
    p = MTS_FMA(p, f, 0x1.99a5b8p-3f);
    p = MTS_FMA(p, f, -0x1.000220p-2f);
    p = MTS_FMA(p, f, 0x1.55554ap-2f);
    return p * f * (f * f);
}

// The same; the polynomial is one in s s with s = f / (2 + f).
MTS_INLINE double mts_log_rest_f64(double f) {
    double s = f / (2.0 + f);
    double z = s * s;
    double p = 0x1.2f03b09ba080ep-3;
    p = MTS_FMA(p, z, 0x1.39a1e9b024e06p-3);
    p = MTS_FMA(p, z, 0x1.74663ce50eea2p-3);
    p = MTS_FMA(p, z, 0x1.c71c521476055p-3);
    p = MTS_FMA(p, z, 0x1.24924941e12e9p-2);
    p = MTS_FMA(p, z, 0x1.999999997ff1bp-2);
    p = MTS_FMA(p, z, 0x1.5555555555592p-1);
    return s * (0.5 * f * f + p * z);
}

// The logarithm of what is no positive finite number; otherwise y.
MTS_INLINE float mts_log_special_f32(float x, float y) {
    float outside = x == 0.0f ? -__builtin_inff() : __builtin_nanf("");
    y = x < __builtin_inff() ? y : x;
    return x > 0.0f ? y : outside;
}

MTS_INLINE double mts_log_special_f64(double x, double y) {
    double outside = x == 0.0 ? -__builtin_inf() : __builtin_nan("");
    y = x < __builtin_inf() ? y : x;
    return x > 0.0 ? y : outside;
}

// e log 2 + f - f f / 2 + rest, the small ones first.
MTS_INLINE float mts_log_sum_f32(float e, float f) {
    float small = mts_log_rest_f32(f) + e * -0x1.bd0106p-13f - 0.5f * f * f;
    return e * 0x1.63p-1f + (f + small);
}

MTS_INLINE double mts_log_sum_f64(double e, double f) {
    double small = mts_log_rest_f64(f) + e * 0x1.cf79abc9e3b3ap-40 - 0.5 * f * f;
    return e * 0x1.62e42fefap-1 + (f + small);
}

MTS_INLINE float mts_log_f32(float x) {
    float e, f = mts_split_f32(x, &e) - 1.0f;
    return mts_log_special_f32(x, mts_log_sum_f32(e, f));
}

MTS_INLINE double mts_log_f64(double x) {
    double e, f = mts_split_f64(x, &e) - 1.0;
    return mts_log_special_f64(x, mts_log_sum_f64(e, f));
}

// 1 / log 2 is 1 + 0.4427: f itself is exact, so what is rounded is smaller.
MTS_INLINE float mts_log2_f32(float x) {
    float e, f = mts_split_f32(x, &e) - 1.0f;
    float small = mts_log_rest_f32(f) - 0.5f * f * f;
    float y = small * 0.44269504f + f * 0.44269504f + small + f + e;
    return mts_log_special_f32(x, y);
}

MTS_INLINE double mts_log2_f64(double x) {
    double e, f = mts_split_f64(x, &e) - 1.0;
    double small = mts_log_rest_f64(f) - 0.5 * f * f;
    double y = small * 0.44269504088896341 + f * 0.44269504088896341 + small + f + e;
    return mts_log_special_f64(x, y);
}

// log10(2) and log10(e) in two parts, of which the first have few bits.
MTS_INLINE float mts_log10_f32(float x) {
    float e, f = mts_split_f32(x, &e) - 1.0f;
    float small = mts_log_rest_f32(f) - 0.5f * f * f;
    float y = (f + small) * 0x1.6f62a4p-11f + small * 0x1.bcp-2f + f * 0x1.bcp-2f;
    y = y + e * 0x1.04d428p-12f + e * 0x1.34p-2f;
    return mts_log_special_f32(x, y);
}

MTS_INLINE double mts_log10_f64(double x) {
    double e, f = mts_split_f64(x, &e) - 1.0;
    double small = mts_log_rest_f64(f) - 0.5 * f * f;
    double y = (f + small) * 0x1.6f62a4dca1c65p-11 + small * 0x1.bcp-2 + f * 0x1.bcp-2;
    y = y + e * -0x1.80433b83b532ap-44 + e * 0x1.34413509f8p-2;
    return mts_log_special_f64(x, y);
}

// log(u) with u = 1 + x, and what was lost in rounding u put back into f.
MTS_INLINE float mts_log1p_f32(float x) {
    float e, u = 1.0f + x;
    float lost = x > 1.0f ? 1.0f - (u - x) : x - (u - 1.0f);
    float m = mts_split_f32(u, &e);
    float y = mts_log_sum_f32(e, (m - 1.0f) + 0.5f * lost * mts_pow2_f32(1.0f - e));
    return mts_log_special_f32(u, __builtin_copysignf(y, x));
}

MTS_INLINE double mts_log1p_f64(double x) {
    double e, u = 1.0 + x;
    double lost = x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
    double m = mts_split_f64(u, &e);
    double y = mts_log_sum_f64(e, (m - 1.0) + 0.5 * lost * mts_pow2_f64(1.0 - e));
    return mts_log_special_f64(u, __builtin_copysign(y, x));
}

// In double, but near zero.
MTS_INLINE float mts_asinh_f32(float x) {
    double a = __builtin_fabsf(x);
    double y = mts_log_f64(a + __builtin_sqrt(a * a + 1.0));
    y = a < 0x1p-12 ? a - a * a * a * (1.0 / 6.0) : y;
    return __builtin_copysignf((float)y, x);
}

MTS_INLINE double mts_asinh_f64(double x) {
    double a = __builtin_fabs(x);
    int is_large = a > 0x1p28;
    double b = is_large ? 0.0 : a;
    double y = mts_log1p_f64(is_large ? a - 1.0 : b + b * b / (1.0 + __builtin_sqrt(b * b + 1.0)));
    return __builtin_copysign(is_large ? y + 0.69314718055994531 : y, x);
}

MTS_INLINE float mts_acosh_f32(float x) {
    double a = x;
    float y = (float)mts_log_f64(a + __builtin_sqrt((a - 1.0) * (a + 1.0)));
    return x < 1.0f ? __builtin_nanf("") : y;
}

MTS_INLINE double mts_acosh_f64(double x) {
    double t = x - 1.0;
    int is_large = x > 0x1p28;
    double y = mts_log1p_f64(is_large ? t : t + __builtin_sqrt(2.0 * t + t * t));
    y = is_large ? y + 0.69314718055994531 : y;
    return x < 1.0 ? __builtin_nan("") : y;
}

MTS_INLINE float mts_atanh_f32(float x) {
    double a = __builtin_fabsf(x);
    double y = 0.5 * mts_log_f64((1.0 + a) / (1.0 - a));
    y = a < 0x1p-10 ? a + a * a * a * (1.0 / 3.0) : y;
    return __builtin_copysignf((float)y, x);
}

MTS_INLINE double mts_atanh_f64(double x) {
    double a = __builtin_fabs(x);
    return __builtin_copysign(0.5 * mts_log1p_f64(2.0 * a / (1.0 - a)), x);
}
