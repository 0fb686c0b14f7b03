/* Any bytes as an instance: refused with a message that has a place, or
 * accepted, and then written and read back to the same instance.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"

static struct instance *read_bytes(const void *data, size_t size, struct error *error)
{
    FILE *in = fmemopen((void *)data, size, "r");
    struct instance *instance;

    if (in == NULL)
        abort();
    instance = instance_csv_read(in, "fuzz.csv", NULL, error);
    fclose(in);
    return instance;
}

static void check_same(const struct instance *one, const struct instance *two)
{
    if (two == NULL || instance_checksum(one) != instance_checksum(two) ||
        one->n_empty != two->n_empty || one->load != two->load || one->width != two->width)
        abort();
    for (size_t i = 0; i < one->n_empty; i++)
        if (strcmp(one->empty[i].id, two->empty[i].id) != 0 ||
            one->empty[i].begin != two->empty[i].begin || one->empty[i].end != two->empty[i].end)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct instance *instance = read_bytes(data, size, &error), *again;
    char *text = NULL;
    size_t length = 0;
    FILE *out;

    if (instance == NULL) {
        if (strncmp(error.text, "fuzz.csv:", 9) != 0)
            abort();
        return 0;
    }
    out = open_memstream(&text, &length);
    if (out == NULL || !instance_csv_write(out, instance))
        abort();
    fclose(out);
    again = read_bytes(text, length, &error);
    check_same(instance, again);
    instance_free(again);
    instance_free(instance);
    free(text);
    return 0;
}
