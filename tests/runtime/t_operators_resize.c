/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resize and Upsample, CenterCropPad, Col2Im: by hand, and with antialiasing what ONNX's documents
 * show, for scales in single precision; which elements Resize takes, by long division.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

#define SIXTEEN "4x4 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"

/* Of the operator; SCALES and SIZES are its last inputs.  */
struct resizing {
    int64_t version;
    const char *attributes, *x, *region, *scales, *sizes, *y, *refused;
};

static const struct resizing nearest[] = {
    {13, NULL, "4 1 2 3 4", NULL, "1 2", NULL, "8 1 1 2 2 3 3 4 4", NULL},
    {13, "coordinate_transformation_mode=asymmetric", "2 1 2", NULL, NULL, "i64 1 8",
     "8 1 1 1 2 2 2 2 2", NULL},
    {13, "coordinate_transformation_mode=asymmetric nearest_mode=round_prefer_ceil", "2 1 2", NULL,
     NULL, "i64 1 8", "8 1 1 2 2 2 2 2 2", NULL},
    {13, "coordinate_transformation_mode=asymmetric nearest_mode=floor", "2 1 2", NULL, NULL,
     "i64 1 8", "8 1 1 1 1 2 2 2 2", NULL},
    {13, "coordinate_transformation_mode=asymmetric nearest_mode=ceil", "2 1 2", NULL, NULL,
     "i64 1 8", "8 1 2 2 2 2 2 2 2", NULL},
    {13, "coordinate_transformation_mode=tf_half_pixel_for_nn nearest_mode=floor", "4 1 2 3 4",
     NULL, NULL, "i64 1 2", "2 2 4", NULL},
    {11, NULL, "1x1x2x2 1 2 3 4", "0", "0", "i64 4 1 1 2 4", "1x1x2x4 1 1 2 2 3 3 4 4", NULL},
    {13, NULL, "2x0", NULL, NULL, "i64 2 4 0", "4x0", NULL},
    {18, "axes=-1", "2x2 1 2 3 4", NULL, "1 2", NULL, "2x4 1 1 2 2 3 3 4 4", NULL},
    {18, "axes=1,0", "2x2 1 2 3 4", NULL, "2 1 2", NULL, "4x2 1 2 1 2 3 4 3 4", NULL},
    {18, "keep_aspect_ratio_policy=not_larger", "2x1 1 2", NULL, NULL, "i64 2 7 2",
     "4x2 1 1 1 1 2 2 2 2", NULL},
    {18, "keep_aspect_ratio_policy=not_smaller", "2x1 1 2", NULL, NULL, "i64 2 3 2",
     "4x2 1 1 1 1 2 2 2 2", NULL},
    {18, "keep_aspect_ratio_policy=not_smaller", "2x1 1 2", NULL, NULL, "i64 2 7 2", "4x2",
     "of axis 0"},
    {10, NULL, "2 1 2", "1 1.5", NULL, NULL, "3 1 1 2", NULL},
    {10, NULL, "4 1 2 3 4", "1 0.6", NULL, NULL, "2", "smaller"},
};

static const struct resizing linear[] = {
    {13, "mode=linear", "2 0 4", NULL, NULL, "i64 1 4", "4 0 1 3 4", NULL},
    {13, "mode=linear", "2x2 0 4 8 12", NULL, NULL, "i64 2 1 4", "1x4 4 5 7 8", NULL},
    {13, "mode=linear", "4 1 2 3 4", NULL, NULL, "i64 1 1", "1 2.5", NULL},
    {13, "mode=linear coordinate_transformation_mode=pytorch_half_pixel", "4 1 2 3 4", NULL, NULL,
     "i64 1 1", "1 1", NULL},
    {13, "mode=linear coordinate_transformation_mode=pytorch_half_pixel", "4 1 2 3 4", NULL, NULL,
     "i64 1 2", "2 1.5 3.5", NULL},
    {13, "mode=linear coordinate_transformation_mode=align_corners", "2 0 6", NULL, NULL, "i64 1 5",
     "5 0 1.5 3 4.5 6", NULL},
    {13, "mode=linear coordinate_transformation_mode=align_corners", "4 1 2 3 4", NULL, NULL,
     "i64 1 1", "1 1", NULL},
    {13, "mode=linear coordinate_transformation_mode=align_corners", "4 1 2 3 4", NULL, "1 0.6",
     NULL, "2 1 3.142857074737549", NULL},
    {13, "mode=linear coordinate_transformation_mode=asymmetric", "2 0 4", NULL, "1 2", NULL,
     "4 0 2 4 4", NULL},
    {13, "mode=linear coordinate_transformation_mode=asymmetric", "2 inf 1", NULL, "1 2", NULL,
     "4 inf inf 1 1", NULL},
    {19, "mode=linear coordinate_transformation_mode=half_pixel_symmetric", "4 1 2 3 4", NULL,
     "1 0.6", NULL, "2 1.6666667461395264 3.3333334922790527", NULL},
    {10, "mode=linear", "4 1 2 3 4", "1 0.6", NULL, NULL, "2 1 2.666666626930237", NULL},
    {18, "mode=linear antialias=1", "2 0 4", NULL, NULL, "i64 1 4", "4 0 1 3 4", NULL},
    {18, "mode=linear antialias=1", SIXTEEN, NULL, "2 0.6 0.6", NULL,
     "2x2 2.874999964299298 4.499999971439438 9.374999992859859 11", NULL},
    {18, "mode=linear antialias=1", SIXTEEN, NULL, NULL, "i64 2 3 3",
     "3x3 2.3636364326004156 3.5909091460803326 4.818181818181817 7.272727286520082 8.5 "
     "9.727272672101483 12.181817974926016 13.409090688405932 14.636363360507417",
     NULL},
};

/* Of one 1 among zeros the weights are seen.  */
static const struct resizing cubic[] = {
    {13, "mode=cubic coordinate_transformation_mode=asymmetric", "4 0 0 1 0", NULL, "1 2", NULL,
     "8 0 -0.09375 0 0.59375 1 0.59375 0 -0.09375", NULL},
    {13, "mode=cubic coordinate_transformation_mode=asymmetric cubic_coeff_a=-0.5", "4 0 0 1 0",
     NULL, "1 2", NULL, "8 0 -0.0625 0 0.5625 1 0.5625 0 -0.0625", NULL},
    {13,
     "mode=cubic coordinate_transformation_mode=asymmetric cubic_coeff_a=-0.5 exclude_outside=1",
     "4 0 0 1 0", NULL, "1 2", NULL,
     "8 0 -0.058823529411764705 0 0.5625 1 0.5294117647058824 0 -0.125", NULL},
    {18, "mode=cubic antialias=1", SIXTEEN, NULL, "2 0.6 0.6", NULL,
     "2x2 2.5180721838253968 4.285886318792993 9.589328723695782 11.35714285866338", NULL},
};

static const struct resizing crop[] = {
    {13, "mode=linear coordinate_transformation_mode=tf_crop_and_resize", "5 0 1 2 3 4",
     "2 0.25 0.75", NULL, "i64 1 3", "3 1 2 3", NULL},
    {13, "mode=linear coordinate_transformation_mode=tf_crop_and_resize", "5 0 1 2 3 4",
     "2 0.25 0.5", NULL, "i64 1 1", "1 1.5", NULL},
    {13, "mode=linear coordinate_transformation_mode=tf_crop_and_resize extrapolation_value=9.0",
     "5 0 1 2 3 4", "2 -0.5 1", NULL, "i64 1 3", "3 9 1 4", NULL},
    {13, "mode=cubic coordinate_transformation_mode=tf_crop_and_resize extrapolation_value=9.0",
     "2x2 1 2 3 4", "4 0 -1 1 1", NULL, "i64 2 2 3", "2x3 9 1 2 9 3 4", NULL},
    {18, "coordinate_transformation_mode=tf_crop_and_resize axes=1", "2x3 1 2 3 4 5 6", "2 1 0",
     NULL, "i64 1 3", "2x3 3 2 1 6 5 4", NULL},
    {13, "coordinate_transformation_mode=tf_crop_and_resize", "2", "2 0 1", "1 1", NULL, "2",
     "without sizes"},
    {13, "coordinate_transformation_mode=tf_crop_and_resize", "2", NULL, NULL, "i64 1 2", "2",
     "without its ends"},
};

static const struct resizing refused[] = {
    {13, NULL, "2", NULL, "1 1", "i64 1 2", "2", "either"},
    {13, NULL, "2", NULL, NULL, NULL, "2", "either"},
    {13, NULL, "2x2", NULL, "1 1", NULL, "2x2", "'scales' is not 2"},
    {13, NULL, "2", NULL, NULL, "i32 1 2", "2", "'sizes'"},
    {13, NULL, "2", NULL, "1 3", NULL, "4", "scale 3 of axis 0"},
    {13, NULL, "0", NULL, NULL, "i64 1 2", "2", "without elements"},
    {13, NULL, "i32 2", NULL, "1 1", NULL, "i32 2", "i32"},
    {13, "mode=area", "2", NULL, "1 1", NULL, "2", "area"},
    {13, "antialias=1", "2", NULL, "1 1", NULL, "2", "antialias"},
    {18, "antialias=1", "2", NULL, "1 1", NULL, "2", "antialias"},
    {13, "exclude_outside=1", "2", NULL, "1 1", NULL, "2", "exclude_outside"},
    {18, "axes=0,-1", "2", NULL, "1 1", NULL, "2", "axes"},
    {18, "axes=1", "2", NULL, "1 1", NULL, "2", "axis 1"},
    {13, "coordinate_transformation_mode=half_pixel_symmetric", "2", NULL, "1 1", NULL, "2",
     "version 13"},
    {18, "coordinate_transformation_mode=tf_half_pixel_for_nn", "2", NULL, "1 1", NULL, "2",
     "version 18"},
    {13, "mode=linear coordinate_transformation_mode=tf_half_pixel_for_nn", "2", NULL, "1 1", NULL,
     "2", "tf_half_pixel_for_nn"},
    {10, "mode=cubic", "2", "1 1", NULL, NULL, "2", "cubic"},
    {9, NULL, "2", "1 1", NULL, NULL, "2", "version 9"},
};

static const struct operator_case upsample[] = {
    {"an image, twice as large",
     "Upsample",
     7,
     "scales=1.0,1.0,2.0,2.0",
     {"1x1x1x2 1 2"},
     {"1x1x2x4 1 1 2 2 1 1 2 2"},
     NULL},
    {"the element before", "Upsample", 7, "scales=1.5", {"4 1 2 3 4"}, {"6 1 1 2 3 3 4"}, NULL},
    {"linear", "Upsample", 7, "scales=2.0 mode=linear", {"2 0 4"}, {"4 0 2 4 4"}, NULL},
    {"scales as an input", "Upsample", 9, NULL, {"1x2 1 2", "2 1 3"}, {"1x6 1 1 1 2 2 2"}, NULL},
    {"a smaller one", "Upsample", 9, "mode=linear", {"2 1 2", "1 0.5"}, {"1"}, "smaller"},
    {"scales for another image", "Upsample", 7, "scales=1.0,1.0", {"2 1 2"}, {"2"}, "2 scales"},
    {"without scales", "Upsample", 9, NULL, {"2 1 2"}, {"2"}, "input 1"},
    {"as an attribute of version 9",
     "Upsample",
     9,
     "scales=1.0",
     {"2 1 2", "1 1"},
     {"2"},
     "scales"},
    {"an older version",
     "Upsample",
     1,
     "height_scale=2.0 width_scale=2.0",
     {"2"},
     {"4"},
     "version 1"},
    {"where there is none any more", "Upsample", 11, NULL, {"2", "1 1"}, {"2"}, "version 11"},
};

static const struct operator_case middles[] = {
    {"the middle", "CenterCropPad", 18, NULL, {"5 1 2 3 4 5", "i64 1 3"}, {"3 2 3 4"}, NULL},
    {"one more cut off behind",
     "CenterCropPad",
     18,
     NULL,
     {"5 1 2 3 4 5", "i64 1 2"},
     {"2 2 3"},
     NULL},
    {"one more added behind",
     "CenterCropPad",
     18,
     NULL,
     {"2 1 2", "i64 1 5"},
     {"5 0 1 2 0 0"},
     NULL},
    {"both", "CenterCropPad", 18, NULL, {"i64 3x1 1 2 3", "i64 2 1 3"}, {"i64 1x3 0 2 0"}, NULL},
    {"one axis",
     "CenterCropPad",
     18,
     "axes=-1",
     {"i8 2x3 1 2 3 4 5 6", "i64 1 1"},
     {"i8 2x1 2 5"},
     NULL},
    {"as many axes as there can be",
     "CenterCropPad",
     18,
     "axes=-2,-1",
     {"1x1x1x1x1x1x2x3 1 2 3 4 5 6", "i64 2 1 1"},
     {"1x1x1x1x1x1x1x1 2"},
     NULL},
    {"nothing", "CenterCropPad", 18, NULL, {"0", "i64 1 2"}, {"2 0 0"}, NULL},
    {"another type", "CenterCropPad", 18, NULL, {"2", "i64 1 2"}, {"i8 2"}, "output 0"},
};

static const struct operator_case columns[] = {
    {"added where they meet",
     "Col2Im",
     18,
     NULL,
     {"1x2x3 1 2 3 10 20 30", "i64 1 4", "i64 1 2"},
     {"1x1x4 1 12 23 30"},
     NULL},
    {"dropped on padding",
     "Col2Im",
     18,
     "pads=1,1",
     {"1x2x3 1 2 3 10 20 30", "i64 1 2", "i64 1 2"},
     {"1x1x2 12 23"},
     NULL},
    {"side by side",
     "Col2Im",
     18,
     "strides=2",
     {"1x2x2 1 2 10 20", "i64 1 4", "i64 1 2"},
     {"1x1x4 1 10 2 20"},
     NULL},
    {"dilated",
     "Col2Im",
     18,
     "dilations=2",
     {"1x2x2 1 2 10 20", "i64 1 4", "i64 1 2"},
     {"1x1x4 1 2 10 20"},
     NULL},
    {"channels",
     "Col2Im",
     18,
     NULL,
     {"1x4x2 1 2 3 4 5 6 7 8", "i64 2 2 2", "i64 2 1 2"},
     {"1x2x2x2 1 3 2 4 5 7 6 8"},
     NULL},
    {"images",
     "Col2Im",
     18,
     NULL,
     {"2x1x2 1 2 3 4", "i64 2 2 1", "i64 2 1 1"},
     {"2x1x2x1 1 2 3 4"},
     NULL},
    {"too few columns",
     "Col2Im",
     18,
     NULL,
     {"1x2x2", "i64 1 4", "i64 1 2"},
     {"1x1x4"},
     "2 columns for 3"},
    {"blocks of another size",
     "Col2Im",
     18,
     NULL,
     {"1x2x3", "i64 1 4", "i64 1 3"},
     {"1x1x4"},
     "blocks"},
    {"other channels", "Col2Im", 18, NULL, {"1x4x3", "i64 1 4", "i64 1 2"}, {"1x1x4"}, "channels"},
    {"a word that it does not have",
     "Col2Im",
     18,
     "auto_pad=VALID",
     {"1x2x3", "i64 1 4", "i64 1 2"},
     {"1x1x4"},
     "auto_pad"},
};

static void check(const char *what, const struct resizing *resizing, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct resizing *r = &resizing[i];
        struct operator_case c = {
            what,   "Resize",  r->version, r->attributes, {r->x, r->region, r->scales, r->sizes},
            {r->y}, r->refused};

        operator_cases(&c, 1);
    }
}

/* --- which elements --- */

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
    struct error error = {""};
    const struct call call = {computation, 4, 1, in, &out, &error};

    for (int64_t i = 0; i < pair->length; i++)
        x[i] = (double)i;
    operator_attributes(computation, attributes);
    if (!operator_accepts(&call) || !operator_run(&call)) {
        tap_diag("%s", error.text);
        abort();
    }
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
    check("nearest", nearest, sizeof nearest / sizeof nearest[0]);
    check("linear", linear, sizeof linear / sizeof linear[0]);
    check("cubic", cubic, sizeof cubic / sizeof cubic[0]);
    check("a part", crop, sizeof crop / sizeof crop[0]);
    check("Resize", refused, sizeof refused / sizeof refused[0]);
    operator_cases(upsample, sizeof upsample / sizeof upsample[0]);
    operator_cases(middles, sizeof middles / sizeof middles[0]);
    operator_cases(columns, sizeof columns / sizeof columns[0]);
    return tap_done();
}
