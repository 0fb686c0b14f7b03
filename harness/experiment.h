/* What a sweep runs: a file in libconfig's format.
 *
 *   name = "gap";               letters, digits, '-' and '_'; names the CSV file
 *   title = "...";              one line, for tables
 *   description = "...";        for the summary page (optional)
 *   figures = ["gap"];          what the report draws from it (optional)
 *   timing = false;             true: its tasks run alone, one at a time (optional)
 *   quick: { ... };             the size that ./run_sweep runs
 *   full: { ... };              the paper's size
 *
 * quick and full hold the following; what is the same in both may stand beside
 * them instead.
 *
 *   workloads = ("uniform:n={10,20},seed={1..3}", "@networks:fuse={none,all}");
 *       networks, generators and files, with braces (harness/expand.h);
 *       @networks stands for every network of the zoo; data:PATH is a file in the
 *       folder of real inputs, left out where ARENABENCH_DATA is not set
 *   solvers = ("naive", "glpk:model=bigm");
 *       solvers with parameters, with braces; @all stands for every one that
 *       needs no parameter of the user's
 *   time_limit_s = 10;          wall clock of a task; 0: none
 *   memory_limit_mib = 1024;    of a task (optional: half of the memory / jobs)
 *   work_limit = 100000;        nodes or iterations of a task (optional: none)
 *   seeds = [1, 2, 3];          of the solvers that take one (optional: [1])
 *   repetitions = 1;            of each task (optional)
 *   budget_s = 60;              stated wall clock of it all on two cores  */
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
