/* What a sweep runs: a file in libconfig's format.  Its settings are explained
 * at the top of experiments/gap.cfg.  */
#ifndef ARENABENCH_HARNESS_EXPERIMENT_H
#define ARENABENCH_HARNESS_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/expand.h"
#include "harness/runner.h"
#include "lib/error.h"
#include "workloads/workload.h"

enum experiment_size { EXPERIMENT_QUICK, EXPERIMENT_FULL, EXPERIMENT_SIZES };

struct experiment_set {
    size_t n_workloads;
    struct workload *workload; /* no two with the same label */
    struct text_list skipped;  /* workloads whose data are not there */
    size_t n_solvers;
    struct contestant *solver; /* no two with the same label */
    size_t n_seeds;
    uint32_t *seed;
    int64_t repetitions;
    struct run_limits limits; /* memory_bytes 0: not stated */
    double budget_s;
};

struct experiment {
    char *name, *title, *description; /* DESCRIPTION may be "" */
    struct text_list figures;
    bool timing;
    struct experiment_set set[EXPERIMENT_SIZES];
};

/* Reads TEXT, which came from PATH.  NULL with a message that names file and
 * line.  Every workload and solver in it is known and its parameters are good.  */
struct experiment *experiment_parse(const char *path, const char *text, struct error *error);

/* Reads the file that SPEC names: a path (with a '/' or ending in ".cfg"), or
 * one of the project's experiments.  */
struct experiment *experiment_read(const char *spec, struct error *error);
void experiment_free(struct experiment *experiment);

/* The names of the project's experiments, sorted.  */
bool experiment_names(struct text_list *names, struct error *error);

/* "quick" or "full".  */
const char *experiment_size_name(enum experiment_size size);

/* libconfig's version text, for provenance.  */
const char *experiment_library_version(void);

#endif
