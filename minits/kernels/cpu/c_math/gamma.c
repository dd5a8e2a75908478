// The gamma function's logarithm, its derivatives, and the zeta function that they are made of.

// log(gamma(x)) of a positive x. Below 8, it is brought near 2 by gamma(x + 1) = x gamma(x): it is
// s p(s) + log(w (w + 1) ...) with w = s + 2 near 2, or s p(s) - log(x), or s p(s) - log(x (x + 1)).
// Beyond 8 it is Stirling's series.

// log(gamma(2 + s)) / s
MTS_INLINE double mts_lgamma_near_two(double s) {
    double p = 0x1.5e62dbb431daap-21;
    p = MTS_FMA(p, s, -0x1.0c824924e7aefp-22);
    p = MTS_FMA(p, s, 0x1.80ddb6cfe3185p-21);
    p = MTS_FMA(p, s, -0x1.284cab2518b8ap-19);
    p = MTS_FMA(p, s, 0x1.28ad4ee2b7cep-18);
    p = MTS_FMA(p, s, -0x1.3b0af9792747ep-17);
    p = MTS_FMA(p, s, 0x1.58029e67b97cdp-16);
    p = MTS_FMA(p, s, -0x1.78eeddce47d8fp-15);
    p = MTS_FMA(p, s, 0x1.a1276524cbde3p-14);
    p = MTS_FMA(p, s, -0x1.d3fcf39737af5p-13);
    p = MTS_FMA(p, s, 0x1.0b36b11caefe9p-11);
    p = MTS_FMA(p, s, -0x1.38ac5caec337bp-10);
    p = MTS_FMA(p, s, 0x1.7add6ea896bf1p-9);
    p = MTS_FMA(p, s, -0x1.e404fc20cfcfcp-8);
    p = MTS_FMA(p, s, 0x1.51322ac7db6cp-6);
    p = MTS_FMA(p, s, -0x1.13e001a5577bap-4);
    p = MTS_FMA(p, s, 0x1.4a34cc4a60fa2p-2);
    p = MTS_FMA(p, s, 0x1.b0ee6072093cep-2);
    return p;
}

// x (log(gamma(x)) - (x - 1/2) (log(x) - 1) - (log(2 pi) - 1) / 2), of 1 / x.
MTS_INLINE double mts_lgamma_series(double r) {
    double z = r * r;
    double p = 0x1.45fb0588415e7p-8;
    p = MTS_FMA(p, z, -0x1.ee57705149c9cp-10);
    p = MTS_FMA(p, z, 0x1.b92034ebbe6a3p-11);
    p = MTS_FMA(p, z, -0x1.381330c92c401p-11);
    p = MTS_FMA(p, z, 0x1.a01a015cd472cp-11);
    p = MTS_FMA(p, z, -0x1.6c16c16c1088cp-9);
    p = MTS_FMA(p, z, 0x1.5555555555555p-4);
    return p;
}

// All logarithms are one, which is taken apart: near 1, that of x is x - 1 and little more, and what
// s p(s) - (x - 1) loses is nothing.
MTS_INLINE double mts_lgamma_positive_f64(double x) {
    int is_tiny = x < 0x1.a827999fcef34p-2, is_small = x < 0x1.6a09e667f3bcdp+0, is_large = x >= 8.0;
    double w = is_large ? 2.0 : x, factors = is_tiny ? x * (x + 1.0) : 1.0;
    factors = (is_small & !is_tiny) | is_large ? x : factors;
    int three = w >= 0x1.1a827999fcef3p+2;
    factors = three ? (w - 1.0) * (w - 2.0) * (w - 3.0) : factors;
    w = three ? w - 3.0 : w;
    int two = w >= 0x1.b504f333f9de6p+1;
    factors = two ? factors * ((w - 1.0) * (w - 2.0)) : factors;
    w = two ? w - 2.0 : w;
    int one = w >= 0x1.3504f333f9de6p+1;
    factors = one ? factors * (w - 1.0) : factors;
    w = one ? w - 1.0 : w;
    double s = is_tiny ? x : is_small ? x - 1.0 : w - 2.0;
    double near = s * mts_lgamma_near_two(s > 0.5 ? 0.5 : s);
    double e, f = mts_split_f64(factors, &e) - 1.0;
    double small = mts_log_rest_f64(f) + e * 0x1.cf79abc9e3b3ap-40 - 0.5 * f * f;
    double much = e * 0x1.62e42fefap-1;
    double below = (near - f) - small - much, above = much + (f + small) + near;
    double r = 1.0 / x, rest = 0x1.acfe390c97d69p-2 + r * mts_lgamma_series(r);
    double beyond = (x - 0.5) * (much + (f + small) - 1.0) + rest;
    double y = is_small ? below : above;
    return is_large ? beyond : y;
}

// sin(pi r) / pi for |r| <= 1/2
MTS_INLINE double mts_sin_of_turns_f64(double r) {
    double z = r * r;
    double p = -0x1.5ec47745023aep-28;
    p = MTS_FMA(p, z, 0x1.0d41116f99bf1p-22);
    p = MTS_FMA(p, z, -0x1.d411dd08f5522p-18);
    p = MTS_FMA(p, z, 0x1.3746f4558664p-13);
    p = MTS_FMA(p, z, -0x1.33816a4c184bfp-9);
    p = MTS_FMA(p, z, 0x1.ac6805ce429f9p-6);
    p = MTS_FMA(p, z, -0x1.86a8e4720c447p-3);
    p = MTS_FMA(p, z, 0x1.9f9cb402bc44ap-1);
    p = MTS_FMA(p, z, -0x1.a51a6625307d3p0);
    return MTS_FMA(p * z, r, r);
}

// Below zero by reflection. Near the zeros there, where both parts cancel, the error is up to 1.2e-15,
// and eager's 2e-16.
MTS_INLINE double mts_lgamma_f64(double x) {
    double a = __builtin_fabs(x), y = mts_lgamma_positive_f64(a);
    double sine = a * __builtin_fabs(mts_sin_of_turns_f64(x - __builtin_rint(x)));
    double e, f = mts_split_normal_f64(sine, &e) - 1.0;
    y = x < 0.0 ? -mts_log_sum_f64(e, f) - y : y;
    return (sine == 0.0) & (x < 0.0) ? __builtin_inf() : y;
}

MTS_INLINE int mts_rare_lgamma_f64(double x) {
    double a = __builtin_fabs(x);
    return !(a >= 0x1p-500 && a <= 0x1p1000);
}

MTS_INLINE double mts_any_lgamma_f64(double x) {
    return __builtin_lgamma(x);
}

// In double: what cancels near the zeros below zero is nothing to a float.
MTS_INLINE float mts_lgamma_f32(float x) {
    double y = mts_lgamma_f64(x);
    return (x == 0.0f) | (__builtin_fabsf(x) == __builtin_inff()) ? __builtin_inff() : (float)y;
}

MTS_INLINE int mts_rare_lgamma_f32(float x) {
    return 0;
}

MTS_INLINE float mts_any_lgamma_f32(float x) {
    return mts_lgamma_f32(x);
}

// The logarithmic derivative of the gamma function: a series from 10 on, below zero by reflection.
// Below 10 by recurrence, two steps at once, where 1 / a + 1 / (a + 1) + ... is the fraction
// over / under.
MTS_INLINE double mts_digamma_f64(double x) {
    double a = x < 0.0 ? 1.0 - x : x, over = 0.0, under = 1.0;
    for (int i = 0; i < 5; i++) {
        int is_below = a < 10.0;
        double both = MTS_FMA(a, a, a), sum = MTS_FMA(over, both, under * (2.0 * a + 1.0));
        over = is_below ? sum : over;
        under = is_below ? under * both : under;
        a = is_below ? a + 2.0 : a;
    }
    double z = 1.0 / (a * a);
    double p = 8.33333333333333333333e-2;
    p = MTS_FMA(p, z, -2.10927960927960927961e-2);
    p = MTS_FMA(p, z, 7.57575757575757575758e-3);
    p = MTS_FMA(p, z, -4.16666666666666666667e-3);
    p = MTS_FMA(p, z, 3.96825396825396825397e-3);
    p = MTS_FMA(p, z, -8.33333333333333333333e-3);
    p = MTS_FMA(p, z, 8.33333333333333333333e-2);
    double y = mts_log_f64(a) - over / under - 0.5 / a - p * z;
    double part = x - __builtin_trunc(x), angle = 3.14159265358979323846 * part;
    double slope = MTS_HAS_FMA ? mts_tan_f64(angle) : __builtin_tan(angle);
    y = x < 0.0 ? y - 3.14159265358979323846 / slope : y;
    y = x < 0.0 && part == 0.0 ? __builtin_nan("") : y;
    y = x == -__builtin_inf() ? __builtin_nan("") : y;
    return x == 0.0 ? __builtin_copysign(__builtin_inf(), -x) : y;
}

MTS_INLINE float mts_digamma_f32(float x) {
    return (float)mts_digamma_f64(x);
}

// q ** -x: by squaring, where x is a small whole number.
MTS_INLINE double mts_zeta_term(double q, double x) {
    if (x > 32.0 || x != __builtin_trunc(x)) {
        return __builtin_pow(q, -x);
    }
    double power = 1.0;
    for (int n = (int)x; n; n >>= 1, q *= q) {
        power *= n & 1 ? q : 1.0;
    }
    return 1.0 / power;
}

// What follows the terms of zeta up to that of q, by Euler and Maclaurin: derivatives of q ** -x,
// times Bernoulli's numbers over factorials.
MTS_INLINE double mts_zeta_rest(double x, double q, double term, int count) {
    const double scales[] = {
        1 / 12.0, -1 / 720.0, 1 / 30240.0, -1 / 1209600.0, 1 / 47900160.0,
        -1 / 1.8924375803183791606e9, 1 / 7.47242496e10, -1 / 2.950130727918164224e12,
        1 / 1.1646782814350067249e14, -1 / 4.5979787224074726105e15,
        1 / 1.8152105401943546773e17, -1 / 7.1661652561756670113e18,
    };
    double sum = term * q / (x - 1.0) - 0.5 * term, step = 1.0 / q, power = term * step * x;
    for (int k = 0; k < count; k++) {
        sum += power * scales[k];
        power *= (x + 2 * k + 1) * step * ((x + 2 * k + 2) * step);
    }
    return sum;
}

// sum((q + k) ** -x) for k from 0 on. It ends where terms are less than `least` of the sum.
MTS_CONST double mts_zeta(double x, double q, double least, int count) {
    int is_pole = q <= 0.0 && q == __builtin_floor(q);
    if (x == 1.0 || is_pole && !(x < 1.0)) {
        return __builtin_inf();
    }
    if (x != x || q != q || x < 1.0 || q <= 0.0 && x != __builtin_floor(x)) {
        return __builtin_nan("");
    }
    double term = mts_zeta_term(q, x), sum = term;
    for (int k = 0; k < 9 || q <= 9.0; k++) {
        q += 1.0;
        term = mts_zeta_term(q, x);
        sum += term;
        if (__builtin_fabs(term) < least * __builtin_fabs(sum)) {
            return sum;
        }
    }
    return sum + mts_zeta_rest(x, q, term, count);
}

MTS_INLINE double mts_zeta_f64(double x, double q) {
    return mts_zeta(x, q, 1.1102230246251565e-16, 12);
}

MTS_INLINE float mts_zeta_f32(float x, float q) {
    return (float)mts_zeta(x, q, 1e-11, 5);
}
