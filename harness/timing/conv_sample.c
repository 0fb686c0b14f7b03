/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/timing/conv_sample.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/base/sort.h"

enum kind { DENSE, POINTWISE, DEPTHWISE, GROUPED, KINDS };

static enum kind kind_of(const struct conv_shape *shape)
{
    if (shape->groups > 1)
        return shape->groups == shape->c ? DEPTHWISE : GROUPED;
    return shape->r == 1 && shape->s == 1 ? POINTWISE : DENSE;
}

/* Layers of one size class are next to one another, whatever their channels.  */
static int size_class(int64_t value)
{
    return 63 - __builtin_clzll((unsigned long long)value);
}

static int compare_layers(const void *a, const void *b)
{
    const struct conv_shape *x = &((const struct layer *)a)->shape;
    const struct conv_shape *y = &((const struct layer *)b)->shape;

    return ORDER(kind_of(x), kind_of(y))
               ?: ORDER(x->r * x->s, y->r * y->s)
               ?: ORDER(x->stride_h * x->stride_w, y->stride_h * y->stride_w)
               ?: ORDER(size_class(x->h * x->w), size_class(y->h * y->w))
               ?: ORDER(x->c * x->k, y->c * y->k);
}

/* Shares COUNT among the kinds, of which there are HAVE: equal ones, and what a kind has not so
 * many of is shared by the others.  */
static void share_out(const size_t *have, size_t count, size_t *share)
{
    memset(share, 0, KINDS * sizeof *share);
    while (count > 0)
        for (int k = 0; k < KINDS && count > 0; k++)
            if (share[k] < have[k]) {
                share[k]++;
                count--;
            }
}

/* Marks SHARE of the HAVE layers at TAKEN.  */
static void take_evenly(bool *taken, size_t have, size_t share, struct rng *rng)
{
    const double begin = rng_unit(rng), step = (double)have / (double)share;

    for (size_t i = 0; i < share; i++)
        taken[(size_t)((begin + (double)i) * step)] = true;
}

void conv_sample(struct layer_list *list, size_t from, size_t count, uint32_t seed)
{
    struct layer *layer = &list->layer[from];
    const size_t all = list->count - from;
    size_t have[KINDS] = {0}, share[KINDS], at = 0, kept = 0;
    struct rng *rng;
    bool *taken;

    if (count >= all)
        return;
    rng = rng_new(seed);
    taken = memory_zalloc(all, sizeof *taken);
    sort_stable(layer, all, sizeof *layer, compare_layers);
    for (size_t i = 0; i < all; i++)
        have[kind_of(&layer[i].shape)]++;
    share_out(have, count, share);
    for (int k = 0; k < KINDS; k++) {
        if (share[k] > 0)
            take_evenly(taken + at, have[k], share[k], rng);
        at += have[k];
    }
    for (size_t i = 0; i < all; i++)
        if (taken[i])
            layer[kept++] = layer[i];
        else
            free(layer[i].name);
    list->count = from + kept;
    memory_free(taken);
    rng_free(rng);
}
