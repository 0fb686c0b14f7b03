/* SPDX-License-Identifier: GPL-3.0-or-later */
/* onednn: oneDNN's direct convolution.  */
#include <config.h>

#include "kernels/kernel.h"
#include "kernels/peers/onednn_common.h"

static bool make_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    (void)params;
    return onednn_plan(plan, ONEDNN_DIRECT, error);
}

const struct conv_kernel conv_kernel_onednn = {
    .name = "onednn",
    .title = "oneDNN's direct convolution",
    .source = "oneDNN, https://github.com/oneapi-src/oneDNN",
    .version = onednn_version,
    .isas = 1U << ISA_GENERIC | 1U << ISA_AVX2 | 1U << ISA_AVX512,
    .library = true,
    .tolerance = 1.0,
    .plan = make_plan,
    .clear = onednn_clear,
    .pack = onednn_pack,
    .run = onednn_run,
};
