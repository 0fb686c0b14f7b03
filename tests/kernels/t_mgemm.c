/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each dense tile in the list, on every instruction set of the machine; layers of one pixel; where
 * the row is cut; the threads, which change no sum; what can't be done.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "kernels/kernel.h"
#include "kernels/layer.h"
#include "kernels/mgemm/mgemm_plan.h"
#include "kernels/mgemm/mgemm_sets.h"
#include "kernels/pool.h"
#include "kernels/strip.h"
#include "lib/base/memory.h"
#include "tests/support/conv_case.h"
#include "tests/support/tap.h"

/* A layer and the parameters that select a form, but for the tile.  WIDTH is
 * the output's for which one tile does a row.  */
struct form_case {
    const char *name, *params;
    bool planar;
    int64_t s, stride, dilation;
};

static const struct form_case forms[MGEMM_FORMS] = {
    [MGEMM_BLOCKED_1] = {"BLOCKED_1", "wf=reload", false, 2, 1, 2},
    [MGEMM_BLOCKED_2] = {"BLOCKED_2", "wf=reload", false, 3, 2, 1},
    [MGEMM_BLOCKED_ANY] = {"BLOCKED_ANY", "wf=reload", false, 2, 3, 1},
    [MGEMM_PLANAR_1] = {"PLANAR_1", "wf=reload", true, 3, 1, 1},
    [MGEMM_PLANAR_2] = {"PLANAR_2", "wf=reload", true, 2, 2, 1},
    [MGEMM_PLANAR_ANY] = {"PLANAR_ANY", "wf=reload", true, 2, 4, 1},
    [MGEMM_POINT] = {"POINT", "wf=reload", false, 1, 1, 1},
    [MGEMM_KEEP] = {"KEEP", "wf=keep", false, 3, 1, 1},
    [MGEMM_KEEP_2] = {"KEEP_2", "wf=keep", false, 3, 2, 1},
    [MGEMM_FILTER] = {"FILTER", "wf=filter", false, 3, 1, 1},
};

/* Other filters that tiles have code of their own for.  */
static const struct {
    enum mgemm_form form;
    struct form_case with;
} others[] = {
    {MGEMM_BLOCKED_1, {"BLOCKED_1, 3 taps", "wf=reload", false, 3, 1, 1}},
    {MGEMM_BLOCKED_1, {"BLOCKED_1, 7 taps", "wf=reload", false, 7, 1, 1}},
    {MGEMM_PLANAR_1, {"PLANAR_1, 7 taps", "wf=reload", true, 7, 1, 1}},
    {MGEMM_PLANAR_1, {"PLANAR_1, 5 taps", "wf=reload", true, 5, 1, 1}},
    {MGEMM_PLANAR_1, {"PLANAR_1, 3 taps apart", "wf=reload", true, 3, 1, 2}},
    {MGEMM_PLANAR_2, {"PLANAR_2, 3 taps", "wf=reload", true, 3, 2, 1}},
    {MGEMM_PLANAR_2, {"PLANAR_2, 7 taps", "wf=reload", true, 7, 2, 1}},
    {MGEMM_PLANAR_1, {"PLANAR_1, 3 taps kept", "wf=auto", true, 3, 1, 1}},
    {MGEMM_PLANAR_1, {"PLANAR_1, 7 taps kept", "wf=auto", true, 7, 1, 1}},
    {MGEMM_PLANAR_2, {"PLANAR_2, 3 taps kept", "wf=auto", true, 3, 2, 1}},
    {MGEMM_PLANAR_2, {"PLANAR_2, 7 taps kept", "wf=auto", true, 7, 2, 1}},
};
enum { OTHERS = sizeof others / sizeof others[0] };

/* Where the tile's row is padded: its first pixel misses one tap, its last one
 * does, or both, and the same with whole blocks of channels, for which some tiles have functions,
 * or the first misses two there; several miss some of the first, or of the last, half; or of all.
 */
enum padding {
    NO_PADDING,
    LEFT,
    RIGHT,
    ENDS,
    LEFT_BLOCKS,
    RIGHT_BLOCKS,
    ENDS_BLOCKS,
    TWO_BLOCKS,
    FAR_LEFT,
    FAR_RIGHT,
    AROUND,
    PADDINGS
};

/* A layer whose rows are one tile of WIDTH pixels.  Channels leave remainders
 * in both directions, and there are so many that taps that hit real input for
 * all pixels are done apart; with padding the tile has columns that miss taps.  */
static struct conv_shape tile_shape(const struct form_case *form, int rows, int64_t width,
                                    bool point, enum padding padding, int vector)
{
    const int64_t half = form->s / 2 * form->dilation;
    const int64_t around = padding == AROUND ? (form->s - 1) * form->dilation / 2 + 1 : 0;
    const bool blocks = padding >= LEFT_BLOCKS && padding <= TWO_BLOCKS;
    const enum padding ends =
        blocks && padding < TWO_BLOCKS ? padding - LEFT_BLOCKS + LEFT : padding;
    const int64_t left = padding == TWO_BLOCKS          ? 2
                         : ends == LEFT || ends == ENDS ? 1
                         : ends == FAR_LEFT             ? half
                                                        : around;
    const int64_t right = ends == RIGHT || ends == ENDS ? 1 : ends == FAR_RIGHT ? half : around;
    const int64_t reach = (form->s - 1) * form->dilation + 1;

    return (struct conv_shape){.n = 1,
                               .c = vector * (padding >= FAR_LEFT ? 4 : 1) + (blocks ? 0 : 3),
                               .h = point ? 1 : 2 * rows + 1,
                               .w = (width - 1) * form->stride + reach - left - right,
                               .k = (int64_t)vector * 7 + 1,
                               .r = point ? 1 : 2,
                               .s = form->s,
                               .stride_h = 1,
                               .stride_w = form->stride,
                               .pad_top = padding != NO_PADDING,
                               .pad_bottom = 0,
                               .pad_left = left,
                               .pad_right = right,
                               .dilation_h = 1,
                               .dilation_w = form->dilation,
                               .groups = 1};
}

/* All tiles of one form that hold WIDTH pixels; the reference is computed once.  */
static void test_width(enum isa isa, enum mgemm_form form, const struct form_case *with, int rows,
                       int width, enum padding padding, int *tiles, int *wrong)
{
    const struct conv_shape shape =
        tile_shape(with, rows, width, form == MGEMM_POINT, padding, isa_vector(isa));
    struct conv_case *test = NULL;
    struct error error = {""};

    if (!conv_shape_check(&shape, &error))
        return;
    for (int vectors = 1; vectors <= MGEMM_MAX_VECTORS; vectors++) {
        char *text;

        if (mgemm_set(isa)->tile[form][rows - 1][vectors - 1][width - 1] == NULL)
            continue;
        if (test == NULL)
            test = conv_case_new(&shape, width % 2 == 0, (uint32_t)width);
        text = memory_printf("%s,rows=%d,wo=%d,co=%d,ci=%d", with->params, rows, width,
                             vectors * isa_vector(isa), with->planar ? 1 : isa_vector(isa));
        if (conv_case_run(test, conv_kernel_find("mgemm"), text, isa, 1, &error) != CONV_RIGHT) {
            tap_diag("%s, %s: %s", isa_name(isa), text, error.text);
            (*wrong)++;
        }
        (*tiles)++;
        free(text);
    }
    conv_case_free(test);
}

static void test_form(enum isa isa, enum mgemm_form form, const struct form_case *with)
{
    const enum padding paddings = form == MGEMM_POINT ? LEFT : PADDINGS;
    int tiles = 0, wrong = 0;

    /* In the small tier sizes take turns with paddings, but for what kept inputs have functions of
     * their own for.  */
    for (int rows = 1; rows <= MGEMM_MAX_ROWS; rows++)
        for (int width = 1; width <= MGEMM_MAX_WIDTH; width++)
            for (enum padding p = NO_PADDING; p < paddings; p++)
                if (tap_tier(0, 1) == 1 || (enum padding)(rows + width) % paddings == p ||
                    ((p == ENDS_BLOCKS || p == TWO_BLOCKS) && mgemm_keeps(form)))
                    test_width(isa, form, with, rows, width, p, &tiles, &wrong);
    ok(tiles >= tap_tier(5, 10) && wrong == 0,
       "%s, %s: %d tiles are right, without padding and with it at either side", isa_name(isa),
       with->name, tiles);
}

static bool has_tile(enum isa isa, enum mgemm_form form, int rows, int vectors, int width)
{
    return mgemm_set(isa)->tile[form][rows - 1][vectors - 1][width - 1] != NULL;
}

static bool has_blocks(enum isa isa, enum mgemm_form form, int rows, int vectors, int width)
{
    return mgemm_set(isa)->tile[form][rows - 1][vectors - 1][width - 1]->blocks[MGEMM_WHOLE] !=
           NULL;
}

/* Rests of a row and of the channels take tiles that are smaller in either
 * direction, and columns that miss taps may take those of another form.  */
static void test_list(enum isa isa)
{
    static const enum mgemm_form edges[MGEMM_FORMS] = {[MGEMM_KEEP_2] = MGEMM_BLOCKED_2};
    int tiles = 0, missing = 0;

    for (enum mgemm_form form = 0; form < MGEMM_FORMS; form++)
        for (int rows = 1; rows <= MGEMM_MAX_ROWS; rows++)
            for (int v = 1; v <= MGEMM_MAX_VECTORS; v++)
                for (int w = 1; w <= MGEMM_MAX_WIDTH; w++) {
                    if (!has_tile(isa, form, rows, v, w))
                        continue;
                    missing += (v > 1 && !has_tile(isa, form, rows, v - 1, w)) ||
                               (w > 1 && !has_tile(isa, form, rows, v, w - 1));
                    missing += w > 1 && has_blocks(isa, form, rows, v, w) &&
                               !has_blocks(isa, form, rows, v, w - 1);
                    if (form >= MGEMM_POINT)
                        missing += !has_tile(isa, edges[form], rows, v, w);
                    tiles++;
                }
    ok(tiles > 30 && missing == 0, "%s: each of %d tiles has those that stand in for it",
       isa_name(isa), tiles);
}

/* What a strip's tiles do to each output and tap, counted.  */
static bool strip_is_whole(const struct axis *axis, int64_t width, int64_t widest, bool merge)
{
    int *count = memory_zalloc((size_t)(width * axis->taps), sizeof *count);
    struct strip strip;
    int64_t next = 0;
    bool good = true;

    strip_make(&strip, axis, width, widest, merge);
    for (size_t i = 0; i < strip.segments; i++) {
        const struct strip_segment *segment = &strip.segment[i];
        const uint32_t *mask = strip_masks(&strip, segment);
        int64_t hits = 0;

        good = good && segment->q == next && segment->width <= widest &&
               (segment->tiles == 1 || merge);
        for (int64_t tile = 0; tile < segment->tiles; tile++, next += segment->width)
            for (int64_t q = 0; q < segment->width; q++)
                for (int64_t s = 0; s < segment->taps; s++) {
                    int hit = (int)(mask[s] >> q & 1);

                    hits += hit;
                    good = good && (hit == 1 || !segment->whole);
                    count[(next + q) * axis->taps + segment->tap + s] += hit;
                }
        good = good && hits == segment->tiles * strip_hits(&strip, segment);
    }
    for (int64_t q = 0; q < width; q++)
        for (int64_t s = 0; s < axis->taps; s++) {
            int64_t x = q * axis->stride - axis->pad + s * axis->dilation;

            good = good && count[q * axis->taps + s] == (x >= 0 && x < axis->length);
        }
    strip_free(&strip);
    free(count);
    return good && next == width;
}

/* Every small axis: each tap that hits real input is there exactly once.  */
static void test_strips(void)
{
    int wrong = 0, cases = 0;

    for (int64_t length = 1; length <= 12; length++)
        for (int64_t pad = 0; pad <= 4; pad++)
            for (int64_t taps = 1; taps <= 5; taps++)
                for (int64_t step = 0; step < 9; step++)
                    for (int64_t widest = 1; widest <= 5; widest += 2) {
                        struct axis axis = {length, pad, step / 3 + 1, step % 3 + 1, taps};
                        int64_t room = length + 2 * pad - axis.dilation * (taps - 1) - 1;

                        if (room < 0)
                            continue;
                        cases++;
                        wrong += !strip_is_whole(&axis, room / axis.stride + 1, widest, step > 4);
                    }
    ok(wrong == 0 && cases > 1000, "%d strips have every real tap once", cases);
}

/* Not so many threads as there may be processors: oversubscription is refused.  */
static void test_threads(void)
{
    const int threads = pool_processors() < 2 ? 1 : 2;
    static const char *const layers[] = {"c=20,h=15,w=19,k=40,r=3,s=3,pad=1",
                                         "n=3,c=20,h=14,w=14,k=40,r=1,s=1",
                                         "c=24,h=30,w=31,k=24,r=3,s=3,pad=1,groups=24",
                                         "c=40,h=7,w=7,k=520,r=1,s=1",
                                         "n=2,c=40,h=7,w=9,k=600,r=3,s=3,pad=1",
                                         "c=40,h=5,w=5,k=1024,r=1,s=1,groups=2",
                                         "n=2,c=300,h=1,w=1,k=1000,r=1,s=1"};
    struct error error = {""};
    enum isa isa;

    isa_parse("best", &isa, &error);
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        struct conv_shape shape;
        struct conv_case *test;

        ok(layer_parse(layers[i], &shape, &error), "layer %s", layers[i]);
        test = conv_case_new(&shape, true, 5);
        ok(conv_case_run(test, conv_kernel_find("mgemm"), "", isa, threads, &error) == CONV_RIGHT,
           "%d threads: %s %s", threads, layers[i], error.text);
        conv_case_free(test);
    }
    ok(pool_new(pool_processors() + 1, &error) == NULL, "more threads than processors: %s",
       error.text);
}

/* However many threads share a layer, no sum is split or put together in another way.  */
static void test_same(enum isa isa)
{
    static const char *const layers[] = {
        "c=20,h=15,w=19,k=40,r=3,s=3,pad=1",
        "c=300,h=9,w=9,k=72,r=1,s=1",
        "c=300,h=7,w=7,k=72,r=1,s=1,stride=2",
        "c=20,h=7,w=9,k=200,r=3,s=3,pad=1",
        "c=3,h=21,w=23,k=40,r=7,s=7,stride=2,pad=3",
        "c=99,h=1,w=1,k=1000,r=1,s=1", /* one pixel: few blocks, and fewer vectors in them */
        "c=602,h=1,w=1,k=130,r=1,s=1",
        "n=2,c=64,h=9,w=9,k=64,r=3,s=3,pad=1,groups=16",
        "c=48,h=9,w=9,k=48,r=3,s=3,pad=1,groups=2",
        "c=40,h=11,w=12,k=40,r=5,s=1,pad=2x0,groups=40",
    };
    int wrong = 0;

    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        struct error error = {""};
        struct conv_shape shape;
        struct conv_case *test;

        if (!layer_parse(layers[i], &shape, &error))
            tap_diag("%s", error.text);
        test = conv_case_new(&shape, false, 5);
        for (int threads = 2; threads <= 8; threads += 3)
            if (!conv_case_same(test, isa, threads)) {
                tap_diag("%d threads: %s", threads, layers[i]);
                wrong++;
            }
        conv_case_free(test);
    }
    ok(wrong == 0, "%s: the same bytes as for one thread", isa_name(isa));
}

/* Blocks of all widths, channels that leave a rest, several images.  */
static void test_pixels(enum isa isa)
{
    const int64_t vector = isa_vector(isa);
    int wrong = 0, cases = 0;

    for (int64_t k = 1; k <= 14 * vector; k += k < vector ? vector - 1 : vector / 2)
        for (int64_t c = 1; c <= 18; c += c < 8 ? 1 : 5) {
            struct conv_shape shape = {.n = 1 + k % 2,
                                       .c = c,
                                       .h = 1,
                                       .w = 1,
                                       .k = k,
                                       .r = 1,
                                       .s = 1,
                                       .stride_h = 1 + c % 2,
                                       .stride_w = 1 + c % 2,
                                       .dilation_h = 1,
                                       .dilation_w = 1,
                                       .groups = 1};
            struct conv_case *test = conv_case_new(&shape, c % 3 == 0, 7);
            struct error error = {""};

            if (conv_case_run(test, conv_kernel_find("mgemm"), "", isa, 1, &error) != CONV_RIGHT) {
                tap_diag("c=%" PRId64 ",k=%" PRId64 ": %s", c, k, error.text);
                wrong++;
            }
            cases++;
            conv_case_free(test);
        }
    ok(wrong == 0 && cases > 200, "%s: %d layers of one pixel are right", isa_name(isa), cases);
}

/* Inputs that are gathered.  One tap with a stride: one row of pixels or several, the last
 * shorter or not, channels that leave a rest, in one round or several.  */
static void test_gathers(enum isa isa)
{
    static const struct {
        const char *layer, *params;
    } rows[] = {
        {"n=2,c=40,h=9,w=11,k=24,r=1,s=1,stride=2", ""},
        {"c=130,h=60,w=61,k=12,r=1,s=1,stride=2", "cci=128"},
        {"c=130,h=60,w=61,k=12,r=1,s=1,stride=2", "cci=130,wo=2"},
        {"n=2,c=70,h=33,w=50,k=40,r=1,s=1,stride=1x3", ""},
        {"c=70,h=50,w=33,k=40,r=1,s=1,stride=3x1", "cci=16,order=tile-co"},
        {"c=1040,h=16,w=32,k=16,r=1,s=1,stride=2", "cci=1040,co=16"},
        /* More channels than there is room for.  */
        {"c=4400,h=4,w=48,k=16,r=1,s=1,stride=2", "cci=4400,co=16"},
        {"c=16,h=128,w=130,k=8,r=1,s=1,stride=2", "hfil=outside"},
        {"c=16,h=2,w=2,k=72,r=1,s=1,stride=2", "cci=8"},
        /* Patches: runs of 4, 8 and other floats, gaps, overlaps, channels that leave a rest.  */
        {"n=2,c=3,h=100,w=123,k=24,r=4,s=4,stride=4", ""},
        {"c=3,h=33,w=41,k=16,r=16,s=16,stride=8", ""},
        {"n=2,c=1,h=41,w=40,k=9,r=7,s=5,stride=3x4", ""},
        {"c=2,h=9,w=80,k=40,r=2,s=9,stride=11x20", ""},
    };
    int wrong = 0;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error error = {""};
        struct conv_shape shape;
        struct conv_case *test;
        struct conv_plan plan;

        if (!layer_parse(rows[i].layer, &shape, &error) ||
            !conv_case_plan(&plan, rows[i].layer, rows[i].params, isa, 1, &error)) {
            tap_diag("%s %s: %s", rows[i].layer, rows[i].params, error.text);
            wrong++;
            continue;
        }
        wrong += !((const struct mgemm_plan *)plan.state)->gathers;
        conv_plan_clear(&plan);
        test = conv_case_new(&shape, i % 2 == 0, 7);
        if (conv_case_run(test, conv_kernel_find("mgemm"), rows[i].params, isa, 1, &error) !=
            CONV_RIGHT) {
            tap_diag("%s %s: %s", rows[i].layer, rows[i].params, error.text);
            wrong++;
        }
        wrong += !conv_case_same(test, isa, 3);
        conv_case_free(test);
    }
    ok(wrong == 0, "%s: pixels are gathered", isa_name(isa));
}

/* The slab that is chosen for LAYER on so many threads.  */
static int64_t chosen_slab(const char *layer, int threads)
{
    struct error error = {""};
    struct conv_plan plan;
    int64_t slab = 0;

    if (ok(conv_case_plan(&plan, layer, "", ISA_GENERIC, threads, &error), "%s: a plan %s", layer,
           error.text)) {
        slab = plan.choice.cco;
        conv_plan_clear(&plan);
    }
    return slab;
}

/* Threads share layers whose weights are more than their input by channels, others by rows.  */
static void test_shares(void)
{
    if (pool_processors() < 2) {
        tap_skip(9, "one processor");
        return;
    }
    is_int(chosen_slab("c=64,h=7,w=7,k=512,r=1,s=1", 1), 256, "one thread: all that a slab holds");
    is_int(chosen_slab("c=64,h=7,w=7,k=512,r=1,s=1", 2), 64, "two: four slabs each");
    is_int(chosen_slab("c=64,h=28,w=28,k=512,r=1,s=1", 2), 256, "many pixels: by rows");
    is_int(chosen_slab("c=64,h=5,w=4,k=24,r=1,s=1", 2), chosen_slab("c=64,h=5,w=4,k=24,r=1,s=1", 1),
           "few channels: by rows");
}

/* What is chosen for vectors of 4, as they are on the paper's platform: inputs are kept where
 * filters are 3 wide.  Tiles in vectors and pixels, for 16 registers without fused
 * multiply-adds and for the 32 of NEON.  */
static void test_fours(void)
{
    static const struct {
        const char *layer, *params, *wf;
        int64_t tile[2][2];
    } rows[] = {
        {"c=64,h=56,w=56,k=64,r=3,s=3,pad=1", "", "keep", {{3, 4}, {2, 9}}},
        {"c=64,h=56,w=56,k=8,r=3,s=3,pad=1", "", "keep", {{2, 3}, {2, 9}}},
        {"c=64,h=56,w=56,k=4,r=3,s=3,pad=1", "", "keep", {{1, 6}, {1, 14}}},
        {"c=64,h=56,w=56,k=64,r=3,s=3,stride=2,pad=1", "", "keep", {{2, 3}, {2, 6}}},
        {"c=64,h=56,w=56,k=4,r=3,s=3,stride=2,pad=1", "", "keep", {{1, 4}, {1, 9}}},
        /* where that can't be, or is not asked for */
        {"c=64,h=56,w=56,k=64,r=3,s=3,pad=2,dilation=2", "", "reload", {{4, 2}, {2, 12}}},
        {"c=64,h=56,w=56,k=64,r=5,s=5,pad=2", "", "reload", {{4, 2}, {2, 12}}},
        {"c=3,h=56,w=56,k=64,r=3,s=3,pad=1", "", "reload", {{2, 5}, {2, 12}}},
        {"c=64,h=56,w=56,k=64,r=3,s=3,pad=1", "wf=reload", "reload", {{4, 2}, {2, 12}}},
        {"c=64,h=56,w=56,k=64,r=3,s=3,pad=1", "wo=2", "reload", {{4, 2}, {2, 2}}},
    };
    const bool neon = isa_registers(ISA_GENERIC) == 32;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error error = {""};
        struct conv_plan plan;

        if (ok(conv_case_plan(&plan, rows[i].layer, rows[i].params, ISA_GENERIC, 1, &error),
               "%s %s: a plan %s", rows[i].layer, rows[i].params, error.text)) {
            is_text(plan.choice.wf, rows[i].wf, "across the filter's width");
            is_int(plan.choice.co / 4, rows[i].tile[neon][0], "vectors");
            is_int(plan.choice.wo, rows[i].tile[neon][1], "pixels");
            conv_plan_clear(&plan);
        }
    }
}

/* Parameters that do not fit are refused with a reason.  */
static void test_refusals(void)
{
    static const struct {
        const char *layer, *params;
    } bad[] = {
        {"c=16,h=9,w=9,k=16,r=3,s=3", "co=7"},
        {"c=16,h=9,w=9,k=16,r=3,s=3", "ci=5"},
        {"c=16,h=9,w=9,k=16,r=3,s=3", "co=4,wo=28,rows=2"},
        {"c=16,h=9,w=9,k=16,r=3,s=3", "co=8,cco=12"},
        {"c=16,h=9,w=9,k=16,r=3,s=3,stride=3", "wf=keep"},
        {"c=16,h=9,w=9,k=16,r=3,s=3,stride=2", "wf=filter"},
        {"c=3,h=9,w=9,k=16,r=3,s=3", "wf=keep,wo=2"},
        {"c=16,h=9,w=9,k=16,r=1,s=1", "wf=filter"},
        {"c=16,h=9,w=9,k=16,r=3,s=3,groups=16", "co=8"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error error = {""};
        struct conv_shape shape;
        struct conv_case *test;

        layer_parse(bad[i].layer, &shape, &error);
        test = conv_case_new(&shape, false, 1);
        ok(conv_case_run(test, conv_kernel_find("mgemm"), bad[i].params, ISA_GENERIC, 1, &error) ==
                   CONV_UNSUPPORTED &&
               error.text[0] != '\0',
           "%s refused: %s", bad[i].params, error.text);
        conv_case_free(test);
    }
}

int main(void)
{
    test_strips();
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        if (!isa_available(isa)) {
            tap_skip(3 + MGEMM_FORMS + OTHERS, "the machine lacks the instruction set");
            continue;
        }
        test_list(isa);
        for (enum mgemm_form form = 0; form < MGEMM_FORMS; form++)
            test_form(isa, form, &forms[form]);
        for (int i = 0; i < OTHERS; i++)
            test_form(isa, others[i].form, &others[i].with);
        test_pixels(isa);
        test_gathers(isa);
        test_same(isa);
    }
    test_threads();
    test_shares();
    test_fours();
    test_refusals();
    return tap_done();
}
