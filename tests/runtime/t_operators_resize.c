/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which elements Resize takes, by long division.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

/* HALVES / 2 / SCALE in single precision, by dividing whole numbers: cut off after 24 bits and
 * rounded, halves to even ones.  */
static double quotient(int64_t halves, float scale)
{
    int exponent, drop = 0;
    uint64_t divisor = (uint64_t)ldexpf(frexpf(scale, &exponent), 24), kept, below, half;
    unsigned __int128 number = (unsigned __int128)halves << 64, whole = number / divisor;

    while (whole >> drop >= 1 << 24)
        drop++;
    kept = (uint64_t)(whole >> drop);
    half = drop == 0 ? 1 : (uint64_t)1 << (drop - 1);
    below = (uint64_t)(whole - ((unsigned __int128)kept << drop));
    if (below > half || (below == half && (number % divisor != 0 || kept % 2 != 0)))
        kept++;
    return ldexp((double)kept, drop - 64 - 1 + 24 - exponent);
}

/* How PLACES are made of LENGTH: by a scale, or by a size where that is 0.  */
struct pair {
    int64_t length, places;
    float scale;
};

/* Resizes the numbers of the elements; what comes out, which the caller frees.  */
static double *resized(const char *attributes, const struct pair *pair, const float *region)
{
    double *x = memory_alloc((size_t)pair->length, sizeof *x);
    double *y = memory_zalloc((size_t)pair->places, sizeof *y);
    int64_t places = pair->places;
    const struct tensor from = {DTYPE_F64, 1, {pair->length}, x};
    const struct tensor to = {DTYPE_F64, 1, {pair->places}, y};
    const struct tensor scales = {DTYPE_F32, 1, {1}, (void *)&pair->scale};
    const struct tensor sizes = {DTYPE_I64, 1, {1}, &places};
    const struct tensor part = {DTYPE_F32, 1, {2}, (void *)region};
    const struct tensor *in[] = {&from, region == NULL ? NULL : &part,
                                 pair->scale == 0.0F ? NULL : &scales,
                                 pair->scale == 0.0F ? &sizes : NULL};
    const struct tensor *out = &to;
    struct computation *computation = computation_new("Resize", 13, 4, 1);

    for (int64_t i = 0; i < pair->length; i++)
        x[i] = (double)i;
    operator_attributes(computation, attributes);
    if (!operator_runs(computation, in, 4, &out, 1))
        abort();
    computation_free(computation);
    free(x);
    return y;
}

static double inside(const struct pair *pair, double x)
{
    return fmin(fmax(x, 0.0), (double)(pair->length - 1));
}

static double before(const struct pair *pair, int64_t p, float scale)
{
    return inside(pair, floor(quotient(2 * p, scale)));
}

static double between(const struct pair *pair, int64_t p, float scale)
{
    return inside(pair, (double)(float)(quotient(2 * p + 1, scale) - 0.5));
}

/* By sizes also that both ends stay ends.  */
static double corner(const struct pair *pair, int64_t p, float scale)
{
    (void)scale;
    return p == 0 ? 0.0 : p == pair->places - 1 ? (double)(pair->length - 1) : (double)NAN;
}

/* Whether all places of PAIR are what WANTED says; NaN: anything.  */
static bool is_right(const char *attributes, const struct pair *pair,
                     double (*wanted)(const struct pair *, int64_t, float))
{
    float scale =
        pair->scale != 0.0F ? pair->scale : (float)quotient(2 * pair->places, (float)pair->length);
    double *y = resized(attributes, pair, NULL);
    bool right = true;

    for (int64_t p = 0; right && p < pair->places; p++) {
        double want = wanted(pair, p, scale);

        right = isnan(want) || fabs(y[p] - want) <= 1e-12 * (double)pair->length;
        if (!right)
            tap_diag("place %d of %d from %d, scale %.9g, is %.17g, expected %.17g", (int)p,
                     (int)pair->places, (int)pair->length, (double)scale, y[p], want);
    }
    free(y);
    return right;
}

static void test_pairs(const char *what, const char *attributes, bool by_size,
                       double (*wanted)(const struct pair *, int64_t, float))
{
    int64_t most = tap_tier(16, 40);
    int pairs = 0, right = 0;

    for (int64_t length = 1; length <= most; length++)
        for (int64_t places = 1; places <= 3 * most; places++) {
            float scale = (float)places / (float)length;
            struct pair pair = {length, places, by_size ? 0.0F : scale};

            /* Rounded down, some scales make a place less.  */
            if (!by_size && floorf((float)length * scale) != (float)places)
                continue;
            pairs++;
            right += is_right(attributes, &pair, wanted);
        }
    ok(right == pairs && pairs > 0, "%s by %s: %d of %d pairs of lengths", what,
       by_size ? "sizes" : "scales", right, pairs);
}

static void test_which(void)
{
    const char *nearest_before = "coordinate_transformation_mode=asymmetric nearest_mode=floor";
    const char *corners = "coordinate_transformation_mode=align_corners nearest_mode=floor";

    for (int by_size = 0; by_size < 2; by_size++) {
        test_pairs("the element before", nearest_before, by_size != 0, before);
        test_pairs("between two", "mode=linear", by_size != 0, between);
    }
    test_pairs("corners", corners, true, corner);
}

/* What is not resized stays, however long it is.  */
static void test_long(void)
{
    const char *part = "mode=linear coordinate_transformation_mode=tf_crop_and_resize";
    const struct pair pair = {9001, 9001, 0.0F};
    double *y = resized(part, &pair, (const float[]){0, 1});
    int64_t p = 0;

    while (p < pair.places && y[p] == (double)p)
        p++;
    is_int(p, pair.places, "a long axis of which all is kept stays");
    free(y);
}

int main(void)
{
    test_which();
    test_long();
    return tap_done();
}
