/* The zoo against published and independently computed figures.  */
#include <config.h>

#include "workloads/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/network.h"
#include "tests/tap.h"

#define MIB 1048576.0

static struct instance *instance_of(const char *spec)
{
    struct workload workload;
    struct instance *instance;
    struct error error = {{0}};

    if (!workload_parse(&workload, spec, &error)) {
        tap_diag("%s: %s", spec, error.text);
        return NULL;
    }
    instance = workload_instance(&workload, &error);
    if (instance == NULL)
        tap_diag("%s: %s", spec, error.text);
    workload_clear(&workload);
    return instance;
}

/* A number of bytes as MiB with three decimals, as the tables print it.  */
static void is_mib(int64_t bytes, const char *want, const char *spec, const char *what)
{
    char got[32];

    snprintf(got, sizeof got, "%.3f", (double)bytes / MIB);
    is_text(got, want, "%s: %s in MiB", spec, what);
}

/* Intermediate tensors at f32 and batch 1: their number, the sum of their
 * sizes and the load.  Computed independently of this project from the
 * reference implementations' graphs; the loads under fuse=none by hand: two
 * maps of 64 x 112 x 112, three of 256 x 56 x 56, two of 64 x 224 x 224, and
 * in DenseNet three of 224 x 56 x 56 (what the last layer of the first block
 * reads and keeps, normalised, activated).  */
static void tensors(void)
{
    static const struct {
        const char *spec;
        int64_t n;
        const char *sum, *load;
    } row[] = {
        {"mobilenet_v1:head=softmax,fuse=all", 30, "19.248", "4.594"},
        {"mobilenet_v1:head=softmax,fuse=bn", 57, "38.484", "6.125"},
        {"mobilenet_v1:head=softmax,fuse=none", 84, "57.721", "6.125"},
        {"resnet50:fuse=all", 71, "64.225", "9.188"},
        {"resnet50:fuse=bn", 120, "100.879", "9.188"},
        {"resnet50:fuse=none", 173, "143.275", "9.188"},
        {"vgg16:head=softmax,fuse=all", 21, "57.553", "24.500"},
        {"vgg16:head=softmax,fuse=bn", 36, "109.264", "24.500"},
        {"vgg16:head=softmax,fuse=none", 36, "109.264", "24.500"},
        {"googlenet:head=softmax,fuse=all", 83, "25.498", "4.594"},
        {"googlenet:head=softmax,fuse=bn", 140, "37.804", "6.125"},
        {"googlenet:head=softmax,fuse=none", 140, "37.804", "6.125"},
        {"densenet121:fuse=all", 245, "106.809", "6.891"},
        {"densenet121:fuse=bn", 304, "126.332", "6.891"},
        {"densenet121:fuse=none", 425, "186.099", "8.039"},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct instance *instance = instance_of(row[i].spec);

        if (!ok(instance != NULL, "%s builds", row[i].spec))
            continue;
        is_int((int64_t)instance->n, row[i].n, "%s: tensors", row[i].spec);
        is_mib(instance->total, row[i].sum, row[i].spec, "sum");
        is_mib(instance->load, row[i].load, row[i].spec, "load");
        instance_free(instance);
    }
}

int main(void)
{
    tensors();
    return tap_done();
}
