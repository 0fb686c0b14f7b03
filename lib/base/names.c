/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/names.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

static int compare_refs(const void *a, const void *b)
{
    const struct name_ref *x = a, *y = b;

    return strcmp(x->name, y->name) ?: ORDER(x->index, y->index);
}

static int compare_name(const void *key, const void *element)
{
    const struct name_ref *ref = element;

    return strcmp(key, ref->name);
}

void names_sort(struct name_ref *ref, size_t count)
{
    qsort(ref, count, sizeof *ref, compare_refs);
}

const struct name_ref *names_look_up(const struct name_ref *ref, size_t count, const char *name)
{
    return bsearch(name, ref, count, sizeof *ref, compare_name);
}

void names_make_unique(char **const *slot, size_t count)
{
    struct name_ref *ref = memory_alloc(count, sizeof *ref);
    char **unique = memory_zalloc(count, sizeof *unique);
    size_t suffix = 2;

    for (size_t i = 0; i < count; i++)
        ref[i] = (struct name_ref){*slot[i], i};
    names_sort(ref, count);
    for (size_t i = 1; i < count; i++) {
        char *name = NULL;

        if (strcmp(ref[i - 1].name, ref[i].name) != 0) {
            suffix = 2;
            continue;
        }
        do {
            free(name);
            name = memory_printf("%s_%zu", ref[i].name, suffix++);
        } while (names_look_up(ref, count, name) != NULL);
        unique[ref[i].index] = name;
    }
    for (size_t i = 0; i < count; i++)
        if (unique[i] != NULL) {
            free(*slot[i]);
            *slot[i] = unique[i];
        }
    free(unique);
    free(ref);
}
