/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an instance with vector clocks: refused with a message that names the file, or an
 * instance.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "lib/problem/clocks_csv.h"
#include "lib/problem/instance.h"
#include "tests/fuzz/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *in = bytes_file(data, size);
    struct error error = {""};
    struct instance *instance = clocks_csv_read(in, "fuzz.csv", &error);

    fclose(in);
    must(instance != NULL || refused_at(&error, "fuzz.csv:"));
    instance_free(instance);
    return 0;
}
