/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep runs: a file in libconfig's format.  Its settings are explained
 * at the top of experiments/gap.cfg.  */
#ifndef ARENABENCH_HARNESS_SWEEP_EXPERIMENT_H
#define ARENABENCH_HARNESS_SWEEP_EXPERIMENT_H

#include <stdbool.h>

#include "harness/io/expand.h"
#include "harness/sweep/experiment_set.h"
#include "lib/base/error.h"

enum experiment_size { EXPERIMENT_QUICK, EXPERIMENT_FULL, EXPERIMENT_SIZES };

/* What an experiment's tasks are: planners on instances, kernels on layers, networks that run on
 * kernels in planners' arenas, or planners for several memories.  */
enum experiment_kind { EXPERIMENT_PLAN, EXPERIMENT_CONV, EXPERIMENT_RUN, EXPERIMENT_FIT };

struct experiment {
    char *name, *title, *description; /* DESCRIPTION may be "" */
    struct text_list figures;         /* and tables; of a file without them all of its shape */
    enum experiment_kind kind;
    bool timing;
    bool has[EXPERIMENT_SIZES]; /* the full size is optional */
    struct experiment_set set[EXPERIMENT_SIZES];
};

/* Reads TEXT, which came from PATH.  NULL with a message that names file and
 * line.  Every workload and solver in it is known and its parameters are good.  */
struct experiment *experiment_parse(const char *path, const char *text, struct error *error);

/* Reads the file that SPEC names: a path (with a '/' or ending in ".cfg"), or
 * one of the project's experiments.  */
struct experiment *experiment_read(const char *spec, struct error *error);
void experiment_free(struct experiment *experiment);
void experiment_set_clear(struct experiment_set *set);

/* The rules of a file that hold for any experiment.  */
/* "plan", "conv", "run" or "fit".  */
const char *experiment_kind_name(enum experiment_kind kind);
bool experiment_check_name(const char *name, struct error *error);
bool experiment_check_tasks(const struct experiment_set *set, struct error *error);
/* Adds the figures and tables that can show any experiment of KIND.  */
void experiment_add_figures(enum experiment_kind kind, struct text_list *list);

/* The names of the project's experiments, sorted.  */
bool experiment_names(struct text_list *names, struct error *error);

/* "quick" or "full".  */
const char *experiment_size_name(enum experiment_size size);

/* libconfig's version text, for provenance.  */
const char *experiment_library_version(void);

#endif
