/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/experiment_runs.h"

#include <stdlib.h>
#include <string.h>

#include "harness/sweep/experiment_layers.h"
#include "harness/timing/execution_kernel.h"
#include "kernels/isa.h"
#include "kernels/pool.h"
#include "lib/base/memory.h"

static bool is_known(const struct experiment_runs *runs, const struct experiment_kernel *kernel)
{
    for (size_t k = 0; k < runs->n_kernels; k++)
        if (strcmp(runs->kernel[k].name, kernel->name) == 0 &&
            runs->kernel[k].threads == kernel->threads && runs->kernel[k].groups == kernel->groups)
            return true;
    return false;
}

/* The name becomes the kernel's own, so that two names of one kernel are one.  */
static bool find_kernel(struct experiment_kernel *kernel, struct error *error)
{
    struct execution_kernel found;

    if (!execution_kernel_find(kernel->name, &found, error))
        return false;
    kernel->entry = found.entry;
    if (found.entry != NULL) {
        free(kernel->name);
        kernel->name = memory_strdup(found.entry->kernel->name);
    }
    kernel->groups = strcmp(kernel->params, "groups=on") == 0;
    if (kernel->rank > 0)
        return error_set(error, "kernel '%s' has a rank: expected threads=N, groups=on or nothing",
                         kernel->name);
    return kernel->groups || kernel->params[0] == '\0' ||
           error_set(error, "kernel '%s' has '%s': expected threads=N, groups=on or nothing",
                     kernel->name, kernel->params);
}

/* Threads beyond the processors there are leave nothing to add.  */
static bool add_kernel(struct experiment_runs *runs, const char *spec, struct error *error)
{
    struct experiment_kernel kernel;
    bool done = experiment_split_kernel(&kernel, spec, error) && find_kernel(&kernel, error);

    if (!done || is_known(runs, &kernel) || kernel.threads > pool_processors()) {
        experiment_clear_kernel(&kernel);
        return done;
    }
    runs->kernel = memory_resize(runs->kernel, runs->n_kernels + 1, sizeof *runs->kernel);
    runs->kernel[runs->n_kernels++] = kernel;
    return true;
}

bool experiment_add_run_kernels(struct experiment_set *set, const char *text, struct error *error)
{
    struct text_list specs = {0};
    bool done = isa_default(&set->runs.isa, error) && expand_braces(text, &specs, error);

    for (size_t i = 0; done && i < specs.n; i++)
        done = add_kernel(&set->runs, specs.text[i], error);
    text_list_clear(&specs);
    return done;
}

bool experiment_has_pair(const struct experiment_set *set, size_t solver, size_t kernel)
{
    return set->runs.all_pairs || kernel == 0 || solver + 1 == set->solvers.count;
}

void experiment_runs_clear(struct experiment_runs *runs)
{
    for (size_t k = 0; k < runs->n_kernels; k++)
        experiment_clear_kernel(&runs->kernel[k]);
    free(runs->kernel);
}
