/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a table of layers: refused with a message that has a place, or accepted, and then
 * each layer is one that its name says.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "kernels/layer_table.h"
#include "tests/fuzz/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *in = bytes_file(data, size);
    struct layer_list list = {0};
    struct error error = {""};

    if (layer_table_read(&list, in, "fuzz.csv", &error))
        for (size_t i = 0; i < list.count; i++) {
            struct conv_shape again;

            must(layer_parse(list.layer[i].name, &again, NULL) &&
                 memcmp(&list.layer[i].shape, &again, sizeof again) == 0);
        }
    else
        must(refused_at(&error, "fuzz.csv:"));
    fclose(in);
    layer_list_free(&list);
    return 0;
}
