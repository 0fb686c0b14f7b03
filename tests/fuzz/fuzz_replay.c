/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays a corpus through a fuzz target, one TAP line a file.
 *
 * Without arguments the corpus is tests/fuzz/corpus/NAME for the program
 * fuzz_NAME.t; arguments are files to replay instead.  */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/tap.h"

static void replay(const char *path)
{
    FILE *in = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t capacity = 0, length = 0, got;
    const char *slash = strrchr(path, '/');

    if (in == NULL) {
        ok(false, "%s: %s", path, strerror(errno));
        return;
    }
    do {
        data = memory_grow(data, &capacity, length + 4096, 1);
        got = fread(data + length, 1, capacity - length, in);
        length += got;
    } while (got > 0);
    fclose(in);
    /* Of the exact size, so that a read past the end is seen.  */
    data = memory_resize(data, length, 1);
    ok(LLVMFuzzerTestOneInput(data, length) == 0, "%s", slash != NULL ? slash + 1 : path);
    free(data);
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void replay_folder(const char *folder)
{
    struct dirent **entry;
    int count = scandir(folder, &entry, visible, alphasort);

    ok(count > 0, "the corpus %s is there", folder);
    for (int i = 0; i < count; i++) {
        char *path = memory_printf("%s/%s", folder, entry[i]->d_name);

        replay(path);
        free(path);
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
}

/* "instance_csv" of ".../fuzz_instance_csv.t".  */
static char *target_name(const char *program)
{
    const char *slash = strrchr(program, '/'), *base = slash != NULL ? slash + 1 : program;
    const char *prefix = "fuzz_";

    if (strncmp(base, prefix, strlen(prefix)) == 0)
        base += strlen(prefix);
    return memory_printf("%.*s", (int)strcspn(base, "."), base);
}

int main(int argc, char **argv)
{
    const char *source = getenv("top_srcdir");
    char *name, *folder;

    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    if (argc > 1)
        return tap_done();
    name = target_name(argv[0]);
    folder = memory_printf("%s/tests/fuzz/corpus/%s", source != NULL ? source : ".", name);
    replay_folder(folder);
    free(folder);
    free(name);
    return tap_done();
}
