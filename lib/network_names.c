#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/network.h"

struct name_ref {
    const char *name;
    size_t index;
};

static int compare_refs(const void *a, const void *b)
{
    const struct name_ref *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static int compare_name(const void *key, const void *element)
{
    const struct name_ref *ref = element;

    return strcmp(key, ref->name);
}

/* For name i, the new name of element i, or NULL where it may stay.  Sorts REF.
 * The result and its texts are the caller's.  */
static char **new_names(struct name_ref *ref, size_t count)
{
    char **name = memory_zalloc(count, sizeof *name);
    size_t suffix = 2;

    qsort(ref, count, sizeof *ref, compare_refs);
    for (size_t i = 1; i < count; i++) {
        char *unique = NULL;

        if (strcmp(ref[i - 1].name, ref[i].name) != 0) {
            suffix = 2;
            continue;
        }
        do {
            free(unique);
            unique = memory_printf("%s_%zu", ref[i].name, suffix++);
        } while (bsearch(unique, ref, count, sizeof *ref, compare_name) != NULL);
        name[ref[i].index] = unique;
    }
    return name;
}

static void rename_to(char **old, char *unique)
{
    if (unique == NULL)
        return;
    free(*old);
    *old = unique;
}

void network_make_names_unique(struct network *network)
{
    struct name_ref *ref = memory_alloc(network->n_ops, sizeof *ref);
    char **unique;

    for (size_t o = 0; o < network->n_ops; o++)
        ref[o] = (struct name_ref){network->op[o].name, o};
    unique = new_names(ref, network->n_ops);
    for (size_t o = 0; o < network->n_ops; o++)
        rename_to(&network->op[o].name, unique[o]);
    free(unique);
    free(ref);
    ref = memory_alloc(network->n_values, sizeof *ref);
    for (size_t v = 0; v < network->n_values; v++)
        ref[v] = (struct name_ref){network->value[v].name, v};
    unique = new_names(ref, network->n_values);
    for (size_t v = 0; v < network->n_values; v++)
        rename_to(&network->value[v].name, unique[v]);
    free(unique);
    free(ref);
}
