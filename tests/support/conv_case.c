/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/conv_case.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernels/layer.h"
#include "kernels/layout.h"
#include "kernels/pool.h"
#include "kernels/reference.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "tests/support/tap.h"

/* Memory whose first or last float is beside a page that nobody may touch.  */
struct guarded {
    char *map;
    size_t bytes;
    float *data;
};

static struct guarded guard(int64_t floats, bool at_end)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (size_t)floats * sizeof(float);
    size_t inner = (size + page - 1) / page * page;
    struct guarded g = {NULL, inner + 2 * page, NULL};

    g.map = mmap(NULL, g.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g.map == MAP_FAILED || mprotect(g.map + page, inner, PROT_READ | PROT_WRITE) != 0) {
        perror("conv_case: guard pages");
        exit(1);
    }
    g.data = (float *)(void *)(g.map + page + (at_end ? inner - size : 0));
    for (int64_t i = 0; i < floats; i++)
        g.data[i] = NAN;
    return g;
}

static void unguard(struct guarded *g)
{
    munmap(g->map, g->bytes);
}

static float *random_floats(struct rng *rng, int64_t count)
{
    float *value = memory_alloc((size_t)count, sizeof *value);

    for (int64_t i = 0; i < count; i++)
        value[i] = (float)(2.0 * rng_unit(rng) - 1.0);
    return value;
}

struct conv_shape conv_case_image(int64_t channels, int64_t groups, int64_t height, int64_t width,
                                  int64_t stride, int pads)
{
    return (struct conv_shape){.n = 1,
                               .c = channels,
                               .h = height,
                               .w = width,
                               .k = channels,
                               .r = 3,
                               .s = 3,
                               .stride_h = stride,
                               .stride_w = stride,
                               .pad_top = pads & 1,
                               .pad_bottom = pads >> 1 & 1,
                               .pad_left = pads >> 2 & 1,
                               .pad_right = pads >> 3,
                               .dilation_h = 1,
                               .dilation_w = 1,
                               .groups = groups};
}

struct conv_case *conv_case_new(const struct conv_shape *shape, bool relu, uint32_t seed)
{
    struct conv_case *test = memory_zalloc(1, sizeof *test);
    struct tensor_layout out = layout_output(shape, 1);
    struct rng *rng = rng_new(seed);

    test->shape = *shape;
    test->relu = relu;
    test->input = random_floats(rng, shape->n * shape->c * shape->h * shape->w);
    test->filter = random_floats(rng, shape->k * (shape->c / shape->groups) * shape->r * shape->s);
    test->bias = random_floats(rng, shape->k);
    rng_free(rng);
    test->outputs = layout_floats(&out);
    test->value = memory_alloc((size_t)test->outputs, sizeof *test->value);
    test->bound = memory_alloc((size_t)test->outputs, sizeof *test->bound);
    for (int64_t i = 0; i < test->outputs; i++) {
        struct reference_point point = reference_output(
            shape, test->input, test->filter, test->bias, relu, i / (out.c * out.h * out.w),
            i / (out.h * out.w) % out.c, i / out.w % out.h, i % out.w);

        test->value[i] = point.value;
        test->bound[i] = point.bound;
    }
    return test;
}

void conv_case_free(struct conv_case *test)
{
    if (test == NULL)
        return;
    free(test->input);
    free(test->filter);
    free(test->bias);
    free(test->value);
    free(test->bound);
    free(test);
}

char *conv_case_name(const struct conv_shape *s)
{
    return memory_printf(
        "n=%" PRId64 ",c=%" PRId64 ",h=%" PRId64 ",w=%" PRId64 ",k=%" PRId64 ",r=%" PRId64
        ",s=%" PRId64 ",stride=%" PRId64 "x%" PRId64 ",pads=%" PRId64 " %" PRId64 " %" PRId64
        " %" PRId64 ",dilation=%" PRId64 "x%" PRId64 ",groups=%" PRId64,
        s->n, s->c, s->h, s->w, s->k, s->r, s->s, s->stride_h, s->stride_w, s->pad_top,
        s->pad_bottom, s->pad_left, s->pad_right, s->dilation_h, s->dilation_w, s->groups);
}

/* Compares the real channels with the reference; those that fill up have to be
 * zeros.  */
static bool right(const struct conv_case *test, const struct conv_plan *plan, const float *output,
                  struct error *message)
{
    struct tensor_layout all = plan->output;
    const int64_t channels = all.c;

    all.c = (all.c + all.block - 1) / all.block * all.block;
    for (int64_t n = 0; n < all.n; n++)
        for (int64_t c = 0; c < all.c; c++)
            for (int64_t h = 0; h < all.h; h++) {
                const float *row = output + layout_index(&all, n, c, h, 0);

                for (int64_t w = 0; w < all.w; w++) {
                    int64_t i = ((n * channels + c) * all.h + h) * all.w + w;
                    double got = row[w * all.block];
                    double want = c < channels ? test->value[i] : 0.0;
                    double bound = c < channels ? plan->kernel->tolerance * test->bound[i] : 0.0;

                    if (!(fabs(got - want) <= bound))
                        return error_set(message,
                                         "output %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                                         ": %.9g, expected %.9g +- %.3g",
                                         n, c, h, w, got, want, bound);
                }
            }
    return true;
}

/* Runs the plan with the tensors at one side of their guard pages.  */
static bool run_plan(const struct conv_case *test, const struct conv_plan *plan, bool at_end,
                     struct error *message)
{
    const struct tensor_layout nchw = layout_input(&test->shape, 1);
    const int64_t past = plan->kernel->reads_past ? 64 / (int64_t)sizeof(float) : 0;
    struct guarded input = guard(layout_floats(&plan->input) + past, at_end);
    struct guarded packed = guard(plan->packed_floats, at_end);
    struct guarded output = guard(layout_floats(&plan->output), at_end);
    bool good;

    layout_convert(&nchw, test->input, &plan->input, input.data);
    plan->kernel->pack(plan, test->filter, test->bias, packed.data);
    plan->kernel->run(plan, input.data, packed.data, output.data);
    good = right(test, plan, output.data, message);
    unguard(&input);
    unguard(&packed);
    unguard(&output);
    return good;
}

enum conv_verdict conv_case_run(const struct conv_case *test, const struct conv_kernel *kernel,
                                const char *text, enum isa isa, int threads, struct error *message)
{
    const struct conv_request request = {
        .shape = test->shape, .isa = isa, .threads = threads, .relu = test->relu};
    enum conv_verdict verdict = CONV_UNSUPPORTED;
    struct params params;
    struct conv_plan plan;

    if (!params_parse(&params, kernel->name, text, &kernel->params, 1, message))
        return CONV_UNSUPPORTED;
    if (conv_plan_make(&plan, kernel, &request, &params, message)) {
        verdict = run_plan(test, &plan, false, message) && run_plan(test, &plan, true, message)
                      ? CONV_RIGHT
                      : CONV_WRONG;
        conv_plan_clear(&plan);
    }
    params_clear(&params);
    return verdict;
}

/* What the plan for so many threads makes of TEST, as NCHW; NULL: there is none.  */
static float *planned_output(const struct conv_case *test, enum isa isa, int threads)
{
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    const struct tensor_layout in = layout_input(&test->shape, 1);
    const struct tensor_layout out = layout_output(&test->shape, 1);
    struct error error = {""};
    struct pool *pool = pool_new(1, &error);
    const struct conv_request request = {
        .shape = test->shape, .isa = isa, .threads = threads, .pool = pool};
    struct conv_plan plan;
    struct params params;
    float *input, *packed, *made, *output = NULL;

    if (params_parse(&params, "mgemm", "", &kernel->params, 1, &error) &&
        conv_plan_make(&plan, kernel, &request, &params, &error)) {
        input = memory_alloc((size_t)layout_floats(&plan.input), sizeof *input);
        packed = memory_alloc((size_t)plan.packed_floats, sizeof *packed);
        made = memory_alloc((size_t)layout_floats(&plan.output), sizeof *made);
        output = memory_alloc((size_t)test->outputs, sizeof *output);
        layout_convert(&in, test->input, &plan.input, input);
        plan.kernel->pack(&plan, test->filter, test->bias, packed);
        plan.kernel->run(&plan, input, packed, made);
        layout_convert(&plan.output, made, &out, output);
        conv_plan_clear(&plan);
        free(input);
        free(packed);
        free(made);
    }
    params_clear(&params);
    pool_free(pool);
    return output;
}

bool conv_case_same(const struct conv_case *test, enum isa isa, int threads)
{
    float *one = planned_output(test, isa, 1), *many = planned_output(test, isa, threads);
    const bool same =
        one != NULL && many != NULL && memcmp(one, many, (size_t)test->outputs * sizeof *one) == 0;

    free(one);
    free(many);
    return same;
}

bool conv_case_plan(struct conv_plan *plan, const char *layer, const char *text, enum isa isa,
                    int threads, struct error *error)
{
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    struct conv_request request = {.isa = isa, .threads = threads};
    struct params params;
    bool done;

    if (!layer_parse(layer, &request.shape, error) ||
        !params_parse(&params, "mgemm", text, &kernel->params, 1, error))
        return false;
    done = conv_plan_make(plan, kernel, &request, &params, error);
    params_clear(&params);
    return done;
}

static bool right_on(const struct conv_case *test, enum isa isa, int threads)
{
    struct error error = {""};
    char *name;

    if (conv_case_run(test, conv_kernel_find("mgemm"), "", isa, threads, &error) == CONV_RIGHT)
        return true;
    name = conv_case_name(&test->shape);
    tap_diag("%s, %d threads, %s: %s", isa_name(isa), threads, name, error.text);
    free(name);
    return false;
}

int conv_case_count_wrong(const struct conv_shape *shape, bool relu, int threads, int *cases)
{
    struct error error = {""};
    struct conv_case *test;
    int wrong = 0;

    if (!conv_shape_check(shape, &error))
        return 0;
    test = conv_case_new(shape, relu, 1);
    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        if (isa_available(isa)) {
            wrong += !right_on(test, isa, threads);
            (*cases)++;
        }
    conv_case_free(test);
    return wrong;
}
