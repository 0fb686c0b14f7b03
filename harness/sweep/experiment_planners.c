/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/experiment_planners.h"

#include <search.h>
#include <string.h>

#include "harness/io/kernel_workspace.h"
#include "harness/run/contestants.h"
#include "kernels/kernel.h"
#include "lib/base/memory.h"

static int by_text(const void *left, const void *right)
{
    return strcmp(left, right);
}

/* Takes over WORKLOAD, unless the set has its label already.  */
static void add_workload(struct experiment_set *set, struct workload *workload)
{
    char *const *found = tsearch(workload->label, &set->labels, by_text);

    if (found == NULL)
        memory_exhausted();
    if (*found != workload->label) {
        workload_clear(workload);
        return;
    }
    set->workload = memory_resize(set->workload, set->n_workloads + 1, sizeof *set->workload);
    set->workload[set->n_workloads++] = *workload;
}

static void keep(void *label)
{
    (void)label; /* the workload's */
}

void experiment_clear_labels(struct experiment_set *set)
{
    tdestroy(set->labels, keep);
    set->labels = NULL;
}

/* Whether WORKLOAD asks a kernel whose library was not there when this was built.  */
static bool asks_absent(const struct workload *workload)
{
    for (size_t i = 0; i < workload->params.count; i++) {
        const struct param_value *value = &workload->params.value[i];

        if (strcmp(value->param->name, "workspace") == 0) {
            const struct conv_peer *peer = conv_peer_find(value->text);

            return peer != NULL && peer->absent != NULL;
        }
    }
    return false;
}

bool experiment_add_workloads(struct experiment_set *set, const char *text, struct error *error)
{
    struct text_list specs = {0};
    bool done = experiment_expand_networks(text, &specs, error);

    for (size_t i = 0; done && i < specs.n; i++) {
        struct workload workload;

        if (workload_data_missing(specs.text[i])) {
            text_list_add(&set->skipped, specs.text[i]);
            continue;
        }
        done = workload_parse(&workload, specs.text[i], error);
        workload.kernels = kernel_workspace;
        if (done && asks_absent(&workload)) {
            text_list_add(&set->unbuilt, workload.label);
            workload_clear(&workload);
        } else if (done) {
            add_workload(set, &workload);
        }
    }
    text_list_clear(&specs);
    return done;
}

bool experiment_add_solvers(struct experiment_set *set, const char *text, struct error *error)
{
    return contestants_add(&set->solvers, text, error);
}
