/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oneDNN's convolutions, in the layouts that it chooses: what its algorithms
 * share.  */
#ifndef ARENABENCH_KERNELS_PEERS_ONEDNN_COMMON_H
#define ARENABENCH_KERNELS_PEERS_ONEDNN_COMMON_H

#include "kernels/kernel.h"

/* That it is compiled against.  */
extern const char onednn_version[];

enum onednn_algorithm { ONEDNN_DIRECT, ONEDNN_WINOGRAD, ONEDNN_AUTO };

/* The functions of struct conv_kernel.  */
bool onednn_plan(struct conv_plan *plan, enum onednn_algorithm algorithm, struct error *error);
void onednn_clear(struct conv_plan *plan);
void onednn_pack(const struct conv_plan *plan, const float *filter, const float *bias,
                 float *packed);
void onednn_run(const struct conv_plan *plan, const float *input, const float *packed,
                float *output);

/* What the kernels' descriptions share.  */
#define ONEDNN_KERNEL                                                                    \
    .source = "oneDNN, https://github.com/oneapi-src/oneDNN", .version = onednn_version, \
    .isas = ISA_ALL, .library = true, .plan = make_plan, .clear = onednn_clear,          \
    .pack = onednn_pack, .run = onednn_run

#endif
