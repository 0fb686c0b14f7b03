/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/emitted/emitted.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mgemm/mgemm_plan.h"
#include "lib/base/memory.h"

static const char *const forms[MGEMM_FORMS] = {
    [MGEMM_BLOCKED_1] = "BLOCKED_1",
    [MGEMM_BLOCKED_2] = "BLOCKED_2",
    [MGEMM_BLOCKED_ANY] = "BLOCKED_ANY",
    [MGEMM_PLANAR_1] = "PLANAR_1",
    [MGEMM_PLANAR_2] = "PLANAR_2",
    [MGEMM_PLANAR_ANY] = "PLANAR_ANY",
    [MGEMM_POINT] = "POINT",
    [MGEMM_KEEP] = "KEEP",
    [MGEMM_KEEP_2] = "KEEP_2",
    [MGEMM_FILTER] = "FILTER",
};

/* Behind a tile's name, of planar tiles that have a function for so many taps.  */
static const char *part(const struct conv_plan *plan, const struct mgemm_tile *tile)
{
    const struct conv_shape *shape = &plan->request.shape;
    const bool side_by_side = shape->dilation_w == 1 && plan->choice.ci == 1 &&
                              (strcmp(plan->choice.wf, "keep") == 0 || !tile->window);

    if (side_by_side && shape->s == 3 && tile->taps3 != NULL)
        return "_taps3";
    return side_by_side && shape->s == 7 && tile->taps7 != NULL ? "_taps7" : "";
}

const struct emitted_loop *emitted_find(const struct conv_plan *plan)
{
    const struct conv_choice *c = &plan->choice;
    const char *isa = isa_name(plan->request.isa);
    const struct emitted_loop *loop = emitted_registry;
    const struct mgemm_tile *tile;
    enum mgemm_form form;
    int64_t vectors;
    char *name;

    /* Depthwise plans are another's; patches are a layer of another shape.  */
    if (plan->kernel != conv_kernel_find("mgemm") || c->order == NULL)
        return NULL;
    form = mgemm_find_form(&plan->request.shape, c);
    vectors = c->co / isa_vector(plan->request.isa);
    tile = mgemm_set(plan->request.isa)->tile[form][c->rows - 1][vectors - 1][c->wo - 1];
    name = memory_printf("tile_%s_r%" PRId64 "_v%" PRId64 "_w%" PRId64 "%s", forms[form], c->rows,
                         vectors, c->wo, part(plan, tile));
    while (loop->name != NULL && (strcmp(loop->isa, isa) != 0 || strcmp(loop->name, name) != 0))
        loop++;
    free(name);
    return loop->name == NULL ? NULL : loop;
}

double emitted_operations(const struct emitted_loop *loop, int vector)
{
    return (double)loop->floats / ((double)loop->multiply_adds * vector);
}
