/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/fake_kernel.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/reference.h"
#include "lib/base/timer.h"

static int64_t weights(const struct conv_plan *plan)
{
    const struct conv_shape *s = &plan->request.shape;

    return s->k * s->c * s->r * s->s;
}

void fake_kernel_layouts(struct conv_plan *plan)
{
    plan->input = layout_input(&plan->request.shape, 1);
    plan->output = layout_output(&plan->request.shape, 1);
    plan->packed_floats = weights(plan) + plan->request.shape.k;
}

bool fake_kernel_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    (void)params;
    (void)error;
    fake_kernel_layouts(plan);
    return true;
}

void fake_kernel_clear(struct conv_plan *plan)
{
    (void)plan;
}

void fake_kernel_pack(const struct conv_plan *plan, const float *filter, const float *bias,
                      float *packed)
{
    memcpy(packed, filter, (size_t)weights(plan) * sizeof *packed);
    memcpy(packed + weights(plan), bias, (size_t)plan->request.shape.k * sizeof *packed);
}

void fake_kernel_run(const struct conv_plan *plan, const float *input, const float *packed,
                     float *output)
{
    const struct tensor_layout *out = &plan->output;

    for (int64_t k = 0; k < out->c; k++)
        for (int64_t p = 0; p < out->h; p++)
            for (int64_t q = 0; q < out->w; q++)
                output[layout_index(out, 0, k, p, q)] =
                    (float)reference_output(&plan->request.shape, input, packed,
                                            packed + weights(plan), plan->request.relu, 0, k, p, q)
                        .value;
}

void fake_kernel_crash(const struct conv_plan *plan, const float *input, const float *packed,
                       float *output)
{
    (void)plan;
    (void)input;
    (void)packed;
    (void)output;
    abort();
}

void fake_kernel_hang(const struct conv_plan *plan, const float *input, const float *packed,
                      float *output)
{
    (void)plan;
    (void)input;
    (void)packed;
    (void)output;
    for (;;)
        pause();
}

void fake_kernel_meet(const struct conv_plan *plan, const float *input, const float *packed,
                      float *output)
{
    atomic_int *here = (atomic_int *)input;
    const double begin = timer_now();

    (void)packed;
    atomic_fetch_add(here, 1);
    while (atomic_load(here) < 2 && timer_now() - begin < 60)
        sched_yield();
    for (int64_t i = 0; i < layout_floats(&plan->output); i++)
        output[i] = atomic_load(here) == 2 ? 1 : 0;
}
