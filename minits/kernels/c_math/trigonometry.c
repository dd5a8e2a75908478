// Trigonometric functions and their inverses. Those of double call the C library.

// x / (2 pi) without its whole part, for a large x, which is multiplied with 1 / (2 pi) in pieces of
// 28 bits: those products are exact, and the whole parts of each are left out.
MTS_INLINE double mts_turns_f64(double x) {
    double t0 = x * 0x1.45f306cp-3, t1 = x * 0x1.c9c882ap-31, t2 = x * 0x1.4fe13a8p-61;
    double t3 = x * 0x1.f47d4dp-88, t4 = x * 0x1.bb81b6cp-115, t5 = x * 0x1.4acc9ep-145;
    double t6 = x * 0x1.0e4107cp-172;
    t0 = t0 - __builtin_rint(t0) + (t1 - __builtin_rint(t1));
    t2 = t2 - __builtin_rint(t2) + (t3 - __builtin_rint(t3));
    t4 = t4 - __builtin_rint(t4) + (t5 - __builtin_rint(t5));
    return t0 + t2 + t4 + (t6 - __builtin_rint(t6));
}

// x = quadrant * pi / 2 + rest with |rest| <= pi / 4, for a float x of any size. Up to 2 ** 40, pi / 2
// is subtracted in two parts.
MTS_INLINE float mts_quarter_f32(float x, int *quadrant) {
    double a = x, n = mts_nearest_f64(a * 0x1.45f306dc9c883p-1);
    double r = __builtin_fma(-n, 0x1.921fb54442d18p+0, a);
    r = __builtin_fma(-n, 0x1.1a62633145c07p-54, r);
    double quarters = 4.0 * mts_turns_f64(a), m = mts_nearest_f64(quarters);
    int is_large = !(__builtin_fabs(a) < 0x1p40);
    n = is_large ? m : n;
    *quadrant = (int)mts_bits_f64(n + 0x1.8p52) & 3;
    return (float)(is_large ? (quarters - m) * 0x1.921fb54442d18p+0 : r);
}

// sin(r) and cos(r) for |r| <= pi / 4
MTS_INLINE float mts_sin_polynomial_f32(float r) {
    float z = r * r;
    float p = -0x1.9956b6p-13f;
    p = MTS_FMA(p, z, 0x1.11077ep-7f);
    p = MTS_FMA(p, z, -0x1.555546p-3f);
    return p * z * r + r;
}

MTS_INLINE float mts_cos_polynomial_f32(float r) {
    float z = r * r;
    float p = 0x1.99e0eep-16f;
    p = MTS_FMA(p, z, -0x1.6c0c1ap-10f);
    p = MTS_FMA(p, z, 0x1.55554ap-5f);
    return p * z * z - 0.5f * z + 1.0f;
}

MTS_INLINE float mts_sin_f32(float x) {
    int quadrant;
    float r = mts_quarter_f32(x, &quadrant);
    float y = quadrant & 1 ? mts_cos_polynomial_f32(r) : mts_sin_polynomial_f32(r);
    y = quadrant & 2 ? -y : y;
    return x == 0.0f ? x : y;
}

MTS_INLINE float mts_cos_f32(float x) {
    int quadrant;
    float r = mts_quarter_f32(x, &quadrant);
    float y = quadrant & 1 ? mts_sin_polynomial_f32(r) : mts_cos_polynomial_f32(r);
    return (quadrant + 1) & 2 ? -y : y;
}

MTS_INLINE float mts_tan_f32(float x) {
    int quadrant;
    float r = mts_quarter_f32(x, &quadrant);
    float s = mts_sin_polynomial_f32(r), c = mts_cos_polynomial_f32(r);
    float y = quadrant & 1 ? -c / s : s / c;
    return x == 0.0f ? x : y;
}

MTS_INLINE double mts_sin_f64(double x) {
    return __builtin_sin(x);
}

MTS_INLINE double mts_cos_f64(double x) {
    return __builtin_cos(x);
}

MTS_INLINE double mts_tan_f64(double x) {
    return __builtin_tan(x);
}

// Above 1/2, asin(x) = pi / 2 - 2 asin(sqrt((1 - x) / 2)). Gives asin of what is left to do.
MTS_INLINE float mts_asin_small_f32(float a) {
    float z = a > 0.5f ? 0.5f * (1.0f - a) : a * a;
    float s = a > 0.5f ? __builtin_sqrtf(z) : a;
    float p = 0x1.59cc92p-5f;
    p = MTS_FMA(p, z, 0x1.8bb536p-6f);
    p = MTS_FMA(p, z, 0x1.748a2cp-5f);
    p = MTS_FMA(p, z, 0x1.33016ap-4f);
    p = MTS_FMA(p, z, 0x1.5555cap-3f);
    return p * z * s + s;
}

MTS_INLINE float mts_asin_f32(float x) {
    float a = __builtin_fabsf(x), y = mts_asin_small_f32(a);
    y = a > 0.5f ? 1.57079637f - (2.0f * y + 4.37113883e-8f) : y;
    return __builtin_copysignf(y, x);
}

MTS_INLINE float mts_acos_f32(float x) {
    float a = __builtin_fabsf(x), y = mts_asin_small_f32(a);
    float middle = 1.57079637f - (__builtin_copysignf(y, x) + 4.37113883e-8f);
    float end = x > 0.0f ? 2.0f * y : 3.14159274f - (2.0f * y + 8.74227766e-8f);
    return a > 0.5f ? end : middle;
}

MTS_INLINE double mts_asin_f64(double x) {
    return __builtin_asin(x);
}

MTS_INLINE double mts_acos_f64(double x) {
    return __builtin_acos(x);
}

// Above 1, atan(x) = pi / 2 - atan(1 / x).
MTS_INLINE float mts_atan_f32(float x) {
    float a = __builtin_fabsf(x);
    float t = a > 1.0f ? 1.0f / a : a;
    float z = t * t;
    float p = -0x1.dcbf92p-10f;
    p = MTS_FMA(p, z, 0x1.6963d0p-7f);
    p = MTS_FMA(p, z, -0x1.012e52p-5f);
    p = MTS_FMA(p, z, 0x1.dc97d6p-5f);
    p = MTS_FMA(p, z, -0x1.58bcecp-4f);
    p = MTS_FMA(p, z, 0x1.c0c8e0p-4f);
    p = MTS_FMA(p, z, -0x1.24262ap-3f);
    p = MTS_FMA(p, z, 0x1.999266p-3f);
    p = MTS_FMA(p, z, -0x1.555540p-2f);
    float y = p * z * t + t;
    y = a > 1.0f ? 1.57079637f - (y + 4.37113883e-8f) : y;
    return __builtin_copysignf(y, x);
}

// atan(t) for 0 <= t <= 1, to about 34 bits
MTS_INLINE double mts_atan_for_atan2(double t) {
    double z = t * t;
    double p = 0x1.36ecfc48d188bp-11;
    p = MTS_FMA(p, z, -0x1.14abab0185470p-8);
    p = MTS_FMA(p, z, 0x1.cd243cc325c05p-7);
    p = MTS_FMA(p, z, -0x1.ea18af61c3e87p-6);
    p = MTS_FMA(p, z, 0x1.837061ab40426p-5);
    p = MTS_FMA(p, z, -0x1.ffb2b9595f5b2p-5);
    p = MTS_FMA(p, z, 0x1.36bfd2210f14ap-4);
    p = MTS_FMA(p, z, -0x1.73a719b0b93d9p-4);
    p = MTS_FMA(p, z, 0x1.c70a6be6d4163p-4);
    p = MTS_FMA(p, z, -0x1.2491d128f2977p-3);
    p = MTS_FMA(p, z, 0x1.9999971f594e7p-3);
    p = MTS_FMA(p, z, -0x1.555555543c557p-2);
    return p * z * t + t;
}

// The angle of (x, y), worked out in the eighth of the plane where it is smallest.
MTS_INLINE float mts_atan2_f32(float y, float x) {
    double a = __builtin_fabsf(y), b = __builtin_fabsf(x);
    double smaller = a < b ? a : b, larger = a < b ? b : a;
    double t = smaller / (larger > 0.0 ? larger : 1.0);
    t = smaller == __builtin_inf() ? 1.0 : t;
    double angle = mts_atan_for_atan2(t);
    angle = a > b ? 1.5707963267948966 - angle : angle;
    angle = __builtin_copysignf(1.0f, x) < 0.0f ? 3.1415926535897931 - angle : angle;
    return x != x || y != y ? x + y : __builtin_copysignf((float)angle, y);
}

MTS_INLINE double mts_atan_f64(double x) {
    return __builtin_atan(x);
}

MTS_INLINE double mts_atan2_f64(double y, double x) {
    return __builtin_atan2(y, x);
}
