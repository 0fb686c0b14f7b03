/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the arguments of the conv command name: a list of layers and a network
 * may have the same name.  */
#include <config.h>

#include "harness/timing/conv_input.h"
#include "harness/timing/conv_sample.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "tests/support/tap.h"

static struct layer_list list_of(const char *text)
{
    struct layer_list list = {0};
    struct error error = {{0}};

    if (!ok(conv_input(&list, text, &error), "%s is understood", text))
        tap_diag("%s", error.text);
    return list;
}

static bool has(const struct layer_list *list, const struct conv_shape *shape)
{
    for (size_t i = 0; i < list->count; i++)
        if (memcmp(&list->layer[i].shape, shape, sizeof *shape) == 0)
            return true;
    return false;
}

static bool includes(const struct layer_list *large, const struct layer_list *small)
{
    for (size_t i = 0; i < small->count; i++)
        if (!has(large, &small->layer[i].shape))
            return false;
    return true;
}

/* yolov3-tiny alone is the list, with its two equal layers; what follows a colon
 * is a network's.  Both have the same shapes.  */
static void one_name(void)
{
    struct layer_list list = list_of("yolov3-tiny"), network = list_of("yolov3-tiny:");
    struct layer_list with = list_of("yolov3-tiny:batch=1"),
                      one = list_of("yolov3-tiny:layer=conv8");

    is_int((int64_t)list.count, 13, "the list has 13 layers");
    is_text(list.layer[0].name, "conv0-3x3-3-16@416", "with the list's names");
    is_int((int64_t)network.count, 12, "the network has 12 shapes");
    is_text(network.layer[0].name, "yolov3-tiny/conv0", "with the operators' names");
    ok(includes(&list, &network) && includes(&network, &list), "they are the same");
    is_int((int64_t)with.count, 12, "parameters say that it is the network");
    is_int((int64_t)one.count, 1, "layer= picks one");
    ok(one.count == 1 &&
           memcmp(&one.layer[0].shape, &list.layer[4].shape, sizeof one.layer[0].shape) == 0,
       "conv8 is the list's conv8");
    layer_list_free(&list);
    layer_list_free(&network);
    layer_list_free(&with);
    layer_list_free(&one);
}

/* --- samples --- */

static bool is_depthwise(const struct conv_shape *shape)
{
    return shape->groups > 1 && shape->groups == shape->c;
}

/* As many of each kind, all of a kind that has fewer, the same each time.  */
static void samples(void)
{
    struct layer_list all = list_of("mobilenet_v2"), some = list_of("mobilenet_v2:sample=9");
    struct layer_list same = list_of("mobilenet_v2:sample=9,seed=1");
    struct layer_list other = list_of("mobilenet_v2:seed=3,sample=9");
    struct layer_list many = list_of("mobilenet_v2:sample=1000,fuse=all");
    int depthwise = 0, dense = 0, equal = 0, twice = 0;

    is_int((int64_t)some.count, 9, "nine layers");
    ok(includes(&all, &some), "of the network's");
    for (size_t i = 0; i < some.count; i++) {
        depthwise += is_depthwise(&some.layer[i].shape);
        dense += some.layer[i].shape.groups == 1 && some.layer[i].shape.r > 1;
        for (size_t j = 0; j < i; j++)
            twice +=
                memcmp(&some.layer[i].shape, &some.layer[j].shape, sizeof some.layer[i].shape) == 0;
    }
    is_int(dense, 1, "the only dense one is there");
    is_int(depthwise, 4, "of the others half are depthwise");
    is_int(twice, 0, "none is there twice");
    ok(includes(&some, &same) && includes(&same, &some), "the same each time");
    for (size_t i = 0; i < other.count; i++)
        equal += has(&some, &other.layer[i].shape);
    ok(other.count == 9 && equal < 9, "another seed takes others");
    is_int((int64_t)many.count, (int64_t)all.count, "there are no more than there are");
    layer_list_free(&all);
    layer_list_free(&some);
    layer_list_free(&same);
    layer_list_free(&other);
    layer_list_free(&many);
}

/* Distances are equal: of layers that differ in one size, in order, every other one.  */
static void sample_evenly(void)
{
    struct layer_list list = {NULL, 0, 0};
    bool even = true;

    for (int64_t i = 0; i < 40; i++) {
        char *text = memory_printf("c=%d,h=8,w=8,k=4,r=1,s=1", (int)(1 + (i * 7) % 40));
        struct conv_shape shape;

        layer_parse(text, &shape, NULL);
        free(text);
        layer_list_add(&list, "one", &shape);
    }
    conv_sample(&list, 0, 20, 5);
    for (size_t i = 1; i < list.count; i++)
        even = even && list.layer[i].shape.c == list.layer[i - 1].shape.c + 2;
    ok(even && list.count == 20, "every other one of forty");
    layer_list_free(&list);
}

static void bad_samples(void)
{
    static const char *const bad[][2] = {
        {"mobilenet_v2:sample=0", "sample=0, expected a number of layers up to 1000000"},
        {"mobilenet_v2:sample=2,seed=0", "seed=0, expected a number from 1 to 4294967295"},
        {"none.csv", "none.csv: No such file"},
    };
    struct layer_list list = {NULL, 0, 0};
    struct error error;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ok(!conv_input(&list, bad[i][0], &error) && strstr(error.text, bad[i][1]) != NULL,
           "refused: %s", error.text);
    layer_list_free(&list);
}

int main(void)
{
    one_name();
    samples();
    sample_evenly();
    bad_samples();
    return tap_done();
}
