/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as known costs: refused with a message that has a place, or accepted, and then each
 * file is found by its name and behind a folder.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "hazards/known.h"
#include "lib/base/memory.h"
#include "tests/fuzz/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct known_costs known;
    FILE *in = bytes_file(data, size);
    bool good = known_costs_read(in, "fuzz.csv", &known, &error);

    fclose(in);
    must(good || refused_at(&error, "fuzz.csv:"));
    for (size_t i = 0; i < known.count; i++) {
        char *path = memory_printf("folder/%s", known.row[i].file);

        must(known.row[i].cost >= -1);
        must(known_cost_of(&known, known.row[i].file) != NULL);
        must(known_cost_of(&known, path) != NULL);
        free(path);
    }
    known_costs_clear(&known);
    return 0;
}
