/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/experiment_set.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/kernel_workspace.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/loops.h"

bool experiment_expand(const char *text, const char *word, const struct text_list *names,
                       struct text_list *list, struct error *error)
{
    size_t length = strlen(word);
    bool done = true;

    if (text[0] != '@')
        return expand_braces(text, list, error);
    if (strncmp(text, word, length) != 0 || (text[length] != '\0' && text[length] != ':'))
        return error_set(error, "'%s': expected %s, with or without parameters", text, word);
    for (size_t i = 0; done && i < names->n; i++) {
        char *whole = memory_printf("%s%s", names->text[i], text + length);

        done = expand_braces(whole, list, error);
        free(whole);
    }
    return done;
}

static bool has_loops(const char *name)
{
    struct workload workload;
    struct network *network = NULL;
    bool loops;

    if (!workload_parse(&workload, name, NULL))
        return false;
    network = workload_network(&workload, NULL);
    loops = network != NULL && network_has_loops(network);
    network_free(network);
    workload_clear(&workload);
    return loops;
}

/* Not every parameter goes with loops: networks that have some are named where they
 * are wanted.  */
static void add_networks(struct text_list *names)
{
    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++)
            if (!has_loops(network_registry[f]->model[m].name))
                text_list_add(names, network_registry[f]->model[m].name);
}

/* The networks are built to be looked at, so only where they are wanted.  */
bool experiment_expand_networks(const char *text, struct text_list *list, struct error *error)
{
    struct text_list names = {0};
    bool done;

    if (text[0] == '@')
        add_networks(&names);
    done = experiment_expand(text, "@networks", &names, list, error);
    text_list_clear(&names);
    return done;
}

/* --- workloads and solvers --- */

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
