/* SPDX-License-Identifier: GPL-3.0-or-later */
/* onednn-winograd: oneDNN's Winograd convolution, for filters of 3 x 3 with
 * stride 1.  It multiplies less than the definition says, so its rate, counted
 * as for the others, may exceed the peak.  */
#include <config.h>

#include "kernels/kernel.h"
#include "kernels/peers/onednn_common.h"

static bool make_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    (void)params;
    return onednn_plan(plan, ONEDNN_WINOGRAD, error);
}

const struct conv_kernel conv_kernel_onednn_winograd = {
    .name = "onednn-winograd",
    .title = "oneDNN's Winograd convolution",
    .multiplies_less = true,
    .tolerance = 16.0, /* its transforms add up larger terms */
    ONEDNN_KERNEL,
};
