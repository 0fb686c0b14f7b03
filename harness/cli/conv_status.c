/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/conv_status.h"

#include <stdio.h>

/* "kernel 3/9 mgemm on avx2", or "kernels 1-9/9, round 4".  */
static void describe_moment(const struct conv_status *status, char *text, size_t size)
{
    const struct conv_moment *moment = &status->moment;

    if (moment->name == NULL)
        snprintf(text, size, "to begin with");
    else if (moment->round == 0)
        snprintf(text, size, "%s %zu/%zu %.60s on %s", status->what, moment->last, moment->all,
                 moment->name, isa_name(moment->isa));
    else
        snprintf(text, size, "%ss %zu-%zu/%zu, round %d", status->what, moment->first, moment->last,
                 moment->all, moment->round);
}

static void show(void *context, struct status_line *line)
{
    const struct conv_status *status = context;
    const struct conv_moment *moment = &status->moment;
    char text[120], best[160] = "";

    describe_moment(status, text, sizeof text);
    if (moment->best_s > 0.0)
        snprintf(best, sizeof best, "  best %.4g GFLOP/s (%.60s)",
                 2e-9 * (double)conv_shape_macs(&status->layer->shape) / moment->best_s,
                 moment->best);
    status_line_show(line, "layer %zu/%zu  %s  %s%s  %.120s", status->begun, status->layers,
                     line->elapsed, text, best, status->layer->name);
}

bool conv_status_begin(struct conv_status *status, size_t layers, struct error *error)
{
    status->layers = layers;
    status->begun = 0;
    return vigil_begin(&status->vigil, show, status, error);
}

void conv_status_layer(struct conv_status *status, const struct layer *layer)
{
    status->layer = layer;
    status->begun++;
}

void conv_status_contest(struct conv_status *status, const char *what, size_t all)
{
    status->moment = (struct conv_moment){.all = all};
    status->what = what;
}
