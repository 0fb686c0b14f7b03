/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an experiment file: refused with a message that names it, or
 * accepted, and then what was read is within its limits.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "harness/run/runner.h"
#include "harness/sweep/experiment.h"
#include "tests/fuzz/bytes.h"

/* libconfig loses texts that it had read when it meets a syntax error; the leak
 * sanitizer asks this function what to pass over.  */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig.so\n";
}

static void check_set(const struct experiment_set *set)
{
    must(set->n_seeds > 0 && set->repetitions >= 1 && set->limits.time_s >= 0.0);
    must(set->limits.memory_bytes >= 0 && set->limits.work >= 0 && set->budget_s >= 0.0);
    for (size_t i = 0; i < set->n_seeds; i++)
        must(set->seed[i] != 0);
    for (size_t i = 0; i < set->n_workloads; i++)
        must(set->workload[i].label != NULL);
    for (size_t i = 0; i < set->solvers.count; i++)
        must(set->solvers.item[i].entry != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    char *text = bytes_text(data, size);
    struct experiment *experiment = experiment_parse("fuzz.cfg", text, &error);

    must(experiment != NULL || refused_at(&error, "fuzz.cfg:"));
    if (experiment != NULL) {
        must(experiment->name[0] != '\0' && strchr(experiment->name, '/') == NULL);
        must(experiment->has[EXPERIMENT_QUICK] || experiment->has[EXPERIMENT_FULL]);
        for (enum experiment_size s = EXPERIMENT_QUICK; s < EXPERIMENT_SIZES; s++)
            if (experiment->has[s])
                check_set(&experiment->set[s]);
    }
    experiment_free(experiment);
    free(text);
    return 0;
}
