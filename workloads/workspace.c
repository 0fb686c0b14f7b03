/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/workspace.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/people.h"
#include "lib/graph/workspace.h"
#include "workloads/workload.h"

/* Where nobody is there who could ask a kernel.  */
static bool ask_nobody(const char *method, const struct conv_shape *shape, size_t count,
                       int64_t *bytes, struct error *reason, struct error *error)
{
    (void)method, (void)shape, (void)count, (void)bytes, (void)reason;
    return error_set(error, "expected none, im2col or winograd: kernels are not asked here");
}

bool workspace_apply(const struct workload *workload, struct network *network, struct error *error)
{
    const char *method = params_text(&workload->params, "workspace");
    workspace_ask *kernels = workload->kernels != NULL ? workload->kernels : ask_nobody;
    struct workspace_count count;

    if (strcmp(method, "none") == 0)
        return true;
    if (!workspace_add(network, method, workspace_is_formula(method) ? workspace_formula : kernels,
                       &count, error))
        return error_prefix(error, "%s: workspace=%s", workload->name, method);
    if (count.refused > 0 && !workload->quiet)
        people_print(stderr,
                     "%s: %zu of %zu convolutions are not done by %s and get no workspace: %s\n",
                     workload->label, count.refused, count.convolutions, method, count.first.text);
    return true;
}
