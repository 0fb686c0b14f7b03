/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One size of an experiment: workloads and solvers, or layers and kernels, or all but layers,
 * which texts with braces and names that begin with @ stand for.  */
#ifndef ARENABENCH_HARNESS_SWEEP_EXPERIMENT_SET_H
#define ARENABENCH_HARNESS_SWEEP_EXPERIMENT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/io/expand.h"
#include "harness/run/contestants.h"
#include "harness/run/run.h"
#include "kernels/kernel.h"
#include "lib/base/error.h"
#include "lib/graph/conv_shape.h"
#include "memories/memory.h"
#include "workloads/workload.h"

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
    bool groups;  /* of runs: the threads take the operators of a step, not parts of one */
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

/* The part of a set that is about runs: its workloads are run in its solvers' plans.  */
struct experiment_runs {
    size_t n_kernels;
    struct experiment_kernel *kernel; /* no two alike; without an entry none, or a library that
                                         is not built in */
    enum isa isa;                     /* of the kernels */
    bool all_pairs; /* else not each planner with each kernel: experiment_has_pair */
    int64_t rounds; /* 0: as many as fill a second */
};

/* Several memories, and the text that they came from, as a key has it.  */
struct experiment_memories {
    char *text;
    struct memories memories; /* with shares (memories_size) */
};

/* The part of a set that is about several memories: its solvers are planners for these
 * (memories/splitter.h), each of which has a task for each of the following.  */
struct experiment_fits {
    size_t n_memories;
    struct experiment_memories *memories; /* no two with the same text */
};

struct experiment_set {
    size_t n_workloads;
    struct workload *workload;  /* no two with the same label */
    void *labels;               /* theirs, as a search tree */
    struct text_list skipped;   /* workloads whose data are not there */
    struct text_list unbuilt;   /* workloads whose workspace= asks a kernel that is not built in */
    struct contestants solvers; /* no two with the same label */
    size_t n_seeds;
    uint32_t *seed;
    int64_t repetitions;
    struct run_limits limits; /* memory_bytes 0: not stated */
    double budget_s;
    struct experiment_layers layers; /* EXPERIMENT_CONV */
    struct experiment_runs runs;     /* EXPERIMENT_RUN */
    struct experiment_fits fits;     /* EXPERIMENT_FIT */
};

/* Adds all that TEXT stands for to SET.  False with a message without file and line.  */
typedef bool experiment_add(struct experiment_set *set, const char *text, struct error *error);

experiment_add experiment_add_workloads;
experiment_add experiment_add_solvers;

/* Forgets which labels SET has, before its workloads are.  */
void experiment_clear_labels(struct experiment_set *set);

/* Expands `@WORD...` with each of NAMES in place of @WORD, or TEXT itself.  */
bool experiment_expand(const char *text, const char *word, const struct text_list *names,
                       struct text_list *list, struct error *error);
/* The same with the networks that `@networks` stands for.  */
bool experiment_expand_networks(const char *text, struct text_list *list, struct error *error);

#endif
