// Trigonometric functions. `mts_sin`, `mts_cos` and `mts_tan` are right up to the limit that
// `mts_rare_sin` and its like test; what is beyond takes `mts_any_sin` and its like, which for double
// is the C library.

// x = n pi / 2 + r + rest with |r| <= pi / 4; the two lowest bits of the result are those of n.
// pi / 2 is subtracted in three parts. For the usual x the first difference is exact, and what the
// second one loses is kept.
MTS_INLINE int mts_quarter_f32(float x, float *r, float *rest) {
    float shifted = MTS_FMA(x, 0x1.45f306p-1f, 0x1.8p23f), n = shifted - 0x1.8p23f;
    float first = MTS_FMA(n, -0x1.921fb6p+0f, x);
    float second = n * -0x1.777a5cp-25f, lost = MTS_FMA(n, -0x1.777a5cp-25f, -second);
    *r = first - second;
    *rest = ((first - *r) - second) - MTS_FMA(n, -0x1.ee59dap-50f, lost);
    return mts_bits_f32(shifted);
}

MTS_INLINE long long mts_quarter_f64(double x, double *r, double *rest) {
    double shifted = MTS_FMA(x, 0x1.45f306dc9c883p-1, 0x1.8p52), n = shifted - 0x1.8p52;
    double first = MTS_FMA(n, -0x1.921fb54442d18p+0, x);
    double second = n * 0x1.1a62633145c07p-54, lost = MTS_FMA(n, 0x1.1a62633145c07p-54, -second);
    *r = first - second;
    *rest = ((first - *r) - second) - MTS_FMA(n, -0x1.f1976b7ed8fbcp-110, lost);
    return mts_bits_f64(shifted);
}

// sin(r + rest) and cos(r + rest) for |r| <= pi / 4 and a tiny rest
MTS_INLINE float mts_sin_polynomial_f32(float r, float rest) {
    float z = r * r;
    float p = -0x1.9956b6p-13f;
    p = MTS_FMA(p, z, 0x1.11077ep-7f);
    p = MTS_FMA(p, z, -0x1.555546p-3f);
    return r + MTS_FMA(p * z, r, rest);
}

MTS_INLINE double mts_sin_polynomial_f64(double r, double rest) {
    double z = r * r;
    double p = 0x1.5d93a3f405d3p-33;
    p = MTS_FMA(p, z, -0x1.ae5e689da2ec2p-26);
    p = MTS_FMA(p, z, 0x1.71de357b1ab23p-19);
    p = MTS_FMA(p, z, -0x1.a01a019c16192p-13);
    p = MTS_FMA(p, z, 0x1.111111110f8a6p-7);
    p = MTS_FMA(p, z, -0x1.5555555555549p-3);
    return r + MTS_FMA(p * z, r, rest);
}

// What 1 - z / 2 loses by being rounded is added again.
MTS_INLINE float mts_cos_polynomial_f32(float r, float rest) {
    float z = r * r, half = 0.5f * z, most = 1.0f - half;
    float p = 0x1.99e0eep-16f;
    p = MTS_FMA(p, z, -0x1.6c0c1ap-10f);
    p = MTS_FMA(p, z, 0x1.55554ap-5f);
    return most + (((1.0f - most) - half) + MTS_FMA(p * z, z, -(r * rest)));
}

MTS_INLINE double mts_cos_polynomial_f64(double r, double rest) {
    double z = r * r, half = 0.5 * z, most = 1.0 - half;
    double p = -0x1.8fb13148bf8bfp-37;
    p = MTS_FMA(p, z, 0x1.1ee9f15305f61p-29);
    p = MTS_FMA(p, z, -0x1.27e4f812b6e2ep-22);
    p = MTS_FMA(p, z, 0x1.a01a019cbf62ep-16);
    p = MTS_FMA(p, z, -0x1.6c16c16c1521fp-10);
    p = MTS_FMA(p, z, 0x1.555555555554cp-5);
    return most + (((1.0 - most) - half) + MTS_FMA(p * z, z, -(r * rest)));
}

// tan(r + rest) for |r| <= pi / 4; of double, `lost` is what it loses by being rounded.
MTS_INLINE float mts_tan_polynomial_f32(float r, float rest) {
    float z = r * r;
    float p = 0x1.231984p-8f;
    p = MTS_FMA(p, z, -0x1.8370c6p-15f);
    p = MTS_FMA(p, z, 0x1.66a9e0p-7f);
    p = MTS_FMA(p, z, 0x1.5bf930p-6f);
    p = MTS_FMA(p, z, 0x1.baee2ep-5f);
    p = MTS_FMA(p, z, 0x1.110d22p-3f);
    p = MTS_FMA(p, z, 0x1.555562p-2f);
    return r + MTS_FMA(p * z, r, MTS_FMA(rest, z, rest));
}

MTS_INLINE double mts_tan_polynomial_f64(double r, double rest, double *lost) {
    double z = r * r;
    double p = 0x1.60ee322661eb8p-16;
    p = MTS_FMA(p, z, -0x1.7eb3bee9df675p-15);
    p = MTS_FMA(p, z, 0x1.7d31b590f579fp-14);
    p = MTS_FMA(p, z, -0x1.d5d4e4f8d6094p-16);
    p = MTS_FMA(p, z, 0x1.20d1f75ae32cap-13);
    p = MTS_FMA(p, z, 0x1.d118834ad12d7p-13);
    p = MTS_FMA(p, z, 0x1.381906a52e9fp-11);
    p = MTS_FMA(p, z, 0x1.7d5791663d646p-10);
    p = MTS_FMA(p, z, 0x1.d6d987ab89fe2p-9);
    p = MTS_FMA(p, z, 0x1.226e0fe70d58cp-7);
    p = MTS_FMA(p, z, 0x1.664f49bff77a7p-6);
    p = MTS_FMA(p, z, 0x1.ba1ba1b3e5fc8p-5);
    p = MTS_FMA(p, z, 0x1.1111111118ec1p-3);
    p = MTS_FMA(p, z, 0x1.55555555554e6p-2);
    double more = MTS_FMA(p * z, r, MTS_FMA(rest, z, rest)), t = r + more;
    *lost = (r - t) + more;
    return t;
}

// sin, cos and tan of an angle in a quadrant: of n pi / 2 + r + rest.
MTS_INLINE float mts_sin_in_f32(int n, float r, float rest) {
    float s = mts_sin_polynomial_f32(r, rest), c = mts_cos_polynomial_f32(r, rest);
    float y = n & 1 ? c : s;
    return n & 2 ? -y : y;
}

MTS_INLINE double mts_sin_in_f64(long long n, double r, double rest) {
    double s = mts_sin_polynomial_f64(r, rest), c = mts_cos_polynomial_f64(r, rest);
    double y = n & 1 ? c : s;
    return n & 2 ? -y : y;
}

// A quarter turn further, the tangent is -1 over that.
MTS_INLINE float mts_tan_in_f32(int n, float r, float rest) {
    float t = mts_tan_polynomial_f32(r, rest);
    return (n & 1 ? -1.0f : t) / (n & 1 ? t : 1.0f);
}

// Here y = -1 / t is made better by what is left of 1 + y t.
MTS_INLINE double mts_tan_in_f64(long long n, double r, double rest) {
    double lost, t = mts_tan_polynomial_f64(r, rest, &lost);
    double y = -1.0 / t;
    double left = MTS_FMA(y, lost, MTS_FMA(y, t, 1.0));
    return n & 1 ? MTS_FMA(y, left, y) : t;
}

MTS_INLINE float mts_sin_f32(float x) {
    float r, rest;
    int n = mts_quarter_f32(x, &r, &rest);
    return x == 0 ? x : mts_sin_in_f32(n, r, rest);
}

MTS_INLINE int mts_rare_sin_f32(float x) {
    return !MTS_HAS_FMA || __builtin_fabsf(x) > 0x1p17f;
}

MTS_INLINE float mts_cos_f32(float x) {
    float r, rest;
    int n = mts_quarter_f32(x, &r, &rest);
    return mts_sin_in_f32(n + 1, r, rest);
}

MTS_INLINE int mts_rare_cos_f32(float x) {
    return !MTS_HAS_FMA || __builtin_fabsf(x) > 0x1p17f;
}

MTS_INLINE float mts_tan_f32(float x) {
    float r, rest;
    int n = mts_quarter_f32(x, &r, &rest);
    return x == 0 ? x : mts_tan_in_f32(n, r, rest);
}

MTS_INLINE int mts_rare_tan_f32(float x) {
    return !MTS_HAS_FMA || __builtin_fabsf(x) > 0x1p17f;
}

MTS_INLINE double mts_sin_f64(double x) {
    double r, rest;
    long long n = mts_quarter_f64(x, &r, &rest);
    return x == 0 ? x : mts_sin_in_f64(n, r, rest);
}

MTS_INLINE int mts_rare_sin_f64(double x) {
    return !MTS_HAS_FMA || __builtin_fabs(x) > 0x1p20;
}

MTS_INLINE double mts_cos_f64(double x) {
    double r, rest;
    long long n = mts_quarter_f64(x, &r, &rest);
    return mts_sin_in_f64(n + 1, r, rest);
}

MTS_INLINE int mts_rare_cos_f64(double x) {
    return !MTS_HAS_FMA || __builtin_fabs(x) > 0x1p20;
}

MTS_INLINE double mts_tan_f64(double x) {
    double r, rest;
    long long n = mts_quarter_f64(x, &r, &rest);
    return x == 0 ? x : mts_tan_in_f64(n, r, rest);
}

MTS_INLINE int mts_rare_tan_f64(double x) {
    return !MTS_HAS_FMA || __builtin_fabs(x) > 0x1p20;
}

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

// x = quadrant * pi / 2 + rest with |rest| <= pi / 4, for a float of any size. Up to 2 ** 40, pi / 2
// is subtracted in two parts.
MTS_INLINE float mts_any_quarter_f32(float x, float *rest, int *quadrant) {
    double a = x, n = mts_nearest_f64(a * 0x1.45f306dc9c883p-1);
    double r = __builtin_fma(-n, 0x1.921fb54442d18p+0, a);
    r = __builtin_fma(-n, 0x1.1a62633145c07p-54, r);
    double quarters = 4.0 * mts_turns_f64(a), m = mts_nearest_f64(quarters);
    int is_large = !(__builtin_fabs(a) < 0x1p40);
    n = is_large ? m : n;
    *quadrant = (int)mts_bits_f64(n + 0x1.8p52) & 3;
    r = is_large ? (quarters - m) * 0x1.921fb54442d18p+0 : r;
    *rest = (float)(r - (float)r);
    return (float)r;
}

MTS_INLINE float mts_any_sin_f32(float x) {
    int n;
    float rest, r = mts_any_quarter_f32(x, &rest, &n);
    return x == 0.0f ? x : mts_sin_in_f32(n, r, rest);
}

MTS_INLINE double mts_any_sin_f64(double x) {
    return __builtin_sin(x);
}

MTS_INLINE float mts_any_cos_f32(float x) {
    int n;
    float rest, r = mts_any_quarter_f32(x, &rest, &n);
    return mts_sin_in_f32(n + 1, r, rest);
}

MTS_INLINE double mts_any_cos_f64(double x) {
    return __builtin_cos(x);
}

MTS_INLINE float mts_any_tan_f32(float x) {
    int n;
    float rest, r = mts_any_quarter_f32(x, &rest, &n);
    return x == 0.0f ? x : mts_tan_in_f32(n, r, rest);
}

MTS_INLINE double mts_any_tan_f64(double x) {
    return __builtin_tan(x);
}
