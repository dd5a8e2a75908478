// The error function, and rare ones.

// A polynomial near zero, and 1 - exp(another one) beyond: both are worked out, one is chosen.
MTS_INLINE float mts_erf_f32(float x) {
    float a = __builtin_fabsf(x), z = x * x;
    float c = a > 4.0f ? 4.0f : a, s = c * c;
    float p = -1.72853470e-5f * c + 3.83197126e-4f;
    float u = -3.88396438e-3f * c + 2.42546219e-2f;
    p = p * s + u;
    p = p * c - 1.06777877e-1f;
    p = p * c - 6.34846687e-1f;
    p = p * c - 1.28717512e-1f;
    p = p * c - c;
    float n = mts_nearest_f32(p * 1.44269504f), power = mts_pow2_f32(n);
    float e = power * mts_expm1_polynomial_f32(mts_exp_rest_f32(p, n));
    float large = (1.0f - power) - e;
    float q = -5.96761703e-4f;
    q = q * z + 4.99119423e-3f;
    q = q * z - 2.67681349e-2f;
    q = q * z + 1.12819925e-1f;
    q = q * z - 3.76125336e-1f;
    q = q * z + 1.28379166e-1f;
    float small = q * a + a;
    return __builtin_copysignf(a > 0.927734375f ? large : small, x);
}

MTS_INLINE double mts_erf_f64(double x) {
    return __builtin_erf(x);
}

// exp(a a) erfc(a), which changes little, is a polynomial in (2 - a) / (2 + a).
MTS_INLINE float mts_erfc_f32(float x) {
    double a = __builtin_fabsf(x);
    a = a > 10.2 ? 10.2 : a;
    double t = (2.0 - a) / (2.0 + a);
    double p = -0x1.141cc3ff29952p-17;
    p = p * t + 0x1.85cc1f39cc8c4p-16;
    p = p * t + 0x1.8ce2ca7327f45p-16;
    p = p * t - 0x1.6638b7d326804p-13;
    p = p * t + 0x1.7931112ccbf9fp-15;
    p = p * t + 0x1.011181935b609p-10;
    p = p * t - 0x1.bc4d85d2e1712p-11;
    p = p * t - 0x1.ca91cdbf7bc48p-8;
    p = p * t + 0x1.e94842bea4af9p-9;
    p = p * t + 0x1.437f063249206p-4;
    p = p * t + 0x1.eeea7d89f34b2p-3;
    p = p * t + 0x1.b57034f752d9fp-2;
    p = p * t + 0x1.058671b5793f1p-2;
    double y = p * mts_exp_f64(-a * a);
    return (float)(x < 0.0f ? 2.0 - y : y);
}

MTS_INLINE double mts_erfc_f64(double x) {
    return __builtin_erfc(x);
}

MTS_INLINE float mts_lgamma_f32(float x) {
    return (float)__builtin_lgamma(x);
}

MTS_INLINE double mts_lgamma_f64(double x) {
    return __builtin_lgamma(x);
}
