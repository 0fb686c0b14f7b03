#include <config.h>

#include "harness/sweep/experiment_planners.h"

#include <string.h>

#include "harness/run/contestants.h"
#include "lib/base/memory.h"
#include "solvers/solver.h"

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
