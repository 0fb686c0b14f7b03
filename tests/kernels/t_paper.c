/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mgemm:preset=paper: the plan has the properties of the publication's algorithm, worked
 * out by hand for layers and a cache of a given size, and its results are right.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernels/cache.h"
#include "kernels/kernel.h"
#include "kernels/layer.h"
#include "kernels/mgemm/mgemm_plan.h"
#include "kernels/model/predict.h"
#include "lib/base/memory.h"
#include "tests/support/conv_case.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

/* Tiles of two vectors, and slabs.  16 registers hold 2 x 4 sums, 6 inputs and 2 weights;
 * without fused multiply-adds, where a product is in one too, 2 x 3, 5 and 2; at stride 2
 * 2 x 3, 7 and 2.  32 hold 2 x 9, 11 and 2; at stride 2 2 x 7, 15 and 2, where NEON's list ends at
 * 2 x 6.  Pointwise: 2 x 4, 4 and 2 of 16, 2 x 10, 10 and 2 of 32.  */
static const struct {
    const char *layer, *text, *wf;
    int64_t wide[4]; /* 16 registers, without fused multiply-adds and with; NEON; AVX-512 */
    int64_t slab[3]; /* output channels, with vectors of 4, 8 and 16 */
} rows[] = {
    /* 9 * 64 * 4 = 2304 bytes a channel: all 128 have 294,912 */
    {"c=64,h=56,w=56,k=128,r=3,s=3,pad=1", "llc=294913", "keep", {3, 4, 9, 9}, {128, 128, 128}},
    /* one byte less: two slabs */
    {"c=64,h=56,w=56,k=128,r=3,s=3,pad=1", "llc=294912", "keep", {3, 4, 9, 9}, {64, 64, 64}},
    /* 100,000 bytes: 43 channels, so 40, 32 and 32; four slabs of 128 */
    {"c=64,h=56,w=56,k=128,r=3,s=3,pad=1", "llc=100000", "keep", {3, 4, 9, 9}, {32, 32, 32}},
    /* 18,432 bytes a channel, 1 MiB: 56 channels, so 56, 48 and 32 */
    {"c=512,h=7,w=7,k=512,r=3,s=3,pad=1", "llc=1048576", "keep", {3, 4, 9, 9}, {56, 48, 32}},
    /* less than a block */
    {"c=512,h=7,w=7,k=512,r=3,s=3,pad=1", "llc=1", "keep", {3, 4, 9, 9}, {8, 16, 32}},
    {"c=64,h=56,w=56,k=64,r=3,s=3,stride=2,pad=1",
     "llc=1048576",
     "keep",
     {3, 3, 6, 7},
     {64, 64, 64}},
    {"c=256,h=14,w=14,k=64,r=1,s=1", "llc=1048576", "reload", {4, 4, 10, 10}, {64, 64, 64}},
    /* a first layer, in blocks too */
    {"c=3,h=32,w=32,k=32,r=3,s=3,pad=1", "llc=1048576", "keep", {3, 4, 9, 9}, {32, 32, 32}},
    /* tile and slab of one's own */
    {"c=64,h=56,w=56,k=128,r=3,s=3,pad=1", "llc=1,wo=2,cco=64", "keep", {2, 2, 2, 2}, {64, 64, 64}},
};

static void test_plan(enum isa isa, size_t row)
{
    const int vector = isa_vector(isa);
    const int64_t width = rows[row].wide[isa == ISA_AVX512          ? 3
                                         : isa_registers(isa) == 32 ? 2
                                                                    : isa_fused(isa)];
    const int64_t cco = rows[row].slab[vector == 4 ? 0 : vector == 8 ? 1 : 2];
    struct error error = {""};
    struct conv_plan plan;
    const struct conv_choice *c = &plan.choice;
    const struct mgemm_plan *m;
    char *text = memory_printf("preset=paper,%s", rows[row].text);

    if (!ok(conv_case_plan(&plan, rows[row].layer, text, isa, 1, &error), "%s, %s: a plan %s",
            isa_name(isa), rows[row].layer, error.text)) {
        free(text);
        return;
    }
    m = plan.state;
    is_text(c->preset, "paper", "named");
    ok(c->llc > 0 && strstr(rows[row].text, "llc=") != NULL, "with the cache that was given");
    ok(strcmp(c->wf, rows[row].wf) == 0 && m->keep == (plan.request.shape.s == 3),
       "the filter's width is inside, with inputs kept");
    ok(strcmp(c->hfil, "outside") == 0 && m->hfil_outside, "its height outside");
    ok(strcmp(c->order, "tile-co") == 0 && !m->co_outside && !m->lines_inside,
       "tiles around channel blocks");
    ok(c->cci == plan.request.shape.c && m->channels == c->cci && c->rows == 1,
       "outputs are kept across all input channels");
    ok(c->ci == vector && plan.input.block == vector && plan.output.block == vector,
       "input and output in blocks of a vector");
    is_int(c->co, (int64_t)2 * vector, "two vectors");
    is_int(c->wo, width, "pixels");
    is_int(c->cco, cco, "channels of a slab, %s", rows[row].text);
    conv_plan_clear(&plan);
    free(text);
}

/* Filters in several slabs, rows of one tile and of several, remainders everywhere.  */
static const char *const layers[] = {
    "c=20,h=9,w=29,k=70,r=3,s=3,pad=1",    "n=2,c=33,h=7,w=7,k=37,r=3,s=3,pad=1",
    "c=3,h=31,w=33,k=16,r=3,s=3,pad=1",    "c=48,h=17,w=27,k=50,r=3,s=3,stride=2,pad=1",
    "n=2,c=33,h=17,w=21,k=20,r=1,s=1",     "c=8,h=5,w=5,k=8,r=1,s=1,stride=2",
    "c=12,h=17,w=17,k=20,r=7,s=1,pad=3x0", "c=32,h=9,w=9,k=64,r=3,s=3,pad=1,groups=2",
};

static void test_results(enum isa isa)
{
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        struct error error = {""};
        struct conv_shape shape;
        struct conv_case *test;

        if (!ok(layer_parse(layers[i], &shape, &error), "%s %s", layers[i], error.text))
            continue;
        test = conv_case_new(&shape, i % 2 == 0, (uint32_t)i + 1);
        ok(conv_case_run(test, conv_kernel_find("mgemm"), "preset=paper,llc=20000", isa, 1,
                         &error) == CONV_RIGHT,
           "%s, right: %s", isa_name(isa), error.text);
        conv_case_free(test);
    }
}

static void test_refusals(void)
{
    static const char *const bad[][2] = {
        {"c=16,h=9,w=9,k=16,r=5,s=5", "preset=paper"},
        {"c=16,h=9,w=9,k=16,r=3,s=3,dilation=2", "preset=paper"},
        {"c=16,h=9,w=9,k=16,r=3,s=3,stride=3", "preset=paper"},
        {"c=20,h=9,w=9,k=20,r=3,s=3,groups=2", "preset=paper"},
        {"c=16,h=9,w=9,k=16,r=3,s=3,groups=16", "preset=paper"},
        {"c=16,h=9,w=9,k=16,r=3,s=3", "preset=paper,wf=reload"},
        {"c=16,h=9,w=9,k=16,r=3,s=3", "preset=paper,cci=16"},
        {"c=16,h=9,w=9,k=16,r=3,s=3", "preset=paper,co=6"},
        {"c=16,h=9,w=9,k=16,r=3,s=3", "preset=paper,cco=12"},
        {"c=16,h=9,w=9,k=16,r=3,s=3", "llc=4096"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error error = {""};
        struct conv_plan plan;

        if (!ok(!conv_case_plan(&plan, bad[i][0], bad[i][1], ISA_GENERIC, 1, &error) &&
                    error.text[0] != '\0',
                "%s refused: %s", bad[i][1], error.text))
            conv_plan_clear(&plan);
    }
}

static void write_word(const char *folder, int index, const char *name, const char *word)
{
    char *path = memory_printf("%s/index%d", folder, index);
    FILE *out;

    mkdir(path, 0777);
    free(path);
    path = memory_printf("%s/index%d/%s", folder, index, name);
    out = fopen(path, "w");
    ok(out != NULL && fputs(word, out) >= 0 && fclose(out) == 0, "%s: %s", name, word);
    free(path);
}

static void write_cache(const char *folder, int index, const char *level, const char *type,
                        const char *size)
{
    write_word(folder, index, "level", level);
    write_word(folder, index, "type", type);
    write_word(folder, index, "size", size);
}

static void test_cache(void)
{
    char *folder = scratch_new();

    is_int(cache_last_level(folder), 0, "nothing is described");
    write_cache(folder, 0, "1\n", "Data\n", "48K\n");
    is_int(cache_last_level(folder), 48 << 10, "one level");
    write_cache(folder, 1, "3\n", "Unified\n", "30M\n");
    write_cache(folder, 2, "2\n", "Unified\n", "2048K\n");
    is_int(cache_last_level(folder), 30 << 20, "the highest, not the last described");
    write_cache(folder, 3, "4\n", "Instruction\n", "64M\n");
    write_cache(folder, 4, "5\n", "Unified\n", "large\n");
    is_int(cache_last_level(folder), 30 << 20, "of data, with a size");
    scratch_remove(folder);
}

int main(void)
{
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        if (!isa_available(isa)) {
            tap_skip(1, "the machine lacks the instruction set");
            continue;
        }
        for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
            test_plan(isa, row);
        test_results(isa);
    }
    test_refusals();
    test_cache();
    return tap_done();
}
