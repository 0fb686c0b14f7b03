/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/cache.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

enum {
    MOST_CACHES = 16,
    WORD = 32, /* bytes: "%31s" and its end */
};

/* The first word of FOLDER/indexINDEX/NAME; false: it has none.  */
static bool read_word(const char *folder, int index, const char *name, char word[WORD])
{
    char *path = memory_printf("%s/index%d/%s", folder, index, name);
    FILE *file = fopen(path, "r");
    const bool found = file != NULL && fscanf(file, "%31s", word) == 1;

    if (file != NULL)
        fclose(file);
    free(path);
    return found;
}

/* "1024K" in bytes; 0: it is no size.  */
static int64_t parse_size(const char *word)
{
    char *unit;
    const long long number = strtoll(word, &unit, 10);

    if (number <= 0 || number > INT64_MAX >> 30)
        return 0;
    if (strcmp(unit, "K") == 0)
        return number << 10;
    if (strcmp(unit, "M") == 0)
        return number << 20;
    return strcmp(unit, "") == 0 ? number : 0;
}

int64_t cache_last_level(const char *folder)
{
    int64_t bytes = 0;
    int last = 0;

    for (int i = 0; i < MOST_CACHES; i++) {
        char level[WORD], type[WORD], size[WORD];

        if (!read_word(folder, i, "level", level) || !read_word(folder, i, "type", type) ||
            !read_word(folder, i, "size", size) || strcmp(type, "Instruction") == 0)
            continue;
        if (atoi(level) > last && parse_size(size) > 0) {
            last = atoi(level);
            bytes = parse_size(size);
        }
    }
    return bytes;
}
