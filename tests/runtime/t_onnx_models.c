/* Whole models of ONNX's own: they run, with the elements of their files and with seeded ones, and
 * what comes out is the same in a planned arena, where all may lie in place that can, as with each
 * value in memory of its own.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "tests/support/run_solver.h"
#include "tests/support/seeded.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"
#include "workloads/workload.h"

static struct instance *runnable(const char *spec, struct error *error)
{
    struct instance *instance = NULL;
    struct workload workload;

    if (workload_parse(&workload, spec, error)) {
        instance = workload_runnable(&workload, error);
        workload_clear(&workload);
    }
    return instance;
}

/* Runs both ways; TELLING asks that there is something in what comes out.  */
static void compare(const struct instance *instance, const struct plan *plan, bool telling,
                    const char *what)
{
    const struct network *network = instance->origin->network;
    struct error error = {""};
    struct run_memory *plain = seeded_run(instance, NULL, 1, &error);
    struct run_memory *planned = seeded_run(instance, plan, 1, &error);
    bool good = plain != NULL && planned != NULL;

    ok(good && seeded_same(network, plain, planned) && run_memory_intact(planned),
       "%s, %s: the same in %lld bytes %s", instance->name, what, (long long)plan->peak,
       error.text);
    if (telling)
        ok(good && seeded_telling(network, plain), "%s: there is something in it", instance->name);
    run_memory_free(planned);
    run_memory_free(plain);
}

static void check_model(const char *file)
{
    char *spec = memory_printf("data:%s:io=both,alias=on,inplace=nnc,concat=place", file);
    struct error error = {""};
    struct instance *instance = runnable(spec, &error);

    ok(instance != NULL && run_check(instance->origin->network, &error), "%s runs %s", file,
       error.text);
    if (instance != NULL) {
        struct plan *plan = solver_plan("section-first", instance, 1);

        compare(instance, plan, false, "elements of the file");
        seeded_store(instance->origin->network, 1);
        compare(instance, plan, true, "seeded elements");
        plan_free(plan);
    }
    instance_free(instance);
    free(spec);
}

int main(void)
{
    static const char *const files[] = {
        "onnx/light_bvlc_alexnet.onnx", "onnx/light_inception_v2.onnx", "onnx/light_resnet50.onnx",
        "onnx/light_shufflenet.onnx",   "onnx/light_squeezenet.onnx",
    };

    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (!tap_skip_without(4, files[i]))
            check_model(files[i]);
    return tap_done();
}
