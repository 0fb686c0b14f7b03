/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the mobile networks share: convolution units and squeeze-and-excitation
 * (Hu, Shen and Sun, CVPR 2018).  */
#ifndef ARENABENCH_WORKLOADS_MOBILE_H
#define ARENABENCH_WORKLOADS_MOBILE_H

#include <stddef.h>
#include <stdint.h>

#include "workloads/builder/builder.h"

/* Convolution NAME, normalisation NAME_bn, activation NAME_act of TYPE (static
 * text), or none where it is NULL.  */
size_t mobile_unit(struct builder *b, const char *name, size_t x, int64_t channels,
                   const char *type, struct window window);

/* The channels of X weighted by what two 1x1 convolutions, with SQUEEZED
 * channels between them, make of their means; the first one's activation and
 * the last one's are INNER and OUTER, static texts.  */
size_t mobile_squeeze_excite(struct builder *b, size_t x, int64_t squeezed, const char *inner,
                             const char *outer);

#endif
