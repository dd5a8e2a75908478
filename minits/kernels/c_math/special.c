// The error function, and rare ones.

// A polynomial near zero, and 1 - exp(another one) beyond: both are worked out, one is chosen.
MTS_INLINE float mts_erf_f32(float x) {
    MTS_HIDDEN float high = 4.0f;
    float a = __builtin_fabsf(x), z = x * x;
    float c = a > high ? high : a, s = c * c;
    float p = MTS_FMA(-0x1.693986p-17f, c, 0x1.4d8692p-12f);
    float u = MTS_FMA(-0x1.dade60p-9f, c, 0x1.84a1e8p-6f);
    p = MTS_FMA(p, s, u);
    p = MTS_FMA(p, c, -0x1.b2f1d2p-4f);
    p = MTS_FMA(p, c, -0x1.453682p-1f);
    p = MTS_FMA(p, c, -0x1.0774eap-3f);
    p = MTS_FMA(p, c, -c);
    float n = mts_nearest_f32(p * 1.44269504f), power = mts_pow2_f32(n);
    float e = power * mts_expm1_polynomial_f32(mts_exp_rest_f32(p, n));
    float large = (1.0f - power) - e;
    float q = -0x1.3c3f72p-11f;
    q = MTS_FMA(q, z, 0x1.47b18ep-8f);
    q = MTS_FMA(q, z, -0x1.b69cf4p-6f);
    q = MTS_FMA(q, z, 0x1.ce1b88p-4f);
    q = MTS_FMA(q, z, -0x1.8126ecp-2f);
    q = MTS_FMA(q, z, 0x1.06eba6p-3f);
    float small = MTS_FMA(q, a, a);
    return __builtin_copysignf(a > 0.9f ? large : small, x);
}

MTS_INLINE double mts_erf_f64(double x) {
    return __builtin_erf(x);
}

// exp(a a) erfc(a), which changes little, is a polynomial in (2 - a) / (2 + a), for a up to 10.2.
MTS_INLINE double mts_erfcx_near(double a) {
    double t = (2.0 - a) / (2.0 + a);
    double p = -0x1.141cc3ff29952p-17;
    p = MTS_FMA(p, t, 0x1.85cc1f39cc8c4p-16);
    p = MTS_FMA(p, t, 0x1.8ce2ca7327f45p-16);
    p = MTS_FMA(p, t, -0x1.6638b7d326804p-13);
    p = MTS_FMA(p, t, 0x1.7931112ccbf9fp-15);
    p = MTS_FMA(p, t, 0x1.011181935b609p-10);
    p = MTS_FMA(p, t, -0x1.bc4d85d2e1712p-11);
    p = MTS_FMA(p, t, -0x1.ca91cdbf7bc48p-8);
    p = MTS_FMA(p, t, 0x1.e94842bea4af9p-9);
    p = MTS_FMA(p, t, 0x1.437f063249206p-4);
    p = MTS_FMA(p, t, 0x1.eeea7d89f34b2p-3);
    p = MTS_FMA(p, t, 0x1.b57034f752d9fp-2);
    p = MTS_FMA(p, t, 0x1.058671b5793f1p-2);
    return p;
}

MTS_INLINE float mts_erfc_f32(float x) {
    double a = __builtin_fabsf(x);
    a = a > 10.2 ? 10.2 : a;
    double y = mts_erfcx_near(a) * mts_exp_f64(-a * a);
    return (float)(x < 0.0f ? 2.0 - y : y);
}

MTS_INLINE double mts_erfc_f64(double x) {
    return __builtin_erfc(x);
}

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
MTS_INLINE double mts_lgamma_f64(double x) {
    int is_tiny = x < 0x1.a827999fcef34p-2, is_small = x < 0x1.6a09e667f3bcdp+0, is_large = x >= 8.0;
    double w = x, factors = is_tiny ? x * (x + 1.0) : 1.0;
    factors = (is_small & !is_tiny) | is_large ? x : factors;
    for (int step = 0; step < 6; step++) {
        int is_above = !is_large & (w >= 0x1.3504f333f9de6p+1);
        w = is_above ? w - 1.0 : w;
        factors = is_above ? factors * w : factors;
    }
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

MTS_INLINE int mts_rare_lgamma_f64(double x) {
    return !(x >= 0x1p-1000 && x <= 0x1p1000);
}

MTS_INLINE double mts_any_lgamma_f64(double x) {
    return __builtin_lgamma(x);
}

MTS_INLINE float mts_lgamma_f32(float x) {
    return (float)mts_lgamma_f64((double)x);
}

MTS_INLINE int mts_rare_lgamma_f32(float x) {
    return !(x > 0.0f && x < __builtin_inff());
}

MTS_INLINE float mts_any_lgamma_f32(float x) {
    return (float)__builtin_lgamma(x);
}

// Where to begin to look for erfinv(x), to about 27 bits: a polynomial in w = -log(1 - x x), or, far
// out, in its root.
MTS_INLINE double mts_erfinv_start(double x) {
    double w = -mts_log_f64((1.0 - x) * (1.0 + x));
    double t = w * 0.4 - 1.0, u = (__builtin_sqrt(w) - 4.2) * 0.5;
    double p = 2.943653372407573e-06;
    p = MTS_FMA(p, t, 4.139544299940102e-06);
    p = MTS_FMA(p, t, -4.143433102262246e-05);
    p = MTS_FMA(p, t, 2.5182562318746536e-05);
    p = MTS_FMA(p, t, 0.0002921690115087194);
    p = MTS_FMA(p, t, -0.0008364907738609052);
    p = MTS_FMA(p, t, -0.00048789063575624566);
    p = MTS_FMA(p, t, 0.008525942391231351);
    p = MTS_FMA(p, t, -0.01957356183368391);
    p = MTS_FMA(p, t, -0.026108281752861017);
    p = MTS_FMA(p, t, 0.6166006918714606);
    p = MTS_FMA(p, t, 1.5014093517481764);
    double q = 0.0003457180853082468;
    q = MTS_FMA(q, u, -0.00037243215216874664);
    q = MTS_FMA(q, u, -0.001337282864182779);
    q = MTS_FMA(q, u, 0.0020231264874337154);
    q = MTS_FMA(q, u, 0.0007547269087100885);
    q = MTS_FMA(q, u, -0.0026106347560565703);
    q = MTS_FMA(q, u, 0.0016297814179982411);
    q = MTS_FMA(q, u, -0.001319008235605681);
    q = MTS_FMA(q, u, 0.0019530331525875852);
    q = MTS_FMA(q, u, -0.0018597649269582808);
    q = MTS_FMA(q, u, 0.0016563646783668727);
    q = MTS_FMA(q, u, -0.0022571105833350097);
    q = MTS_FMA(q, u, 0.00366691693469268);
    q = MTS_FMA(q, u, -0.005218364033395763);
    q = MTS_FMA(q, u, 0.003228788177872426);
    q = MTS_FMA(q, u, 2.0198047190835777);
    q = MTS_FMA(q, u, 4.041726369018339);
    return x * (w > 5.0 ? q : p);
}

MTS_INLINE float mts_erfinv_f32(float x) {
    float y = (float)mts_erfinv_start(x);
    return __builtin_fabsf(x) == 1.0f ? x * __builtin_inff() : y;
}

// One step of Newton's from there, with what is left to 1 where erf is close to it.
MTS_INLINE double mts_erfinv_f64(double x) {
    double a = __builtin_fabs(x), y = mts_erfinv_start(a);
    double wrong = a < 0.5 ? __builtin_erf(y) - a : (1.0 - a) - __builtin_erfc(y);
    y = y - wrong * 0.88622692545275801 * mts_exp_f64(y * y);
    return a == 1.0 ? x * __builtin_inf() : __builtin_copysign(y, x);
}

// The logarithmic derivative of the gamma function: a series from 10 on, below it by recurrence,
// below zero by reflection.
MTS_INLINE double mts_digamma_f64(double x) {
    double a = x < 0.0 ? 1.0 - x : x, below = 0.0;
    for (int i = 0; i < 10; i++) {
        below -= a < 10.0 ? 1.0 / a : 0.0;
        a += a < 10.0 ? 1.0 : 0.0;
    }
    double z = 1.0 / (a * a);
    double p = 8.33333333333333333333e-2;
    p = MTS_FMA(p, z, -2.10927960927960927961e-2);
    p = MTS_FMA(p, z, 7.57575757575757575758e-3);
    p = MTS_FMA(p, z, -4.16666666666666666667e-3);
    p = MTS_FMA(p, z, 3.96825396825396825397e-3);
    p = MTS_FMA(p, z, -8.33333333333333333333e-3);
    p = MTS_FMA(p, z, 8.33333333333333333333e-2);
    double y = below + mts_log_f64(a) - 0.5 / a - p * z;
    double part = x - __builtin_trunc(x);
    y = x < 0.0 ? y - 3.14159265358979323846 / __builtin_tan(3.14159265358979323846 * part) : y;
    y = x < 0.0 && part == 0.0 ? __builtin_nan("") : y;
    y = x == -__builtin_inf() ? __builtin_nan("") : y;
    return x == 0.0 ? __builtin_copysign(__builtin_inf(), -x) : y;
}

MTS_INLINE float mts_digamma_f32(float x) {
    return (float)mts_digamma_f64(x);
}

// The modified Bessel functions, by polynomials up to 8 and, times the root of x, in 1 / x from there.
MTS_INLINE double mts_i0e_f64(double x) {
    double a = __builtin_fabs(x);
    double t = a * 0.25 - 1.0, u = 16.0 / a - 1.0;
    double p = -1.1662904878442954e-09;
    p = MTS_FMA(p, t, 4.469372581856615e-09);
    p = MTS_FMA(p, t, -7.860369707508212e-09);
    p = MTS_FMA(p, t, 2.6273368345256394e-08);
    p = MTS_FMA(p, t, -1.1339523685907105e-07);
    p = MTS_FMA(p, t, 3.675592893288293e-07);
    p = MTS_FMA(p, t, -1.0891964284507317e-06);
    p = MTS_FMA(p, t, 3.2293850630678377e-06);
    p = MTS_FMA(p, t, -9.25059710625537e-06);
    p = MTS_FMA(p, t, 2.5202271984440893e-05);
    p = MTS_FMA(p, t, -6.550956130635514e-05);
    p = MTS_FMA(p, t, 0.0001624054672701359);
    p = MTS_FMA(p, t, -0.0003829015089457559);
    p = MTS_FMA(p, t, 0.0008563152483951447);
    p = MTS_FMA(p, t, -0.0018118870527295522);
    p = MTS_FMA(p, t, 0.0036171264596770616);
    p = MTS_FMA(p, t, -0.006792399792271578);
    p = MTS_FMA(p, t, 0.011960077903963348);
    p = MTS_FMA(p, t, -0.019682654708082413);
    p = MTS_FMA(p, t, 0.03017791202356886);
    p = MTS_FMA(p, t, -0.04298594945226738);
    p = MTS_FMA(p, t, 0.056777032019843215);
    p = MTS_FMA(p, t, -0.06954119561742342);
    p = MTS_FMA(p, t, 0.07927522590716898);
    p = MTS_FMA(p, t, -0.08496338091615124);
    p = MTS_FMA(p, t, 0.08734341617552291);
    p = MTS_FMA(p, t, -0.08904344136075991);
    p = MTS_FMA(p, t, 0.09451562853995103);
    p = MTS_FMA(p, t, -0.11300432688620549);
    p = MTS_FMA(p, t, 0.2070019212239867);
    double q = -2.4421972688131832e-11;
    q = MTS_FMA(q, u, 9.114760157514253e-11);
    q = MTS_FMA(q, u, 1.7698085539456536e-10);
    q = MTS_FMA(q, u, -6.494591114401118e-10);
    q = MTS_FMA(q, u, -6.327909921997027e-10);
    q = MTS_FMA(q, u, 2.163681278413876e-09);
    q = MTS_FMA(q, u, 1.6084886155781772e-09);
    q = MTS_FMA(q, u, -4.5305710768621196e-09);
    q = MTS_FMA(q, u, -3.5862834111582305e-09);
    q = MTS_FMA(q, u, 6.522264862032271e-09);
    q = MTS_FMA(q, u, 7.600254486433509e-09);
    q = MTS_FMA(q, u, -5.0175940345046716e-09);
    q = MTS_FMA(q, u, -1.3427511481900905e-08);
    q = MTS_FMA(q, u, -6.856484545962442e-09);
    q = MTS_FMA(q, u, 7.559364098665437e-09);
    q = MTS_FMA(q, u, 2.156780676115673e-08);
    q = MTS_FMA(q, u, 3.932512321137824e-08);
    q = MTS_FMA(q, u, 8.872014585661555e-08);
    q = MTS_FMA(q, u, 2.9735992084667734e-07);
    q = MTS_FMA(q, u, 1.4838476780922646e-06);
    q = MTS_FMA(q, u, 1.114303378845176e-05);
    q = MTS_FMA(q, u, 0.00013621607438951463);
    q = MTS_FMA(q, u, 0.0033605519836678913);
    q = MTS_FMA(q, u, 0.4021765094450081);
    return a > 8.0 ? q / __builtin_sqrt(a) : p;
}

MTS_INLINE float mts_i0e_f32(float x) {
    return (float)mts_i0e_f64(x);
}

MTS_INLINE double mts_i0_f64(double x) {
    return mts_exp_f64(__builtin_fabs(x)) * mts_i0e_f64(x);
}

MTS_INLINE float mts_i0_f32(float x) {
    return (float)mts_i0_f64(x);
}

MTS_INLINE double mts_i1e_f64(double x) {
    double a = __builtin_fabs(x);
    double t = a * 0.25 - 1.0, u = 16.0 / a - 1.0;
    double p = 3.6696752013169966e-10;
    p = MTS_FMA(p, t, -1.4165980180332847e-09);
    p = MTS_FMA(p, t, 2.644330576999187e-09);
    p = MTS_FMA(p, t, -8.986801013193351e-09);
    p = MTS_FMA(p, t, 3.7901404602356164e-08);
    p = MTS_FMA(p, t, -1.2424046295570417e-07);
    p = MTS_FMA(p, t, 3.7617292810159424e-07);
    p = MTS_FMA(p, t, -1.1327198008251626e-06);
    p = MTS_FMA(p, t, 3.29361514435675e-06);
    p = MTS_FMA(p, t, -9.136529630106953e-06);
    p = MTS_FMA(p, t, 2.4233987591498262e-05);
    p = MTS_FMA(p, t, -6.142361409267038e-05);
    p = MTS_FMA(p, t, 0.00014842110758080817);
    p = MTS_FMA(p, t, -0.0003411760229204836);
    p = MTS_FMA(p, t, 0.0007445123998749739);
    p = MTS_FMA(p, t, -0.001538874564273584);
    p = MTS_FMA(p, t, 0.0030057624040464932);
    p = MTS_FMA(p, t, -0.005534567846988655);
    p = MTS_FMA(p, t, 0.009583962153764291);
    p = MTS_FMA(p, t, -0.015571309244077562);
    p = MTS_FMA(p, t, 0.023686016957350876);
    p = MTS_FMA(p, t, -0.03367135552107505);
    p = MTS_FMA(p, t, 0.044674572621282986);
    p = MTS_FMA(p, t, -0.05528003922699226);
    p = MTS_FMA(p, t, 0.06376740371340611);
    p = MTS_FMA(p, t, -0.0684826062058269);
    p = MTS_FMA(p, t, 0.06805759990951162);
    p = MTS_FMA(p, t, -0.061124338029666284);
    p = MTS_FMA(p, t, 0.044687709875608835);
    double q = 2.2421768596847442e-11;
    q = MTS_FMA(q, u, -9.491890392992048e-11);
    q = MTS_FMA(q, u, -1.6283264322621244e-10);
    q = MTS_FMA(q, u, 6.7727478454462e-10);
    q = MTS_FMA(q, u, 5.870664618471487e-10);
    q = MTS_FMA(q, u, -2.2624401109204446e-09);
    q = MTS_FMA(q, u, -1.5218214060680734e-09);
    q = MTS_FMA(q, u, 4.763780078020254e-09);
    q = MTS_FMA(q, u, 3.501765193290176e-09);
    q = MTS_FMA(q, u, -6.9444186339873875e-09);
    q = MTS_FMA(q, u, -7.687251308765992e-09);
    q = MTS_FMA(q, u, 5.5720183980930355e-09);
    q = MTS_FMA(q, u, 1.4051746928735543e-08);
    q = MTS_FMA(q, u, 6.84757829926934e-09);
    q = MTS_FMA(q, u, -8.432168972932417e-09);
    q = MTS_FMA(q, u, -2.3394122958362557e-08);
    q = MTS_FMA(q, u, -4.3128498031006734e-08);
    q = MTS_FMA(q, u, -1.0001075046243961e-07);
    q = MTS_FMA(q, u, -3.4838563464253135e-07);
    q = MTS_FMA(q, u, -1.8349102493990178e-06);
    q = MTS_FMA(q, u, -1.5038547198221758e-05);
    q = MTS_FMA(q, u, -0.00021923576383137776);
    q = MTS_FMA(q, u, -0.009749577193235765);
    q = MTS_FMA(q, u, 0.38939845902587233);
    p = a > 8.0 ? q / __builtin_sqrt(a) : p * a;
    return x < 0.0 ? -p : p;
}

MTS_INLINE float mts_i1e_f32(float x) {
    return (float)mts_i1e_f64(x);
}

MTS_INLINE double mts_i1_f64(double x) {
    return mts_exp_f64(__builtin_fabs(x)) * mts_i1e_f64(x);
}

MTS_INLINE float mts_i1_f32(float x) {
    return (float)mts_i1_f64(x);
}

// exp(x x) erfc(x). What x x is rounded by is made up for; from 25 on, where erfc leaves the range of
// doubles, an asymptotic series. Below zero by reflection.
MTS_INLINE double mts_erfcx_f64(double x) {
    double a = __builtin_fabs(x), near = a < 25.0 ? a : 25.0;
    double square = near * near, rest = __builtin_fma(near, near, -square);
    double power = mts_exp_f64(square), y = (power + power * rest) * __builtin_erfc(near);
    double z = 0.5 / (a * a);
    double series = 1.0 - 9.0 * z * (1.0 - 11.0 * z * (1.0 - 13.0 * z));
    series = 1.0 - z * (1.0 - 3.0 * z * (1.0 - 5.0 * z * (1.0 - 7.0 * z * series)));
    y = a < 25.0 ? y : 0.56418958354775628695 / a * series;
    double all = x * x, lost = __builtin_fma(x, x, -all);
    double twice = 2.0 * mts_exp_f64(all);
    twice += __builtin_isfinite(twice) ? twice * lost : 0.0;
    y = x < 0.0 ? twice - y : y;
    return x != x ? x : y;
}

MTS_INLINE double mts_erfcx_for_f32(double a) {
    double z = 0.5 / (a * a);
    double series = 1.0 - z * (1.0 - 3.0 * z * (1.0 - 5.0 * z * (1.0 - 7.0 * z)));
    return a < 10.2 ? mts_erfcx_near(a) : 0.56418958354775628695 / a * series;
}

MTS_INLINE float mts_erfcx_f32(float x) {
    double a = __builtin_fabsf(x), y = mts_erfcx_for_f32(a);
    return (float)(x < 0.0f ? 2.0 * mts_exp_f64(a * a) - y : y);
}

// log((1 + erf(t)) / 2), where t is x / sqrt(2), so that nothing vanishes far below zero.
MTS_INLINE double mts_log_ndtr_f64(double x) {
    double t = x * 0.70710678118654752440;
    if (x < -1.0) {
        return mts_log_f64(mts_erfcx_f64(-t) * 0.5) - t * t;
    }
    return mts_log1p_f64(__builtin_erfc(t) * -0.5);
}

// As in eager, x / sqrt(2) is rounded first: that tells in the last digits of what is near zero.
MTS_INLINE float mts_log_ndtr_f32(float x) {
    double t = x * 0.70710678f, y = mts_erfcx_for_f32(__builtin_fabs(t)) * 0.5;
    double below = mts_log_f64(y) - t * t, above = mts_log1p_f64(-y * mts_exp_f64(-t * t));
    return (float)(x < 0.0f ? below : above);
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
