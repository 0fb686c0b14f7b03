#include <config.h>

#include "harness/experiment_sets.h"

#include <stdlib.h>
#include <string.h>

#include "harness/contestants.h"
#include "lib/loops.h"
#include "lib/memory.h"
#include "lib/network.h"
#include "solvers/solver.h"
#include "workloads/workload.h"

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
void experiment_networks(struct text_list *names)
{
    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++)
            if (!has_loops(network_registry[f]->model[m].name))
                text_list_add(names, network_registry[f]->model[m].name);
}

static void solver_names(struct text_list *names)
{
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++)
        if ((entry->solver->capabilities & SOLVER_RAW_PARAMETER) == 0)
            text_list_add(names, entry->solver->name);
}

/* Takes over WORKLOAD, unless the set has its label already.  */
static void add_workload(struct experiment_set *set, struct workload *workload)
{
    for (size_t i = 0; i < set->n_workloads; i++)
        if (strcmp(set->workload[i].label, workload->label) == 0) {
            workload_clear(workload);
            return;
        }
    set->workload = memory_resize(set->workload, set->n_workloads + 1, sizeof *set->workload);
    set->workload[set->n_workloads++] = *workload;
}

bool experiment_add_workloads(struct experiment_set *set, const char *text, struct error *error)
{
    struct text_list names = {0}, specs = {0};
    bool done;

    experiment_networks(&names);
    done = experiment_expand(text, "@networks", &names, &specs, error);
    for (size_t i = 0; done && i < specs.n; i++) {
        struct workload workload;

        if (workload_data_missing(specs.text[i])) {
            text_list_add(&set->skipped, specs.text[i]);
            continue;
        }
        done = workload_parse(&workload, specs.text[i], error);
        if (done)
            add_workload(set, &workload);
    }
    text_list_clear(&specs);
    text_list_clear(&names);
    return done;
}

static bool add_solver(struct experiment_set *set, const char *spec, struct error *error)
{
    struct contestant contestant;

    if (!contestant_parse(&contestant, spec, error))
        return false;
    for (size_t i = 0; i < set->n_solvers; i++)
        if (strcmp(set->solver[i].label, contestant.label) == 0) {
            contestant_clear(&contestant);
            return true;
        }
    set->solver = memory_resize(set->solver, set->n_solvers + 1, sizeof *set->solver);
    set->solver[set->n_solvers++] = contestant;
    return true;
}

bool experiment_add_solvers(struct experiment_set *set, const char *text, struct error *error)
{
    struct text_list names = {0}, specs = {0};
    bool done = true;

    solver_names(&names);
    /* A command's braces are the command's.  */
    if (contestants_raw(text))
        text_list_add(&specs, text);
    else
        done = experiment_expand(text, "@all", &names, &specs, error);
    for (size_t i = 0; done && i < specs.n; i++)
        done = add_solver(set, specs.text[i], error);
    text_list_clear(&specs);
    text_list_clear(&names);
    return done;
}

void experiment_set_clear(struct experiment_set *set)
{
    for (size_t i = 0; i < set->n_workloads; i++)
        workload_clear(&set->workload[i]);
    for (size_t i = 0; i < set->n_solvers; i++)
        contestant_clear(&set->solver[i]);
    text_list_clear(&set->skipped);
    experiment_layers_clear(&set->layers);
    free(set->workload);
    free(set->solver);
    free(set->seed);
}
