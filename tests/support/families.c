/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/families.h"

#include <stdint.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/real_inputs.h"

#define FIVE                                                                       \
    "data:minimalloc/A.1048576.csv+data:minimalloc/C.1048576.csv+data:minimalloc/" \
    "E.1048576.csv+data:minimalloc/G.1048576.csv+data:minimalloc/I.1048576.csv"

/* Straight cuts, of any skew, with 0 to 5 % slack.  */
static char *guillotine(int i)
{
    return memory_printf("cuts:n=%d,pinwheels=0,skew=%d,slack=%d,seed=%d", 130 + 12 * i, 1 + i % 4,
                         i % 6, 100 + i);
}

/* Mostly pinwheels.  */
static char *pinwheels(int i)
{
    return memory_printf("cuts:n=%d,pinwheels=60,skew=%d,slack=%d,seed=%d", 140 + 12 * i, 1 + i % 3,
                         i % 6, 200 + i);
}

/* Sizes and lifetimes of accelerator instances.  */
static char *recut(int i)
{
    return memory_printf("filled:of=" FIVE ",keep=%d,parts=%d,slack=%d,seed=%d", 56 + i, 1 + i % 3,
                         i % 6, 300 + i);
}

/* Of networks.  */
static char *refilled(int i)
{
    static const char *const network[] = {"googlenet", "resnet50", "mobilenet_v2", "resnet101",
                                          "inception_v3"};

    return memory_printf("filled:of=%s,keep=%d,parts=%d,slack=%d,seed=%d", network[i % 5], 70 + i,
                         1 + i % 2, i % 6, 400 + i);
}

static char *training(int i)
{
    return memory_printf("nested:layers=%d,low=512,high=4000000,saved=%d,reach=%d,workspaces=%d,"
                         "seed=%d",
                         45 + 5 * i, 50 + i, 2 + i % 7, 20 + 2 * i, 500 + i);
}

static char *side_by_side(int i)
{
    static const char *const pair[] = {"googlenet+mobilenet_v2", "resnet18+squeezenet1_1",
                                       "nested+resnet50", "inception_v3+resnet34",
                                       "mobilenet_v1+googlenet+vgg16"};

    return memory_printf("overlaid:of=%s,n=%d,seed=%d", pair[i % 5], 150 + 7 * i, 600 + i);
}

static char *growing(int i)
{
    return memory_printf(
        "caches:layers=%d,tokens=%d,sequences=%d,growth=%d,low=512,high=%d,seed=%d", 2 + i % 5,
        40 + i / 3, 1 + i % 4, 2 + i % 6, 20000 << (i % 4), 700 + i);
}

static char *aligned(int i)
{
    return memory_printf("cuts:n=%d,unit=64,align=%d,pinwheels=%d,skew=%d,slack=%d,seed=%d",
                         130 + 12 * i, 64 << (i % 7), i % 3 * 25, 1 + i % 4, i % 6, 800 + i);
}

/* Random lifetimes, sizes in bytes, alignments from 64 to 4096.  */
static char *mixed(int i)
{
    return memory_printf("stretches:n=%d,life=%d,stretches=1,high=%d,least=64,align=4096,seed=%d",
                         100 + 16 * i, 10 + i * 7 % 50, 4000 << (i % 4), 900 + i);
}

/* Random lifetimes, each idle or smaller for a while.  */
static char *stretches(int i)
{
    return memory_printf("stretches:n=%d,life=%d,stretches=%d,seed=%d", 100 + 20 * i,
                         10 + i * 7 % 50, 2 + i % 4, 1000 + i);
}

/* Caches that grow where they are.  */
static char *grown(int i)
{
    int layers = 2 + i % 5, temporaries = 1 + i % 2, tokens = (120 + 18 * i) / layers / temporaries;

    return memory_printf("caches:grown=on,layers=%d,tokens=%d,sequences=%d,growth=%d,"
                         "temporaries=%d,life=%d,low=512,high=%d,seed=%d",
                         layers, tokens, 1 + i % 4, 2 + i % 6, temporaries, 4 + i % 5,
                         20000 << (i % 4), 1100 + i);
}

/* Rectangles of a packing merged in time: the load is planted, with 0 to 3 % slack.  */
static char *joined(int i)
{
    return memory_printf("cuts:n=%d,joined=%d,pinwheels=%d,skew=%d,slack=%d,seed=%d", 170 + 18 * i,
                         10 + i * 11 % 40, i % 3 * 25, 1 + i % 3, i % 4, 1200 + i);
}

static const struct {
    const char *name;
    int members;
    char *(*member)(int i);
} family[FAMILIES] = {
    {"guillotine", 32, guillotine}, {"pinwheels", 32, pinwheels},
    {"recut", 32, recut},           {"refilled", 24, refilled},
    {"training", 24, training},     {"side-by-side", 24, side_by_side},
    {"growing", 24, growing},       {"aligned", 32, aligned},
    {"mixed", 24, mixed},           {"stretches", 24, stretches},
    {"grown", 24, grown},           {"joined", 24, joined},
};

const char *family_name(size_t i)
{
    return family[i].name;
}

char *family_member(size_t i, int member)
{
    return member < family[i].members ? family[i].member(member) : NULL;
}

bool family_is_tuning(const char *spec)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (; *spec != '\0'; spec++)
        hash = (hash ^ (uint8_t)*spec) * UINT64_C(1099511628211);
    /* The lowest bit would be the parity of the text's bytes alone.  */
    return (hash >> 32 & 1) == 0;
}

bool family_is_missing(const char *spec)
{
    return strstr(spec, "data:minimalloc/") != NULL && real_inputs_missing("minimalloc");
}
