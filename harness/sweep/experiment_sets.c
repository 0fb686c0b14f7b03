#include <config.h>

#include "harness/sweep/experiment_sets.h"

#include <stdlib.h>
#include <string.h>

#include "harness/run/contestants.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/loops.h"
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

/* --- sets of solvers --- */

static bool any(const struct solver *solver)
{
    (void)solver;
    return true;
}

static bool anytime(const struct solver *solver)
{
    return (solver->capabilities & SOLVER_ANYTIME) != 0;
}

static bool heuristic(const struct solver *solver)
{
    return solver->kind == SOLVER_HEURISTIC && !anytime(solver);
}

static bool has_ties(const struct solver *solver)
{
    for (const struct param *p = solver->params; p != NULL && p->name != NULL; p++)
        if (strcmp(p->name, "ties") == 0)
            return heuristic(solver);
    return false;
}

static bool has_native(const struct solver *solver)
{
    return solver->native.size > 1 || solver->native.offset > 1;
}

/* What needs something from the user is in none.  */
static const struct solver_set {
    const char *word;
    bool (*has)(const struct solver *solver);
} solver_sets[] = {{"@all", any},
                   {"@heuristics", heuristic},
                   {"@anytime", anytime},
                   {"@ties", has_ties},
                   {"@native", has_native}};
enum { SOLVER_SETS = sizeof solver_sets / sizeof solver_sets[0] };

static void solver_names(const struct solver_set *set, struct text_list *names)
{
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++)
        if ((entry->solver->capabilities & SOLVER_RAW_PARAMETER) == 0 && set->has(entry->solver))
            text_list_add(names, entry->solver->name);
}

/* The set that TEXT begins with, or @all, for want of which experiment_expand
 * complains.  */
static const struct solver_set *named_set(const char *text)
{
    size_t length = strcspn(text, ":");

    for (size_t i = 0; i < SOLVER_SETS; i++)
        if (strlen(solver_sets[i].word) == length &&
            strncmp(solver_sets[i].word, text, length) == 0)
            return &solver_sets[i];
    return &solver_sets[0];
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
    struct text_list specs = {0};
    bool done = experiment_expand_networks(text, &specs, error);

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
    const struct solver_set *named = named_set(text);
    struct text_list names = {0}, specs = {0};
    bool done = true;

    solver_names(named, &names);
    /* A command's braces are the command's.  */
    if (contestants_raw(text))
        text_list_add(&specs, text);
    else
        done = experiment_expand(text, named->word, &names, &specs, error);
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
