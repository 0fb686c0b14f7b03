/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocking parameters of a dense mGEMM layer, ranked by the predictor.  */
#ifndef ARENABENCH_KERNELS_MODEL_TUNE_H
#define ARENABENCH_KERNELS_MODEL_TUNE_H

#include <stddef.h>

#include "kernels/kernel.h"
#include "kernels/model/machine.h"
#include "kernels/model/predict.h"

struct tune_choice {
    char *params; /* "co=16,wo=6,...": all of the parameters, owned */
    struct prediction prediction;
    int64_t cci;
    size_t index; /* in the order of trying, for ties */
};

struct tune_list {
    struct tune_choice *choice;
    size_t count, capacity;
    size_t standard; /* the choice that mgemm makes without parameters */
};

/* Every plan that can be made for REQUEST from the tiles of the list, the
 * variants across the filter's width, both places of the loop over filter rows
 * and both loop orders; slabs and input channels at a time are chosen by the
 * kernel.  Best first.  Behind all of these, for sweeps, the same with other
 * input channels at a time (32, 64, ... all) in the order of the loops in which
 * they matter, best first again: the predictor says little about them.  Empty
 * where nothing is tuned: for a layer that is depthwise, has one pixel or is cut into
 * patches (kernels/mgemm/gather.h), or one that mgemm can't do.
 * The caller frees LIST with tune_list_free.  */
void tune_rank(struct tune_list *list, const struct conv_request *request,
               const struct machine *machine);
void tune_list_free(struct tune_list *list);

/* The whole way from a processor to parameters, as what a setting by its rank depends on
 * beside the kernel.  */
struct tuner {
    const char *name;
    bool (*measure)(struct machine *machine, enum isa isa, double seconds, struct error *error);
    void (*rank)(struct tune_list *list, const struct conv_request *request,
                 const struct machine *machine);
};

/* Written by the build, as conv_kernel_registry; one row and a NULL.  */
struct tuner_entry {
    const struct tuner *tuner;
    const char *checksum; /* of all that makes it */
};
extern const struct tuner_entry tuner_registry[];

#endif
