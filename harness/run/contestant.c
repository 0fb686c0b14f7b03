#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "solvers/solver.h"

static bool unknown_solver(const char *name, struct error *error)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;

    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++) {
        names = memory_grow(names, &capacity, count + 1, sizeof *names);
        names[count++] = entry->solver->name;
    }
    error_unknown(error, "solver", name, names, count, "; see 'arenabench list solvers'");
    free(names);
    return false;
}

static bool parse_params(struct contestant *contestant, const char *text, struct error *error)
{
    const struct solver *solver = contestant->entry->solver;
    char *what;
    bool parsed;

    what = memory_printf("solver %s", solver->name);
    if ((solver->capabilities & SOLVER_RAW_PARAMETER) != 0)
        parsed =
            params_raw(&contestant->params, what, solver->params, text == NULL ? "" : text, error);
    else
        parsed = params_parse(&contestant->params, what, text, &solver->params, 1, error);
    free(what);
    return parsed;
}

static char *make_label(const struct contestant *contestant)
{
    const struct solver *solver = contestant->entry->solver;
    char *canonical, *label;

    canonical = (solver->capabilities & SOLVER_RAW_PARAMETER) != 0
                    ? params_raw_canonical(&contestant->params)
                    : params_canonical(&contestant->params);
    label = memory_printf("%s%s%s", solver->name, canonical[0] == '\0' ? "" : ":", canonical);
    free(canonical);
    return label;
}

bool contestant_parse(struct contestant *contestant, const char *spec, struct error *error)
{
    const char *colon = strchrnul(spec, ':');
    char *name = memory_printf("%.*s", (int)(colon - spec), spec);
    bool parsed;

    *contestant = (struct contestant){.entry = solver_find(name)};
    if (contestant->entry == NULL)
        parsed = unknown_solver(name, error);
    else
        parsed = parse_params(contestant, *colon == ':' ? colon + 1 : NULL, error);
    if (parsed)
        contestant->label = make_label(contestant);
    free(name);
    return parsed;
}

bool contestant_takes_seed(const struct contestant *contestant)
{
    if ((contestant->entry->solver->capabilities & SOLVER_SEED) != 0)
        return true;
    for (size_t i = 0; i < contestant->params.count; i++) {
        const struct param_value *value = &contestant->params.value[i];

        if (strcmp(value->param->name, "ties") == 0)
            return strcmp(value->text, "shuffle") == 0;
    }
    return false;
}

void contestant_clear(struct contestant *contestant)
{
    params_clear(&contestant->params);
    free(contestant->label);
    free(contestant->build);
    *contestant = (struct contestant){0};
}
