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
    .tolerance = 1.0,
    ONEDNN_KERNEL,
};
