/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an experiment file: refused with a message that names it, or
 * accepted, and then what was read is within its limits.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "harness/run/runner.h"
#include "harness/sweep/experiment.h"
#include "lib/base/memory.h"

/* libconfig loses texts that it had read when it meets a syntax error; the leak
 * sanitizer asks this function what to pass over.  */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig.so\n";
}

static void check_set(const struct experiment_set *set)
{
    if (set->n_seeds == 0 || set->repetitions < 1 || !(set->limits.time_s >= 0.0) ||
        set->limits.memory_bytes < 0 || set->limits.work < 0 || !(set->budget_s >= 0.0))
        abort();
    for (size_t i = 0; i < set->n_seeds; i++)
        if (set->seed[i] == 0)
            abort();
    for (size_t i = 0; i < set->n_workloads; i++)
        if (set->workload[i].label == NULL)
            abort();
    for (size_t i = 0; i < set->solvers.count; i++)
        if (set->solvers.item[i].entry == NULL)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    char *text = memory_alloc(size + 1, 1);
    struct experiment *experiment;

    memcpy(text, data, size);
    text[size] = '\0';
    experiment = experiment_parse("fuzz.cfg", text, &error);
    if (experiment == NULL && strncmp(error.text, "fuzz.cfg:", 9) != 0)
        abort();
    if (experiment != NULL) {
        if (experiment->name[0] == '\0' || strchr(experiment->name, '/') != NULL)
            abort();
        if (!experiment->has[EXPERIMENT_QUICK] && !experiment->has[EXPERIMENT_FULL])
            abort();
        for (enum experiment_size s = EXPERIMENT_QUICK; s < EXPERIMENT_SIZES; s++)
            if (experiment->has[s])
                check_set(&experiment->set[s]);
    }
    experiment_free(experiment);
    free(text);
    return 0;
}
