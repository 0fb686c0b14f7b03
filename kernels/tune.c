#include <config.h>

#include "kernels/tune.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mgemm.h"
#include "lib/memory.h"

static void add_choice(struct tune_list *list, const struct conv_plan *plan,
                       const struct prediction *prediction)
{
    const struct conv_choice *c = &plan->choice;

    list->choice =
        memory_grow(list->choice, &list->capacity, list->count + 1, sizeof *list->choice);
    list->choice[list->count] = (struct tune_choice){
        .params =
            memory_printf("co=%" PRId64 ",wo=%" PRId64 ",ci=%" PRId64 ",wf=%s,hfil=%s,rows=%" PRId64
                          ",cco=%" PRId64 ",order=%s,cci=%" PRId64,
                          c->co, c->wo, c->ci, c->wf, c->hfil, c->rows, c->cco, c->order, c->cci),
        .prediction = *prediction,
        .index = list->count,
    };
    list->count++;
}

/* Tries one set of parameters.  What can't be planned is left out, and what the
 * kernel plans with another place of the filter rows than HFIL, which is tried
 * by itself.  */
static void try_params(struct tune_list *list, const struct conv_request *request,
                       const struct machine *machine, const char *text, const char *hfil)
{
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    struct prediction prediction;
    struct error error = {""};
    struct params params;
    struct conv_plan plan;

    if (!params_parse(&params, kernel->name, text, &kernel->params, 1, &error))
        return;
    if (conv_plan_make(&plan, kernel, request, &params, &error)) {
        if (predict_plan(&plan, machine, &prediction) && strcmp(plan.choice.hfil, hfil) == 0)
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

static void try_tile(struct tune_list *list, const struct conv_request *request,
                     const struct machine *machine, int64_t vectors, int rows, int width)
{
    static const char *const across[] = {"reload", "keep", "filter"};
    static const char *const filter_rows[] = {"inside", "outside"};
    static const char *const orders[] = {"co-tile", "tile-co"};
    const size_t places = request->shape.r > 1 ? 2 : 1;

    for (size_t i = 0; i < 3 * places * 2; i++) {
        char *text = memory_printf("co=%" PRId64 ",rows=%d,wo=%d,wf=%s,hfil=%s,order=%s",
                                   vectors * isa_vector(request->isa), rows, width,
                                   across[i / 2 % 3], filter_rows[i / 6], orders[i % 2]);

        try_params(list, request, machine, text, filter_rows[i / 6]);
        free(text);
    }
}

static int compare_choices(const void *a, const void *b)
{
    const struct tune_choice *x = a, *y = b;
    const int order = predict_compare(&x->prediction, &y->prediction);

    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

void tune_rank(struct tune_list *list, const struct conv_request *request,
               const struct machine *machine)
{
    memset(list, 0, sizeof *list);
    for (int64_t vectors = 1; vectors <= most_vectors(request); vectors++)
        for (int rows = 1; rows <= MGEMM_MAX_ROWS; rows++)
            for (int width = 1; width <= MGEMM_MAX_WIDTH; width++)
                try_tile(list, request, machine, vectors, rows, width);
    if (list->count > 0)
        qsort(list->choice, list->count, sizeof *list->choice, compare_choices);
}

void tune_list_free(struct tune_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->choice[i].params);
    free(list->choice);
    memset(list, 0, sizeof *list);
}
