/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a list of layers: refused with a message that has a place, or accepted, and then
 * each layer is read again from its text, and what is worked out of its shape makes sense.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "kernels/layer.h"
#include "kernels/layout.h"
#include "tests/fuzz/bytes.h"

static void check_layer(const struct conv_shape *shape)
{
    char *text = layer_text(shape);
    const double share = layer_tap_share(shape);
    struct conv_shape again;

    must(layer_parse(text, &again, NULL) && memcmp(shape, &again, sizeof again) == 0);
    must(share >= 0.0 && share <= 1.0 && conv_shape_out_h(shape) >= 1 &&
         conv_shape_out_w(shape) >= 1 && conv_shape_macs(shape) >= 1);
    for (int64_t block = 1; block <= 16; block *= 4) {
        const struct tensor_layout input = layout_input(shape, block);
        const struct tensor_layout output = layout_output(shape, block);
        const struct filter_layout filter = filter_layout(shape, 3 * block, block);

        must(layout_floats(&input) > 0 && layout_floats(&output) > 0 &&
             filter_layout_floats(&filter) > 0);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *in = bytes_file(data, size);
    struct layer_list list = {0};
    struct error error = {""};

    if (layer_list_read(&list, in, "fuzz.layers", &error))
        for (size_t i = 0; i < list.count; i++)
            check_layer(&list.layer[i].shape);
    else
        must(refused_at(&error, "fuzz.layers:"));
    fclose(in);
    layer_list_free(&list);
    return 0;
}
