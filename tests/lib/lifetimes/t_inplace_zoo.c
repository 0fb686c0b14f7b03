/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every network of the zoo, by every rule, planned and run: the plans pass the
 * verifier and the replay, and sharing in place raises no load.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/loops.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

/* greedy-by-size on the rectangles around the buffers.  */
static bool runs(const struct instance *instance, struct error *error)
{
    struct instance *joined = instance_joined(instance);
    struct plan *plan = solver_plan("greedy-by-size", joined, 1);
    bool good = verify_plan(instance, plan, error) && verify_replay(instance, plan, NULL, error);

    plan_free(plan);
    instance_free(joined);
    return good;
}

/* Nothing shares in place where there are loops.  */
static bool has_loops(const char *name)
{
    struct network *network = network_of(name);
    bool loops = network_has_loops(network);

    network_free(network);
    return loops;
}

static void network(const char *name)
{
    static const char *const rules[] = {",alias=on", ",alias=on,inplace=nnc",
                                        ",alias=on,inplace=megengine",
                                        ",alias=on,inplace=megengine,concat=place"};
    int64_t copied = 0;

    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        char *spec = memory_printf("%s:dtype=i8%s", name, rules[r]);
        struct error error = {""};
        struct instance *instance = instance_from(spec, &error);

        free(spec);
        if (!ok(instance != NULL, "%s%s: an instance %s", name, rules[r], error.text))
            continue;
        ok(runs(instance, &error), "%s%s: it runs%s", name, rules[r], error.text);
        if (r == 0)
            copied = instance->load;
        else
            ok(instance->load <= copied, "%s%s: the load does not rise", name, rules[r]);
        instance_free(instance);
    }
}

/* Nothing fused, float.  A convolution's map and its normalised one are in use at once,
 * which in ResNet-50's first stage is beside a shortcut: three maps of 3,211,264 bytes.  */
static void loads(void)
{
    static const struct {
        const char *spec;
        int64_t load;
    } cases[] = {
        {"resnet50:alias=on,inplace=megengine", 9633792},
        {"resnet50:alias=on,inplace=nnc", 9633792},
        {"mobilenet_v2:alias=on,inplace=megengine", 9633792},
        {"mobilenet_v2:alias=on,inplace=nnc", 9633792},
        {"resnet50:fuse=all,alias=on,inplace=megengine", 7225344},
        {"mobilenet_v2:fuse=all,alias=on,inplace=nnc", 6021120},
        /* Scores of 12 heads: softmax writes them anew, or over themselves.  */
        {"vit_b_16:alias=on,inplace=megengine", 4936032},
        {"vit_b_16:alias=on,inplace=nnc", 4283568},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error error = {""};
        struct instance *instance = instance_from(cases[i].spec, &error);

        is_int(instance != NULL ? instance->load : -1, cases[i].load, "%s: load%s", cases[i].spec,
               error.text);
        instance_free(instance);
    }
}

int main(void)
{
    const size_t step = (size_t)tap_tier(4, 1);
    size_t count = 0;

    loads();
    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++)
            if (count++ % step == 0 && !has_loops(network_registry[f]->model[m].name))
                network(network_registry[f]->model[m].name);
    return tap_done();
}
