/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an instance, with and without fixed offsets: refused with a message that has a
 * place, or accepted, and then written and read back to the same instance.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "tests/fuzz/bytes.h"

typedef struct instance *reader(FILE *in, const char *path, FILE *notices, struct error *error);

static struct instance *read_bytes(reader *read, const void *data, size_t size, struct error *error)
{
    FILE *in = bytes_file(data, size);
    struct instance *instance;

    instance = read(in, "fuzz.csv", NULL, error);
    fclose(in);
    return instance;
}

static void check_same(const struct instance *one, const struct instance *two)
{
    must(two != NULL && instance_checksum(one) == instance_checksum(two) &&
         one->n_empty == two->n_empty && one->load == two->load && one->width == two->width);
    for (size_t i = 0; i < one->n_empty; i++)
        must(strcmp(one->empty[i].id, two->empty[i].id) == 0 &&
             one->empty[i].begin == two->empty[i].begin && one->empty[i].end == two->empty[i].end);
}

/* READ takes DATA; what is written then has offsets only where one is fixed.  */
static void check_reader(reader *read, const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct instance *instance = read_bytes(read, data, size, &error), *again;
    char *text = NULL;
    size_t length = 0;
    FILE *out;

    if (instance == NULL) {
        must(refused_at(&error, "fuzz.csv:"));
        return;
    }
    out = open_memstream(&text, &length);
    must(out != NULL && instance_csv_write(out, instance));
    fclose(out);
    again = read_bytes(instance->fixed > 0 ? instance_csv_read_fixed : instance_csv_read, text,
                       length, &error);
    /* Written with what lies between bytes in use as in use, fixed buffers may overlap.  */
    if (again != NULL || instance->fixed == 0 || instance_csv_widened(instance) == 0)
        check_same(instance, again);
    instance_free(again);
    instance_free(instance);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_reader(instance_csv_read, data, size);
    check_reader(instance_csv_read_fixed, data, size);
    return 0;
}
