/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/kernel.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "lib/base/checked.h"

const struct conv_peer conv_peers[] = {
    {"im2col-openblas", "OpenBLAS", OPENBLAS_ABSENT},
    {"onednn", "oneDNN 2", DNNL_ABSENT},
    {"onednn-auto", "oneDNN 2", DNNL_ABSENT},
    {"onednn-winograd", "oneDNN 2", DNNL_ABSENT},
    {"libxsmm", "libxsmm 1.17", LIBXSMM_ABSENT},
    {"xnnpack", "XNNPACK of 2022", XNNPACK_ABSENT},
    {NULL, NULL, NULL},
};

const struct conv_peer *conv_peer_find(const char *name)
{
    for (const struct conv_peer *peer = conv_peers; peer->name != NULL; peer++)
        if (strcmp(peer->name, name) == 0)
            return peer;
    return NULL;
}

const struct conv_kernel *conv_kernel_find(const char *name)
{
    for (const struct conv_kernel_entry *entry = conv_kernel_registry; entry->kernel != NULL;
         entry++)
        if (strcmp(entry->kernel->name, name) == 0)
            return entry->kernel;
    return NULL;
}

bool conv_kernel_unknown(const char *name, struct error *error)
{
    const struct conv_peer *peer = conv_peer_find(name);
    const char *names[64];
    size_t count = 0;

    if (peer != NULL && peer->absent != NULL)
        return error_set(error, "%s is not built in: %s", name, peer->absent);
    for (const struct conv_kernel_entry *e = conv_kernel_registry; e->kernel != NULL; e++)
        if (count < sizeof names / sizeof names[0])
            names[count++] = e->kernel->name;
    return error_unknown(error, "kernel", name, names, count, "; see 'arenabench list kernels'");
}

/* Every layout of the three tensors, and the input with its padding, has bytes
 * that can be counted, channels rounded up to blocks of 16.  */
static bool countable(const struct conv_shape *shape, struct error *error)
{
    const int64_t most = INT64_MAX / 64;
    const int64_t sizes[][4] = {
        {shape->n, shape->c, shape->h, shape->w},
        {shape->n, shape->k, conv_shape_out_h(shape), conv_shape_out_w(shape)},
        {shape->k, shape->c / shape->groups, shape->r, shape->s},
        {1, 1, shape->h + shape->pad_top + shape->pad_bottom,
         shape->w + shape->pad_left + shape->pad_right},
    };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int64_t product = 1;

        for (size_t j = 0; j < 4; j++)
            if (!checked_mul(product, sizes[i][j], &product) || product > most)
                return error_set(error, "the tensors' bytes overflow 64 bits");
    }
    return true;
}

/* A stride past the end makes one output, as one of the whole input with its padding
 * does; the dilation of a single tap means nothing.  With both as small as they can
 * be, kernels may multiply them.  */
static void shorten(struct conv_shape *shape)
{
    shape->stride_h = min64(shape->stride_h, shape->h + shape->pad_top + shape->pad_bottom);
    shape->stride_w = min64(shape->stride_w, shape->w + shape->pad_left + shape->pad_right);
    if (shape->r == 1)
        shape->dilation_h = 1;
    if (shape->s == 1)
        shape->dilation_w = 1;
}

bool conv_plan_make(struct conv_plan *plan, const struct conv_kernel *kernel,
                    const struct conv_request *request, const struct params *params,
                    struct error *error)
{
    assert(request->threads > 0);
    if (!conv_shape_check(&request->shape, error) || !countable(&request->shape, error))
        return false;
    if ((kernel->isas & 1U << request->isa) == 0)
        return error_set(error, "%s has no code for the instruction set %s", kernel->name,
                         isa_name(request->isa));
    if (!isa_available(request->isa))
        return error_set(error, "this machine or this build lacks the instruction set %s",
                         isa_name(request->isa));
    if (request->threads < 1)
        return error_set(error, "%d threads, expected at least 1", request->threads);
    memset(plan, 0, sizeof *plan);
    plan->kernel = kernel;
    plan->request = *request;
    shorten(&plan->request.shape);
    return kernel->plan(plan, params, error);
}

void conv_plan_clear(struct conv_plan *plan)
{
    if (plan->kernel != NULL)
        plan->kernel->clear(plan);
    memset(plan, 0, sizeof *plan);
}
