/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a convolution kernel is to the rest of the project.
 *
 * A kernel makes a plan for one layer: it says whether it can do it, with
 * which parameters, and in which layouts it wants the tensors.  Then the
 * weights are packed once, and the plan runs as often as wanted on one set of
 * tensors or many.  Kernels never print and never exit.  */
#ifndef ARENABENCH_KERNELS_KERNEL_H
#define ARENABENCH_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/isa.h"
#include "kernels/layout.h"
#include "lib/base/error.h"
#include "lib/base/params.h"
#include "lib/graph/conv_shape.h"

struct pool;

struct conv_request {
    struct conv_shape shape; /* checked */
    enum isa isa;            /* one that the machine has */
    int threads;
    struct pool *pool; /* of so many threads, for plans that run in turn; NULL: one of its own.
                          Libraries with threads of their own have no use for it.  */
    bool relu;         /* after the bias, which is always added */
};

/* The blocking parameters that a plan ended up with; texts are static, NULL
 * and 0 where a kernel has no such thing.  */
struct conv_choice {
    const char *preset; /* the name that all the others stand for, or NULL */
    int64_t llc;        /* bytes of last-level cache that the preset was given, or 0 */
    int64_t co, wo, ci; /* register tile: channels, pixels; channels in a block of the input */
    const char *wf;     /* "reload", "keep", "filter" */
    const char *hfil;   /* "inside", "outside" */
    int64_t rows;       /* of output in the register tile */
    int64_t cco;        /* output channels of a slab of the filter */
    const char *order;  /* "tile-co", "co-tile" */
    int64_t cci;        /* input channels that are added up before the next row */
};

struct conv_kernel;

struct conv_plan {
    const struct conv_kernel *kernel;
    struct conv_request request;
    struct tensor_layout input, output;
    int64_t packed_floats;   /* of weights and bias, as `pack` writes them */
    int64_t workspace_bytes; /* beside input, packed weights and output */
    bool workspace_seen;     /* seen in the process's heap, so about: the library does not say */
    struct conv_choice choice;
    char library[96]; /* name and version of the one that runs it, or empty */
    void *state;      /* the kernel's own */
};

struct conv_kernel {
    const char *name;           /* file name without .c */
    const char *title;          /* for tables and legends */
    const char *source;         /* publication or library it follows */
    const char *version;        /* of the library it was built against; NULL: none */
    const struct param *params; /* PARAM_END terminated, or NULL */
    unsigned isas;              /* bit 1 << isa for each instruction set it has code for */
    bool library;               /* fixes instruction set and threads for the process */
    bool reads_past;            /* up to 64 bytes behind the input, of which it makes nothing */
    bool multiplies_less;       /* than the definition, or it may */
    double tolerance;           /* its errors stay within so many times the reference's bound */

    /* Fills PLAN, of which kernel and request are set.  False with the reason
     * when it can't do this; nothing to clear then.  */
    bool (*plan)(struct conv_plan *plan, const struct params *params, struct error *error);
    void (*clear)(struct conv_plan *plan);
    /* FILTER is K-C-R-S, BIAS one value a channel or NULL.  */
    void (*pack)(const struct conv_plan *plan, const float *filter, const float *bias,
                 float *packed);
    /* Input and output in the plan's layouts.  Writes every float of the
     * output, zeros in the channels that fill up its last block (given zeros
     * there in the input).  */
    void (*run)(const struct conv_plan *plan, const float *input, const float *packed,
                float *output);
};

/* One row of the registry, written by the build from kernels/local.mk.  */
struct conv_kernel_entry {
    const struct conv_kernel *kernel;
    const char *checksum; /* of the sources, compiler and flags that make it */
};

extern const struct conv_kernel_entry conv_kernel_registry[]; /* ends with a NULL kernel */

/* NULL when there is none.  */
const struct conv_kernel *conv_kernel_find(const char *name);

/* The kernels of libraries that there is code for, whether configure found the library
 * or not; ends with a NULL name.  */
struct conv_peer {
    const char *name, *library;
    const char *absent; /* why it is not built in; NULL: it is, and in the registry */
};
extern const struct conv_peer conv_peers[];

/* NULL when NAME is none of them.  */
const struct conv_peer *conv_peer_find(const char *name);

/* Says why there is no kernel NAME here: its library was not there when configure ran, or
 * nobody knows it, with the names that may be meant.  Returns false.  */
bool conv_kernel_unknown(const char *name, struct error *error);

/* Checks the request and makes the plan.  PARAMS as conv_kernel_params gave
 * them.  The caller clears PLAN with conv_plan_clear when true is returned.  */
bool conv_plan_make(struct conv_plan *plan, const struct conv_kernel *kernel,
                    const struct conv_request *request, const struct params *params,
                    struct error *error);
void conv_plan_clear(struct conv_plan *plan);

#endif
