/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workspace= on every network of the zoo: what it adds is there for one step, aligned, beside
 * what was there before, and plans of it pass the verifier and the replay.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/graph/workspace.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/loops.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

/* The instance of SPEC without notices.  */
static struct instance *quiet_instance(const char *spec)
{
    struct instance *instance = NULL;
    struct workload workload;
    struct error error = {""};

    if (workload_parse(&workload, spec, &error)) {
        workload.quiet = true;
        instance = workload_instance(&workload, &error);
        workload_clear(&workload);
    }
    if (instance == NULL) {
        tap_diag("%s: %s", spec, error.text);
        abort();
    }
    return instance;
}

static const struct value *value_of(const struct instance *instance, size_t b)
{
    return &instance->origin->network->value[instance->origin->value[b]];
}

/* What METHOD asks for, added up over the convolutions of the network.  */
static int64_t asked(const struct network *network, const char *method)
{
    int64_t sum = 0;

    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];
        int64_t bytes = 0;

        if (op->kind == OP_CONV && op->conv.n > 0)
            workspace_formula(method, &op->conv, 1, &bytes, NULL, NULL);
        sum += bytes > 0 ? bytes : 0;
    }
    return sum;
}

/* Beside the buffers of PLAIN, in their order and as they are, those of workspaces.  */
static bool is_extended(const struct instance *with, const struct instance *plain)
{
    size_t i = 0;

    for (size_t b = 0; b < with->n; b++) {
        const struct buffer *buffer = &with->buffer[b], *old = &plain->buffer[i];

        if (value_of(with, b)->workspace)
            continue;
        if (i++ == plain->n || strcmp(buffer->id, old->id) != 0 || buffer->size != old->size ||
            buffer->begin != old->begin || buffer->end != old->end)
            return false;
    }
    return i == plain->n;
}

/* Whether all workspaces are in memory for their convolution's step; *SUM: their bytes.  */
static bool in_their_steps(const struct instance *instance, int64_t *sum)
{
    const struct origin *origin = instance->origin;

    *sum = 0;
    for (size_t b = 0; b < instance->n; b++) {
        const struct value *value = value_of(instance, b);
        const struct buffer *buffer = &instance->buffer[b];

        if (!value->workspace)
            continue;
        if (origin->network->op[value->producer].kind != OP_CONV ||
            buffer->begin != origin->schedule->step[value->producer] ||
            buffer->end != buffer->begin + 1 || buffer->alignment != WORKSPACE_ALIGNMENT)
            return false;
        *sum += buffer->size;
    }
    return true;
}

static void network(const char *name, const char *method)
{
    char *specs[] = {memory_strdup(name), memory_printf("%s:workspace=%s", name, method)};
    struct instance *plain = quiet_instance(specs[0]), *with = quiet_instance(specs[1]);
    struct plan *plan = solver_plan("greedy-by-size", with, 1);
    struct error error = {""};
    int64_t sum;

    ok(is_extended(with, plain), "%s: the other buffers are as they were", specs[1]);
    ok(in_their_steps(with, &sum), "%s: each is there for its step", specs[1]);
    is_int(sum, asked(plain->origin->network, method), "%s: as large as asked for", specs[1]);
    ok(with->load >= plain->load, "%s: the load does not sink", specs[1]);
    ok(verify_replay(with, plan, NULL, &error), "%s: it runs %s", specs[1], error.text);
    plan_free(plan);
    instance_free(plain);
    instance_free(with);
    free(specs[0]);
    free(specs[1]);
}

static void all_networks(void)
{
    const size_t step = (size_t)tap_tier(6, 1);
    size_t count = 0;

    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++) {
            const char *name = network_registry[f]->model[m].name;
            struct network *built = network_of(name);

            if (!network_has_loops(built) && count++ % step == 0) {
                network(name, "im2col");
                network(name, "winograd");
            }
            network_free(built);
        }
}

/* The best plan with workspaces is no smaller than the best without.  The sizes by hand:
 * AlexNet's second convolution has its input, 64 x 27 x 27, its output, 192 x 27 x 27, and 64 x 25
 * columns of 27 x 27 floats.  */
static void optima(void)
{
    static const struct {
        const char *spec;
        int64_t peak;
    } cases[] = {
        {"alexnet", 4 * (64 * 55 * 55 + 64 * 55 * 55)},
        {"alexnet:workspace=im2col", 4 * 27 * 27 * (64 + 192 + 64 * 25)},
        {"resnet18:fuse=all,workspace=winograd", -1},
        {"resnet18:fuse=all", -1},
    };
    int64_t peak[4];

    for (size_t i = 0; i < 4; i++) {
        struct instance *instance = quiet_instance(cases[i].spec);
        struct solver_run run = solver_run("branch-and-bound", instance, 1, 100000);

        peak[i] = run.peak;
        ok(solver_run_proves(&run, run.peak), "%s: an optimum", cases[i].spec);
        if (cases[i].peak >= 0)
            is_int(run.peak, cases[i].peak, "%s: as by hand", cases[i].spec);
        instance_free(instance);
    }
    ok(peak[1] > peak[0] && peak[2] > peak[3], "workspaces cost memory");
}

/* What is taken over by others shares nothing with a workspace: in place and out.  */
static void in_place(void)
{
    static const char *const specs[] = {
        "resnet18:workspace=im2col,alias=on,inplace=megengine",
        "densenet121:workspace=im2col,alias=on,inplace=nnc",
        "googlenet:workspace=im2col,alias=on,inplace=megengine,concat=place,alignment=64",
        "resnet18:workspace=im2col,order=layers,groups=2",
        "resnet18:workspace=im2col,order=optimal",
        "resnet18:workspace=winograd,train,io=both,weights=on",
    };

    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct instance *instance = quiet_instance(specs[i]);
        struct plan *plan = solver_plan("megengine-pushdown", instance, 1);
        struct error error = {""};
        int64_t sum;

        ok(in_their_steps(instance, &sum) && sum > 0, "%s: each is there for its step", specs[i]);
        ok(verify_replay(instance, plan, NULL, &error), "%s: it runs %s", specs[i], error.text);
        plan_free(plan);
        instance_free(instance);
    }
}

static void is_label(const char *spec, const char *want)
{
    struct workload workload;
    struct error error = {""};

    if (!ok(workload_parse(&workload, spec, &error), "%s%s", spec, error.text))
        return;
    is_text(workload.label, want, "the label of %s", spec);
    workload_clear(&workload);
}

static void is_refused(const char *spec, const char *why)
{
    struct error error = {""};
    struct instance *instance = instance_from(spec, &error);

    ok(instance == NULL, "%s is refused", spec);
    is_text(error.text, why, "and why");
    instance_free(instance);
}

int main(void)
{
    is_label("resnet18:workspace=none", "resnet18");
    is_label("resnet18:alignment=64,workspace=im2col,batch=8",
             "resnet18:batch=8,workspace=im2col,alignment=64");
    is_label("random-dag:workspace=onednn", "random-dag:workspace=onednn");
    is_refused(
        "resnet18:workspace=mgemm",
        "resnet18: workspace=mgemm: expected none, im2col or winograd: kernels are not asked "
        "here");
    is_refused("uniform:workspace=im2col", "uniform: unknown parameter 'workspace'");
    all_networks();
    optima();
    in_place();
    return tap_done();
}
