/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/solver.h"

#include <string.h>

const struct solver_entry *solver_find(const char *name)
{
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++)
        if (strcmp(entry->solver->name, name) == 0)
            return entry;
    return NULL;
}

unsigned solver_usual_capabilities(const struct solver *solver)
{
    struct params usual;
    struct error error;
    unsigned capabilities = solver->capabilities;

    if (!params_parse(&usual, solver->name, NULL, &solver->params, 1, &error))
        return capabilities; /* one parameter has to be given */
    capabilities = solver_capabilities(solver, &usual);
    params_clear(&usual);
    return capabilities;
}

unsigned solver_capabilities(const struct solver *solver, const struct params *params)
{
    return solver->capabilities | (solver->gains == NULL ? 0 : solver->gains(params));
}
