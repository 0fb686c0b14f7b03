/* What a sweep runs: a file in libconfig's format.  Its settings are explained
 * at the top of experiments/gap.cfg.  */
#ifndef ARENABENCH_HARNESS_SWEEP_EXPERIMENT_H
#define ARENABENCH_HARNESS_SWEEP_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/io/expand.h"
#include "harness/run/runner.h"
#include "kernels/kernel.h"
#include "lib/base/error.h"
#include "lib/graph/conv_shape.h"
#include "workloads/workload.h"

enum experiment_size { EXPERIMENT_QUICK, EXPERIMENT_FULL, EXPERIMENT_SIZES };

/* What an experiment's tasks are: planners on instances, or kernels on layers.  */
enum experiment_kind { EXPERIMENT_PLAN, EXPERIMENT_CONV };

/* A layer, once for all the networks that have it.  */
struct experiment_layer {
    char *name; /* where it was met first */
    char *label;
    struct conv_shape shape;
};

/* How often a network has a layer.  */
struct experiment_use {
    size_t layer;
    char *network;
    int64_t count;
};

/* A kernel with parameters, which become one task for each layer and
 * instruction set that it has a plan for.  */
struct experiment_kernel {
    const struct conv_kernel_entry *entry; /* NULL: a library that is not built in */
    char *name;
    char *params; /* as given, without the two below; "co=2v": two vectors */
    int threads;
    int64_t rank; /* the parameters are the model's choice of this rank; 0: those given */
};

/* The part of a set that is about layers.  */
struct experiment_layers {
    size_t n_layers, n_uses, n_kernels;
    struct experiment_layer *layer; /* no two with the same shape */
    struct experiment_use *use;
    struct experiment_kernel *kernel;
    unsigned isas; /* bit 1 << isa for each that the machine has */
    int64_t rounds_least, rounds_most;
    double spread; /* rounds go on until the median is known so well */
    int64_t final_best, final_rounds;
};

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
    struct experiment_layers layers; /* EXPERIMENT_CONV */
};

struct experiment {
    char *name, *title, *description; /* DESCRIPTION may be "" */
    struct text_list figures;
    enum experiment_kind kind;
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
