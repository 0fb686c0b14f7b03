/* SPDX-License-Identifier: GPL-3.0-or-later */
/* onednn-auto: the algorithm that oneDNN takes when it may choose.  */
#include <config.h>

#include "kernels/kernel.h"
#include "kernels/peers/onednn_common.h"

static bool make_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    (void)params;
    return onednn_plan(plan, ONEDNN_AUTO, error);
}

const struct conv_kernel conv_kernel_onednn_auto = {
    .name = "onednn-auto",
    .title = "oneDNN's own choice of algorithm",
    .multiplies_less = true,
    .tolerance = 16.0, /* it may be Winograd's */
    ONEDNN_KERNEL,
};
