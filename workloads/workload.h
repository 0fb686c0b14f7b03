/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where lifetimes come from: networks, generators and files.
 *
 *   resnet50:batch=128,fuse=all     a network of the zoo
 *   uniform:n=40,seed=7             a generator
 *   path/to/instance.csv            a file, by its ending; parameters may follow
 *   path/to/file, -                 any other file, or standard input: as CSV
 *
 * A name goes before a file's ending where there is no such file, so that
 * `chained:of=a.csv` is the generator.  */
#ifndef ARENABENCH_WORKLOADS_WORKLOAD_H
#define ARENABENCH_WORKLOADS_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "lib/base/params.h"
#include "lib/graph/workspace.h"

struct instance;
struct network;
struct plan;

/* Several networks of one family share a file.  */
struct network_model {
    const char *name;   /* "resnet50" */
    const char *title;  /* "ResNet-50 v1.5" */
    const char *source; /* publication */
};

struct network_family {
    const struct network_model *model; /* ends with a NULL name */
    const struct param *params;        /* beside the common ones; or NULL */
    /* Builds model[INDEX]; NULL with a message when the parameters do not fit.
     * The common parameters are those below.  */
    struct network *(*build)(size_t index, const struct params *params, struct error *error);
};

struct generator {
    const char *name, *title, *source;
    const struct param *params; /* with "seed" and sizes */
    /* One of the two is set: lifetimes directly (sealed), or a network.  */
    struct instance *(*instance)(const struct params *params, struct error *error);
    struct network *(*network)(const struct params *params, struct error *error);
};

struct reader {
    const char *name; /* "csv" */
    const char *title;
    const char *extension; /* ".csv" */
    const struct param *params;
    /* One of the two is set; a network has passed network_check.  Notices (ignored columns,
     * inclusive ends) go to standard error.  */
    struct instance *(*instance)(const char *path, const struct params *params,
                                 struct error *error);
    struct network *(*network)(const char *path, const struct params *params, struct error *error);
    /* The same network with the elements of what is stored and what operators compute, for
     * runs; NULL where files do not say.  Constants that nobody here can work out are made
     * by operators then.  */
    struct network *(*runnable)(const char *path, const struct params *params, struct error *error);
    /* Files that can hold a plan have both, the others neither.  Reads that of
     * INSTANCE; writes a copy of the file at PATH with PLAN in it to OUT.  */
    struct plan *(*read_plan)(const char *path, const struct params *params,
                              const struct instance *instance, struct error *error);
    bool (*write_plan)(const char *path, const struct params *params,
                       const struct instance *instance, const struct plan *plan, FILE *out,
                       struct error *error);
};

/* Written by the build from the folders' local.mk; each ends with NULL.  */
extern const struct network_family *const network_registry[];
extern const struct generator *const generator_registry[];
extern const struct reader *const reader_registry[];

/* Reads what no other reader claims, `-` being standard input.  */
extern const struct reader reader_csv;

#define NETWORK_DTYPE_PARAM                                                                   \
    PARAM_ENUM("dtype", "f32", "The element type of all values: 4, 2 or 1 bytes an element.", \
               {"f32", DTYPE_F32}, {"f16", DTYPE_F16}, {"i8", DTYPE_I8})

/* What the networks of the zoo take: batch, size, dtype; then rewrite_params; then
 * head.  */
extern const struct param network_common_params[];
extern const struct param network_head_params[];
/* fuse, grouped: what networks and model files take.  The builders of the zoo
 * apply them (zoo_end), workload_network does for files.  */
extern const struct param rewrite_params[];
/* io, weights, alias, inplace, order, workspace, align: what everything with a graph takes.  */
extern const struct param lifetime_params[];

/* Their choices that are of no enum of lib/.  */
enum { GROUPED_KEEP, GROUPED_EXPAND };

/* weights= among lifetime_params.  */
enum { WEIGHTS_OFF, WEIGHTS_ON, WEIGHTS_FETCH };
enum { UPDATE_END, UPDATE_READY };
enum { HEAD_LOGITS, HEAD_SOFTMAX };
enum { CONCAT_COPY, CONCAT_PLACE };
enum { ALIGN_INSTANCE, ALIGN_NATIVE };

/* The tables of all the parameters that networks of FAMILY, or files of READER,
 * take.  Both return how many there are.  */
#define WORKLOAD_MAX_TABLES 5
size_t network_family_tables(const struct network_family *family, const struct param **table);
size_t reader_tables(const struct reader *reader, const struct param **table);

/* A workload that was found and whose parameters were checked.  */
struct workload {
    enum workload_kind { WORKLOAD_NETWORK, WORKLOAD_GENERATOR, WORKLOAD_FILE } kind;
    char *name;  /* the registered name, or the path */
    char *label; /* name plus canonical parameters: unique, for people and keys */
    struct params params;
    const struct network_family *family;
    size_t model;
    const struct generator *generator;
    const struct reader *reader;

    /* For the caller to set before the instance is made.  Who asks kernels for workspace=KERNEL,
     * and keeps what that does to a process away from this one; NULL: nobody, an error.  */
    workspace_ask *kernels;
    bool quiet; /* notices were given before */
};

/* Whether SPEC names a real input (`data:FILE`) that is to be done without
 * (lib/base/real_inputs.h).  */
bool workload_data_missing(const char *spec);

/* The path to open for PATH: `data:` stands for the folder of real inputs, where
 * there is one.  The caller frees it.  */
char *workload_real_path(const char *path);

/* Finds what SPEC names.  Unknown names are an error that suggests the
 * nearest.  The caller clears WORKLOAD.  */
bool workload_parse(struct workload *workload, const char *spec, struct error *error);
void workload_clear(struct workload *workload);

/* The sealed instance, or NULL.  One from a network carries its origin.  */
struct instance *workload_instance(const struct workload *workload, struct error *error);

/* The instance LABEL, made once more, with KERNELS and QUIET as above; NULL with a message where it
 * can't be made, or has another checksum than CHECKSUM (16 hexadecimal digits).  */
struct instance *workload_again(const char *label, const char *checksum, workspace_ask *kernels,
                                bool quiet, struct error *error);

/* Whether each planner rounds its sizes and offsets as it does where it ships (align=native).  */
bool workload_is_native(const struct workload *workload);

/* The same instance of a network that can be run: with what operators compute, and the elements of
 * what is stored, a file's or those of workloads/seeded.h.  NULL with a message where the workload
 * has no network.  */
struct instance *workload_runnable(const struct workload *workload, struct error *error);

/* The network (after grouped=, fuse= and so on), or NULL with a message where
 * the workload has none.  */
struct network *workload_network(const struct workload *workload, struct error *error);

/* Whether WORKLOAD is a file of a format that can hold a plan.  */
bool workload_holds_plan(const struct workload *workload);

/* The plan of INSTANCE in such a file, or NULL.  The caller frees it.  */
struct plan *workload_read_plan(const struct workload *workload, const struct instance *instance,
                                struct error *error);

/* Writes a copy of such a file with PLAN, of INSTANCE, in it.  */
bool workload_write_plan(const struct workload *workload, const struct instance *instance,
                         const struct plan *plan, FILE *out, struct error *error);

#endif
