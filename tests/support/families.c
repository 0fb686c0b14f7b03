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

static const struct {
    const char *name;
    int members;
    char *(*member)(int i);
} family[FAMILIES] = {
    {"guillotine", 32, guillotine}, {"pinwheels", 32, pinwheels},
    {"recut", 32, recut},           {"refilled", 24, refilled},
    {"training", 24, training},     {"side-by-side", 24, side_by_side},
    {"growing", 24, growing},       {"aligned", 32, aligned},
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
