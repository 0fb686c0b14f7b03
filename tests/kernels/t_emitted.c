/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was counted in the emitted tiles: each plan finds its own loop, and no loop moves fewer
 * floats than the model says it must.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "kernels/emitted/emitted.h"
#include "kernels/mgemm/mgemm_plan.h"
#include "kernels/model/model.h"
#include "lib/base/memory.h"
#include "tests/support/conv_case.h"
#include "tests/support/tap.h"

/* Plans LAYER with a tile of VECTORS; false where there is none.  */
static bool make(struct conv_plan *plan, const char *layer, int vectors, const char *text,
                 enum isa isa)
{
    char *all = memory_printf("co=%d,%s", vectors * isa_vector(isa), text);
    struct error error;
    bool done = conv_case_plan(plan, layer, all, isa, 1, &error);

    free(all);
    return done;
}

static void test_names(enum isa isa)
{
    static const struct {
        const char *layer, *text, *name;
    } rows[] = {
        {"c=64,h=28,w=28,k=64,r=3,s=3,pad=1", "wf=keep,wo=2", "tile_KEEP_r1_v2_w2"},
        {"c=64,h=28,w=28,k=64,r=3,s=3,pad=1", "wf=reload,wo=3", "tile_BLOCKED_1_r1_v2_w3"},
        {"c=64,h=28,w=28,k=64,r=3,s=3,pad=1", "wf=filter,wo=2", "tile_FILTER_r1_v2_w2"},
        {"c=64,h=28,w=28,k=64,r=3,s=3,pad=1", "rows=2,wo=2", "tile_BLOCKED_1_r2_v2_w2"},
        {"c=64,h=28,w=28,k=64,r=3,s=3,stride=2", "wf=keep,wo=2", "tile_KEEP_2_r1_v2_w2"},
        {"c=64,h=28,w=28,k=64,r=1,s=1", "wo=4", "tile_POINT_r1_v2_w4"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct emitted_loop *loop;
        struct conv_plan plan;

        if (!ok(make(&plan, rows[i].layer, 2, rows[i].text, isa), "%s, %s: a plan", isa_name(isa),
                rows[i].text))
            continue;
        loop = emitted_find(&plan);
        if (ok(loop != NULL, "has a loop")) {
            is_text(loop->name, rows[i].name, "its own");
            is_text(loop->isa, isa_name(isa), "of its instruction set");
        }
        conv_plan_clear(&plan);
    }
}

/* Planes have functions for some filters, on AVX2.  */
static void test_planes(void)
{
    static const char *const names[][2] = {
        {"c=3,h=28,w=28,k=64,r=3,s=3", "tile_PLANAR_1_r1_v2_w6_taps3"},
        {"c=3,h=28,w=28,k=64,r=7,s=7,stride=2", "tile_PLANAR_2_r1_v2_w6_taps7"},
        {"c=3,h=28,w=28,k=64,r=5,s=5", "tile_PLANAR_1_r1_v2_w6"},
        {"c=3,h=28,w=28,k=64,r=3,s=3,dilation=2", "tile_PLANAR_1_r1_v2_w6"},
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct emitted_loop *loop;
        struct conv_plan plan;

        if (!ok(make(&plan, names[i][0], 2, "wo=6", ISA_AVX2), "%s: a plan", names[i][0]))
            continue;
        loop = emitted_find(&plan);
        is_text(loop == NULL ? NULL : loop->name, names[i][1], "its loop");
        conv_plan_clear(&plan);
    }
}

/* Inputs and weights of the inner loop; outputs are outside of it.  */
static double modelled(const struct conv_plan *plan)
{
    const struct conv_choice *c = &plan->choice;
    const struct model_cost cost = model_exact(&plan->request.shape, c->co, c->wo, c->rows,
                                               strcmp(c->wf, "reload") != 0, true);

    return cost.input + cost.filter;
}

static void test_counts(enum isa isa)
{
    static const char *const across[] = {"reload", "keep", "filter"};
    int tiles = 0, fewer = 0;

    for (int vectors = 1; vectors <= MGEMM_MAX_VECTORS; vectors++)
        for (int width = 1; width <= MGEMM_MAX_WIDTH; width++)
            for (size_t i = 0; i < 3; i++) {
                char *text = memory_printf("wo=%d,wf=%s", width, across[i]);
                const struct emitted_loop *loop;
                struct conv_plan plan;

                if (make(&plan, "c=64,h=28,w=28,k=64,r=3,s=3,pad=1", vectors, text, isa)) {
                    loop = emitted_find(&plan);
                    tiles += loop != NULL;
                    if (loop != NULL &&
                        emitted_operations(loop, isa_vector(isa)) < modelled(&plan) - 1e-9) {
                        tap_diag("%s: %g, expected at least %g", loop->name,
                                 emitted_operations(loop, isa_vector(isa)), modelled(&plan));
                        fewer++;
                    }
                    conv_plan_clear(&plan);
                }
                free(text);
            }
    ok(tiles > 40 && fewer == 0, "%s: %d tiles move at least what the model says", isa_name(isa),
       tiles);
}

static void test_arithmetic(void)
{
    const struct emitted_loop loop = {"avx512", "tile", 54, 107, 0};
    struct conv_plan plan;

    ok(emitted_operations(&loop, 16) == 107.0 / 864.0, "floats over multiply-accumulates");
    if (ok(make(&plan, "c=64,h=9,w=9,k=64,r=3,s=3", 1, "rows=1", ISA_GENERIC), "a plan")) {
        plan.kernel = NULL; /* as of a depthwise layer */
        ok(emitted_find(&plan) == NULL, "another kernel's has no loop");
        plan.kernel = conv_kernel_find("mgemm");
        conv_plan_clear(&plan);
    }
}

int main(void)
{
    test_arithmetic();
    if (emitted_registry[0].name == NULL) {
        tap_skip(1, "the build counted nothing: another processor, or no objdump");
        return tap_done();
    }
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        if (!isa_available(isa)) {
            tap_skip(1, "the machine lacks the instruction set");
            continue;
        }
        test_names(isa);
        test_counts(isa);
    }
    if (isa_available(ISA_AVX2))
        test_planes();
    return tap_done();
}
