// Inverse trigonometric functions.

// Above 1/2, asin(a) = pi / 2 - 2 asin(sqrt((1 - a) / 2)): gives the root, or else a, and what is to
// be added for its arcsine. What the root has lost by rounding is (z - s s) / (2 s), for which a
// rough inverse does: the bits of s subtracted from a constant.
MTS_INLINE float mts_asin_parts_f32(float a, float *more) {
    float z = a > 0.5f ? 0.5f * (1.0f - a) : a * a;
    float s = a > 0.5f ? __builtin_sqrtf(z) : a;
    float inverse = mts_from_bits_f32(0x7e7311c7 - mts_bits_f32(s));
    float lost = a > 0.5f ? MTS_FMA(-s, s, z) * inverse : 0.0f;
    float p = 0x1.59cc92p-5f;
    p = MTS_FMA(p, z, 0x1.8bb536p-6f);
    p = MTS_FMA(p, z, 0x1.748a2cp-5f);
    p = MTS_FMA(p, z, 0x1.33016ap-4f);
    p = MTS_FMA(p, z, 0x1.5555cap-3f);
    *more = MTS_FMA(p * z, s, lost);
    return s;
}

// whole + part + more, where the whole is the larger one, or 0.
MTS_INLINE float mts_asin_sum_f32(float whole, float part, float more) {
    float sum = whole + part;
    return sum + (((whole - sum) + part) + more);
}

MTS_INLINE float mts_asin_f32(float x) {
    float a = __builtin_fabsf(x), more, s = mts_asin_parts_f32(a, &more);
    float far = mts_asin_sum_f32(0x1.921fb6p+0f, -2.0f * s, MTS_FMA(-2.0f, more, -0x1.777a5cp-25f));
    return __builtin_copysignf(a > 0.5f ? far : s + more, x);
}

MTS_INLINE float mts_acos_f32(float x) {
    float a = __builtin_fabsf(x), more, s = mts_asin_parts_f32(a, &more);
    int is_far = a > 0.5f, is_right = x > 0.0f;
    float whole = is_far ? (is_right ? 0.0f : 0x1.921fb6p+1f) : 0x1.921fb6p+0f;
    float rest = is_far ? (is_right ? 0.0f : -0x1.777a5cp-24f) : -0x1.777a5cp-25f;
    float by = is_far ? 2.0f : 1.0f;
    by = is_far == is_right ? by : -by;
    return mts_asin_sum_f32(whole, by * s, MTS_FMA(by, more, rest));
}

// Above 1/2, asin(a) = pi / 2 - 2 asin(sqrt((1 - a) / 2)): gives the root, or else a, and what is to
// be added for its arcsine. What the root has lost by rounding is (z - s s) / (2 s), for which a
// rough inverse does: the bits of s subtracted from a constant.
MTS_INLINE double mts_asin_parts_f64(double a, double *more) {
    double z = a > 0.5 ? 0.5 * (1.0 - a) : a * a;
    double s = a > 0.5 ? __builtin_sqrt(z) : a;
    double inverse = mts_from_bits_f64(0x7fce623822fc16e6 - mts_bits_f64(s));
    double lost = a > 0.5 ? MTS_FMA(-s, s, z) * inverse : 0.0;
    double p = 0x1.0bbbce8e9e4b6p-5;
    p = MTS_FMA(p, z, -0x1.597b62a000161p-6);
    p = MTS_FMA(p, z, 0x1.64b007df25274p-6);
    p = MTS_FMA(p, z, 0x1.e2570c2c2b2f8p-9);
    p = MTS_FMA(p, z, 0x1.617b55ad04b0ap-7);
    p = MTS_FMA(p, z, 0x1.757a0cc9ab5dbp-7);
    p = MTS_FMA(p, z, 0x1.ca20feb2ecd67p-7);
    p = MTS_FMA(p, z, 0x1.1c49e081ec763p-6);
    p = MTS_FMA(p, z, 0x1.6e8bdfc96f4f6p-6);
    p = MTS_FMA(p, z, 0x1.f1c71a8c62153p-6);
    p = MTS_FMA(p, z, 0x1.6db6db722a229p-5);
    p = MTS_FMA(p, z, 0x1.333333332df1fp-4);
    p = MTS_FMA(p, z, 0x1.5555555555578p-3);
    *more = MTS_FMA(p * z, s, lost);
    return s;
}

// whole + part + more, where the whole is the larger one, or 0.
MTS_INLINE double mts_asin_sum_f64(double whole, double part, double more) {
    double sum = whole + part;
    return sum + (((whole - sum) + part) + more);
}

MTS_INLINE double mts_asin_f64(double x) {
    double a = __builtin_fabs(x), more, s = mts_asin_parts_f64(a, &more);
    double far = mts_asin_sum_f64(0x1.921fb54442d18p+0, -2.0 * s, MTS_FMA(-2.0, more, 0x1.1a62633145c07p-54));
    return __builtin_copysign(a > 0.5 ? far : s + more, x);
}

MTS_INLINE double mts_acos_f64(double x) {
    double a = __builtin_fabs(x), more, s = mts_asin_parts_f64(a, &more);
    int is_far = a > 0.5, is_right = x > 0.0;
    double whole = is_far ? (is_right ? 0.0 : 0x1.921fb54442d18p+1) : 0x1.921fb54442d18p+0;
    double rest = is_far ? (is_right ? 0.0 : 0x1.1a62633145c07p-53) : 0x1.1a62633145c07p-54;
    double by = is_far ? 2.0 : 1.0;
    by = is_far == is_right ? by : -by;
    return mts_asin_sum_f64(whole, by * s, MTS_FMA(by, more, rest));
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

// eighths * pi / 4 + sign * atan(t) for 0 <= |t| <= tan(pi / 8). pi / 4 has fewer bits here, so that
// multiples of it are exact.
MTS_INLINE double mts_atan_sum(double eighths, double sign, double t) {
    double z = t * t, s = sign * t;
    double p = 0x1.e80387645baf8p-7;
    p = MTS_FMA(p, z, -0x1.0fc37b024d29p-5);
    p = MTS_FMA(p, z, 0x1.6fdd6e57887c3p-5);
    p = MTS_FMA(p, z, -0x1.ab3a2b45933b2p-5);
    p = MTS_FMA(p, z, 0x1.e1677811d1b8p-5);
    p = MTS_FMA(p, z, -0x1.110be845ef2e3p-4);
    p = MTS_FMA(p, z, 0x1.3b1364be630ddp-4);
    p = MTS_FMA(p, z, -0x1.745d144e63775p-4);
    p = MTS_FMA(p, z, 0x1.c71c71b44e148p-4);
    p = MTS_FMA(p, z, -0x1.249249246f496p-3);
    p = MTS_FMA(p, z, 0x1.9999999999583p-3);
    p = MTS_FMA(p, z, -0x1.5555555555554p-2);
    double rest = MTS_FMA(p * z, s, eighths * 0x1.8469898cc517p-49);
    return eighths * 0x1.921fb54442dp-1 + (s + rest);
}

// Above tan(pi / 8), atan(x) = pi / 4 + atan((x - 1) / (x + 1)), and above tan(3 pi / 8) it is
// pi / 2 + atan(-1 / x).
MTS_INLINE double mts_atan_f64(double x) {
    double a = __builtin_fabs(x);
    double over = a > 2.414213562373095 ? -1.0 : a > 0.41421356237309503 ? a - 1.0 : a;
    double under = a > 2.414213562373095 ? a : a > 0.41421356237309503 ? a + 1.0 : 1.0;
    double eighths = a > 2.414213562373095 ? 2.0 : a > 0.41421356237309503 ? 1.0 : 0.0;
    double y = mts_atan_sum(eighths, 1.0, over / under);
    return x == 0.0 ? x : __builtin_copysign(y, x);
}

// The angle of (x, y), worked out in the eighth of the plane where it is smallest.
MTS_INLINE double mts_atan2_f64(double y, double x) {
    double a = __builtin_fabs(y), b = __builtin_fabs(x), inf = __builtin_inf();
    double larger = a > b ? a : b, smaller = a > b ? b : a;
    double scale = larger > 0x1p1000 ? 0x1p-4 : 1.0;
    smaller *= scale;
    larger *= scale;
    int is_middle = smaller > larger * 0.41421356237309503;
    double over = is_middle ? smaller - larger : smaller;
    double under = is_middle ? smaller + larger : larger;
    is_middle = smaller == inf ? 1 : is_middle;
    over = smaller == inf ? 0.0 : over;
    under = larger > 0.0 ? under : 1.0;
    double eighths = is_middle ? 1.0 : 0.0, sign = 1.0;
    eighths = a > b ? 2.0 - eighths : eighths;
    sign = a > b ? -sign : sign;
    int is_left = __builtin_copysign(1.0, x) < 0.0;
    eighths = is_left ? 4.0 - eighths : eighths;
    sign = is_left ? -sign : sign;
    double angle = mts_atan_sum(eighths, sign, over / under);
    return x != x || y != y ? x + y : __builtin_copysign(angle, y);
}
