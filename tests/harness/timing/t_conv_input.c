/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the arguments of the conv command name: a list of layers and a network
 * may have the same name.  */
#include <config.h>

#include "harness/timing/conv_input.h"

#include <string.h>

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

int main(void)
{
    one_name();
    return tap_done();
}
