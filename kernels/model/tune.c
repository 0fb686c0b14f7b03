/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/model/tune.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mgemm/mgemm_sets.h"
#include "kernels/model/machine_calibrate.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

static char *describe(const struct conv_choice *c)
{
    return memory_printf("co=%" PRId64 ",wo=%" PRId64 ",ci=%" PRId64 ",wf=%s,hfil=%s,rows=%" PRId64
                         ",cco=%" PRId64 ",order=%s,cci=%" PRId64,
                         c->co, c->wo, c->ci, c->wf, c->hfil, c->rows, c->cco, c->order, c->cci);
}

static void add_choice(struct tune_list *list, const struct conv_plan *plan,
                       const struct prediction *prediction)
{
    list->choice =
        memory_grow(list->choice, &list->capacity, list->count + 1, sizeof *list->choice);
    list->choice[list->count] = (struct tune_choice){
        .params = describe(&plan->choice),
        .cci = plan->choice.cci,
        .prediction = *prediction,
        .index = list->count,
    };
    list->count++;
}

/* The place of the choice that mgemm makes by itself, whose parameters are TEXT.  */
static size_t find_choice(const struct tune_list *list, const char *text)
{
    size_t i = 0;

    while (i < list->count && strcmp(list->choice[i].params, text) != 0)
        i++;
    return i;
}

/* Adds the choice that mgemm makes by itself unless it is there.  Returns its
 * parameters, which the caller frees; NULL: nothing is tuned.  */
static char *add_standard(struct tune_list *list, const struct conv_request *request,
                          const struct machine *machine)
{
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    struct prediction prediction;
    struct error error = {""};
    struct params params;
    struct conv_plan plan;
    char *text = NULL;

    if (!params_parse(&params, kernel->name, "", &kernel->params, 1, &error))
        return NULL;
    if (conv_plan_make(&plan, kernel, request, &params, &error)) {
        if (predict_plan(&plan, machine, &prediction)) {
            text = describe(&plan.choice);
            if (find_choice(list, text) == list->count)
                add_choice(list, &plan, &prediction);
        }
        conv_plan_clear(&plan);
    }
    params_clear(&params);
    return text;
}

/* Tries one set of parameters.  What can't be planned is left out, and what the
 * kernel plans with another place of the filter rows than HFIL, or other input
 * channels at a time than CCI, which is tried by itself.  CCI 0: any.  */
static void try_params(struct tune_list *list, const struct conv_request *request,
                       const struct machine *machine, const char *text, const char *hfil,
                       int64_t cci)
{
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    struct prediction prediction;
    struct error error = {""};
    struct params params;
    struct conv_plan plan;

    if (!params_parse(&params, kernel->name, text, &kernel->params, 1, &error))
        return;
    if (conv_plan_make(&plan, kernel, request, &params, &error)) {
        if (predict_plan(&plan, machine, &prediction) && strcmp(plan.choice.hfil, hfil) == 0 &&
            (cci == 0 || plan.choice.cci == cci))
            add_choice(list, &plan, &prediction);
        conv_plan_clear(&plan);
    }
    params_clear(&params);
}

/* Channels that fill up whole vectors are work for nothing: no tile has more
 * vectors than the layer.  */
static int64_t most_vectors(const struct conv_request *request)
{
    const int64_t vector = isa_vector(request->isa);
    const int64_t vectors = (request->shape.k / request->shape.groups + vector - 1) / vector;

    return vectors < MGEMM_MAX_VECTORS ? vectors : MGEMM_MAX_VECTORS;
}

static const char *const across[] = {"reload", "keep", "filter"};

/* Every tile of the list, with CCI input channels at a time.  */
typedef void try_tile(struct tune_list *list, const struct conv_request *request,
                      const struct machine *machine, const char *tile, int64_t cci);

static void try_tiles(struct tune_list *list, const struct conv_request *request,
                      const struct machine *machine, int64_t cci, try_tile *try)
{
    for (int64_t vectors = 1; vectors <= most_vectors(request); vectors++)
        for (int rows = 1; rows <= MGEMM_MAX_ROWS; rows++)
            for (int width = 1; width <= MGEMM_MAX_WIDTH; width++) {
                char *tile = memory_printf("co=%" PRId64 ",rows=%d,wo=%d",
                                           vectors * isa_vector(request->isa), rows, width);

                try(list, request, machine, tile, cci);
                free(tile);
            }
}

/* With every order of the loops.  */
static void try_orders(struct tune_list *list, const struct conv_request *request,
                       const struct machine *machine, const char *tile, int64_t cci)
{
    static const char *const filter_rows[] = {"inside", "outside"};
    static const char *const orders[] = {"co-tile", "tile-co"};
    const size_t places = request->shape.r > 1 ? 2 : 1;

    for (size_t i = 0; i < 3 * places * 2; i++) {
        char *text = memory_printf("%s,wf=%s,hfil=%s,order=%s", tile, across[i / 2 % 3],
                                   filter_rows[i / 6], orders[i % 2]);

        try_params(list, request, machine, text, filter_rows[i / 6], cci);
        free(text);
    }
}

/* With the order of the loops in which the channels at a time matter most: a
 * panel of weights stays while the tiles go by.  */
static void try_channels(struct tune_list *list, const struct conv_request *request,
                         const struct machine *machine, const char *tile, int64_t cci)
{
    for (size_t i = 0; i < 3; i++) {
        char *text =
            memory_printf("%s,wf=%s,hfil=inside,order=co-tile,cci=%" PRId64, tile, across[i], cci);

        try_params(list, request, machine, text, "inside", cci);
        free(text);
    }
}

static int compare_choices(const void *a, const void *b)
{
    const struct tune_choice *x = a, *y = b;

    return predict_compare(&x->prediction, &y->prediction) ?: ORDER(x->index, y->index);
}

static void sort_from(struct tune_list *list, size_t first)
{
    if (list->count > first)
        qsort(list->choice + first, list->count - first, sizeof *list->choice, compare_choices);
}

void tune_rank(struct tune_list *list, const struct conv_request *request,
               const struct machine *machine)
{
    const int64_t channels = request->shape.c / request->shape.groups, least = 32;
    size_t ruled;
    char *standard;

    memset(list, 0, sizeof *list);
    try_tiles(list, request, machine, 0, try_orders);
    standard = add_standard(list, request, machine);
    if (standard == NULL) { /* mgemm does something else that these settings are slower than */
        tune_list_free(list);
        return;
    }
    sort_from(list, 0);
    list->standard = find_choice(list, standard);
    free(standard);
    ruled = list->count;
    for (int64_t cci = least; ruled > 0 && cci / 2 < channels; cci *= 2) {
        const int64_t most = cci < channels ? cci : channels;

        if (most != list->choice[0].cci)
            try_tiles(list, request, machine, most, try_channels);
    }
    sort_from(list, ruled);
}

void tune_list_free(struct tune_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->choice[i].params);
    free(list->choice);
    memset(list, 0, sizeof *list);
}

const struct tuner tuner_tune = {
    .name = "tune",
    .measure = machine_measure,
    .rank = tune_rank,
};
